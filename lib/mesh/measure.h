// What can be asked of a surface: how large it is, and whether it is whole.
//
// Everything that concerns how triangles hang together is asked after welding by position (weld.h),
// so chunks, flat normals and seams of attributes do not count as holes.
#pragma once

#include <cstdint>
#include <span>

#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

struct MeshMeasure {
  std::uint64_t vertices = 0;         // as stored
  std::uint64_t welded_vertices = 0;  // places
  std::uint64_t triangles = 0;
  std::uint64_t components = 0;  // sets of triangles that share places
  Box bounds;                    // of the triangles, metres, world
  double area_m2 = 0;
  double volume_m3 = 0;  // signed, positive when triangles face outward; meaningful when closed

  std::uint64_t open_edges = 0;            // with one triangle
  std::uint64_t crowded_edges = 0;         // with more than two
  std::uint64_t misdirected_edges = 0;     // with two that run along it in the same direction
  std::uint64_t degenerate_triangles = 0;  // of area 0, exactly
  std::uint64_t flipped_triangles = 0;  // facing away from the normals of all their three vertices

  /// Without a defect; it may have a border.
  bool clean() const {
    return crowded_edges + misdirected_edges + degenerate_triangles + flipped_triangles == 0;
  }
  /// The whole border of a solid.
  bool closed() const { return triangles > 0 && clean() && open_edges == 0; }
};

/// The meshes of one file, as one surface. Sums run in order, so the same meshes give the same
/// bits. About 150 ns and 60 bytes a triangle.
MeshMeasure measure(std::span<const Mesh> meshes);

}  // namespace talus
