// A mesh file being written, part by part, without ever holding the whole of it.
//
//   auto file = create_mesh_file("terrain.glb", options);
//   file->begin_node("terrain", origin);      // one node: its own origin, vertex and index count
//   file->add(part); file->add(part); ...
//   file->finish();                           // the file appears, whole, under its name
//
// Without finish() nothing appears, and an older file of that name stays as it was.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "mesh/mesh.h"

namespace talus {

/// How vertices and indices are stored (glTF only; OBJ is always plain text).
enum class MeshEncoding {
  Plain,       // 32-bit floats
  Quantized,   // KHR_mesh_quantization: positions in 16 bits on the lattice of `grid_m`, normals in
               // 8
  Compressed,  // Quantized, and EXT_meshopt_compression on top
};

struct MeshFileOptions {
  MeshEncoding encoding = MeshEncoding::Plain;
  /// Quantized, Compressed: metres between representable positions. Every position must be a
  /// multiple of it counted from the node's origin, and span less than 65 536 of them within a
  /// node.
  double grid_m = 1.0 / 1024;
  std::string generator = "talus";
};

class MeshWriter {
 public:
  virtual ~MeshWriter() = default;
  /// Starts a node; the vertices that follow are relative to `origin` (metres, world). A node that
  /// gets no triangle leaves no trace in the file.
  virtual void begin_node(const std::string& name, Vec3 origin) = 0;
  /// Adds vertices and triangles to the node. `part.indices` count from the node's first vertex, so
  /// a part may use vertices of earlier parts; `part.origin` is not looked at. Every part of a file
  /// has the same attributes. Throws Error (Trouble::Output) when the disk is full or a format's
  /// limit is reached (4 GiB for .glb; the message names `--tiles`).
  virtual void add(const Mesh& part) = 0;
  /// Completes the file and renames it into place. Throws Error (Trouble::Output).
  virtual void finish() = 0;
};

/// A writer by the path's ending: .glb, .gltf (+ .bin), .obj (+ .mtl). Throws Error for another
/// ending (with the known ones), an encoding that the format has not, and a folder that cannot be
/// written.
std::unique_ptr<MeshWriter> create_mesh_file(const std::string& path,
                                             const MeshFileOptions& options);

}  // namespace talus
