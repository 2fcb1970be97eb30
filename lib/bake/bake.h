// A region of terrain -> mesh files: chunk by chunk, in parallel, in memory that does not grow with
// the region.
//
//   region -> chunks -> samples -> mesh ->  weld, write    (one merged file)
//                                       ->  a file each    (tiles, and an index.json)
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/progress.h"
#include "io/mesh_writer.h"
#include "meshing/mesher.h"
#include "terrain/terrain.h"

namespace talus {

struct BakeRequest {
  Terrain terrain;
  /// What the terrain was made from, where known: index.json and messages name it.
  std::optional<TerrainSpec> spec;
  /// Lattice points owned: metres / step. Half-open; the mesh spans lo to hi.
  IBox region;
  double step = 1;  // metres between samples: a multiple of 1/64, 1/64 to 64
  Mesher mesher = Mesher::SurfaceNets;
  bool closed = false;  // cut with the region's box, half a step inside, and capped there
  bool flat = false;    // one normal a face
  bool colors = false;  // by slope and depth
  bool merge = true;    // blocks: rectangles instead of unit faces
  int chunk = 32;       // cells along a chunk's side, 4 to 128
  int threads = 1;
  bool verify_skips = false;  // sample everything, and fail where skipping would have been wrong
  MeshEncoding encoding = MeshEncoding::Plain;
};

struct BakeResult {
  std::uint64_t vertices = 0, triangles = 0;
  std::uint64_t chunks = 0;          // of the region
  std::uint64_t surface_chunks = 0;  // of those, with triangles: in tiles, the files written
};

/// The region as a box of lattice points, from its corners in metres: rounded outward to the step.
/// Throws Error for a reversed, empty, non-finite or too large region and for an unusable step; the
/// message names the limit and the mend.
IBox region_from_corners(Vec3 from, Vec3 to, double step);
/// A box of `size` metres in x and z around a column, and in y from 32 m below the lowest to 16 m
/// above the highest ground in it: room for caves and overhangs. Heights are asked for on a grid of
/// up to 129 x 129 columns, and the largest difference between neighbours is added to both margins.
/// Throws like region_from_corners.
IBox region_around(const Terrain& terrain, double x, double z, double size, double step);

/// One mesh, vertices shared across chunks, to `path` (.glb, .gltf, .obj). With a Quantized or
/// Compressed encoding: a node a chunk, on one grid. Refused before work starts, with an estimate,
/// where the format could not hold it, and where a float could not hold its positions exactly.
/// Memory: two layers of the vertices on chunk borders. Throws Error; throws Interrupted when
/// stopped, with nothing written.
BakeResult bake_merged(const BakeRequest& request, const std::string& path,
                       const Progress& progress);

/// A file a chunk with surface, named tile_X_Y_Z by its place in chunks of the world, and
/// index.json: origins, bounds, counts. The folder is made if it is missing; files of earlier bakes
/// stay, and are in no index. `format` is glb, gltf or obj. When stopped, the index of what is
/// finished is written, "complete": false, before Interrupted is thrown.
BakeResult bake_tiles(const BakeRequest& request, const std::string& folder,
                      const std::string& format, const Progress& progress);

}  // namespace talus
