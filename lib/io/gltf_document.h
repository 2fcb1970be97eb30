// The JSON part of a glTF file while its nodes arrive. Nodes, meshes and accessors are text in
// spools, so that 100 000 nodes cost no memory but their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/vec.h"
#include "io/gltf_buffers.h"
#include "io/mesh_writer.h"
#include "io/plain_names.h"
#include "io/spool.h"

namespace talus {

/// How the elements of an accessor are stored.
struct GltfFormat {
  int component_type =
      5126;  // glTF's number: 5120 int8, 5121 uint8, 5123 uint16, 5125 uint32, 5126 float
  const char* type = "VEC3";
  bool normalized = false;
};

/// The accessors of one primitive.
struct GltfPrimitive {
  std::uint64_t positions = 0;
  std::optional<std::uint64_t> normals;
  std::optional<std::uint64_t> colors;
  std::uint64_t indices = 0;
};

class GltfDocument {
 public:
  /// Temporary data goes to `folder`.
  GltfDocument(const std::string& folder, const MeshFileOptions& options);

  /// `bounds` is empty, or `"min":[...],"max":[...]`. Returns the accessor's number.
  std::uint64_t add_accessor(GltfPlace place, std::uint64_t count, const GltfFormat& format,
                             const std::string& bounds = "");
  /// A node with a mesh of one primitive. The name is made plain (letters, digits, _ and -) and
  /// unique.
  void add_node(const std::string& name, Vec3 translation, double scale,
                const GltfPrimitive& primitive);

  bool empty() const { return node_count_ == 0; }
  /// Bytes of the JSON at most, as far as it is known.
  std::uint64_t bytes() const;
  /// The whole document; buffer 0 has `binary_bytes` and is at `uri`, or in the same file when
  /// empty.
  void write(const ByteSink& out, const GltfBuffers& buffers, std::uint64_t binary_bytes,
             const std::string& uri) const;

 private:
  std::string head() const;
  std::string tail(const GltfBuffers& buffers, std::uint64_t binary_bytes,
                   const std::string& uri) const;

  MeshFileOptions options_;
  bool has_colors_ = false;
  Spool nodes_, meshes_, accessors_;  // elements of the arrays, each after a comma but the first
  std::uint64_t node_count_ = 0;
  std::uint64_t accessor_count_ = 0;
  PlainNames names_;
};

}  // namespace talus
