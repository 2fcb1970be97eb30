// Surface nets and marching cubes straight from their definitions, cell by cell, without tables,
// bits or vectors: the oracles of lib/meshing. Samples have a step of 1.
#pragma once

#include <array>
#include <set>
#include <vector>

#include "mesh/mesh.h"
#include "voxel/samples.h"

namespace talus {

/// Metres from the first owned sample.
using Place = std::array<double, 3>;
using PlaceTriangle = std::array<Place, 3>;

/// The triangles of a mesh, and those that surface nets should have: each starts at its least
/// corner, sorted.
std::vector<PlaceTriangle> place_triangles(const Mesh& mesh);
std::vector<PlaceTriangle> plain_surface_nets(const Samples& samples, IVec3 own);

/// A side of a polygon, from the lesser end, in a cell (counted from the first owned one).
struct CellSegment {
  std::array<int, 3> cell;
  Place from, to;
  auto operator<=>(const CellSegment&) const = default;  // NOLINT(modernize-use-nullptr): its 0
};
/// The sides that only one triangle of a cell has, and those that marching cubes should have: what
/// is left is how polygons are cut into triangles.
std::set<CellSegment> cell_segments(const Mesh& mesh);
std::set<CellSegment> plain_cell_segments(const Samples& samples, IVec3 own);

}  // namespace talus
