// The arithmetic of surface vertices, many at a time, on the widest vectors the processor has. The
// same bits at every width: every lane does what a plain loop would do.
//
// Positions come out in grid units (1/1024 of a step) from sample 0 of the lattice, as floats that
// hold whole numbers; normals are unit vectors along the falling density.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vec.h"
#include "voxel/lattice.h"

namespace talus {

/// A sheet of surface in a cell: the cell's lowest sample, and the crossed edges of the sheet.
struct NetVertex {
  std::int32_t x, y, z;
  std::uint32_t edges;  // a bit an edge, as in cell_cases.h
};

/// A crossed edge: its lower sample and its axis.
struct EdgeVertex {
  std::int32_t x, y, z;
  std::int32_t axis;
};

/// Position: the mean of the sheet's crossings, strictly inside the cell. Normal: from the gradient
/// of the density blended between the cell's corners, there.
void place_net_vertices(std::span<const NetVertex> vertices, const float* density, IVec3 size,
                        Vec3f* positions, Vec3f* normals);

/// Position: the crossing, strictly inside the edge. Normal: exact difference along the edge,
/// central differences across it. Samples around the edge's ends are read.
void place_edge_vertices(std::span<const EdgeVertex> vertices, const float* density, IVec3 size,
                         Vec3f* positions, Vec3f* normals);

}  // namespace talus
