// A closed mesh -> the cells inside it -> boxes of blocks.
//
// A cell is inside where its middle is. Rays run along x through the middles of the cells; each
// crossing counts +1 or -1 by the side from which the surface is met, and inside is where the sum
// is not 0 (the winding number, so that parts may overlap, and cavities are shells that face
// inward). All is decided in whole numbers, after vertices were rounded to 1/4096 of a cell: on an
// edge that two triangles share, exactly one of them is met, wherever the ray runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/mesh.h"
#include "voxel/block.h"
#include "voxel/samples.h"

namespace talus {

/// Most cells of the box around a mesh, in all and along an axis.
inline constexpr std::int64_t kMostVoxels = std::int64_t{1} << 26;
inline constexpr std::int64_t kLongestVoxels = std::int64_t{1} << 14;
/// Most rays times triangles that may have to be looked at.
inline constexpr std::int64_t kMostVoxelTests = std::int64_t{1} << 29;

struct SolidCells {
  IVec3 origin{0};  // the cell of bit (0, 0, 0)
  SolidBits solid;  // along x, y, z
};

/// All the meshes as one surface; `cell_m` is a cell's edge in the mesh's unit. Cell (i, j, k)
/// reaches from (i, j, k) * cell_m to the next. Throws Error where edges are open (their number,
/// and the mend), where numbers are not finite or too far out, and over the limits above, before
/// any memory is taken for cells.
///
/// Cost: the rays that pass through each triangle's box, and the cells of the mesh's box.
SolidCells voxelise(std::span<const Mesh> meshes, double cell_m);

/// blocks.x * y * z blocks of one size, side by side.
struct BlockBox {
  IVec3 cell{0};  // least corner
  int size = 1;   // cells along a block's edge
  IVec3 blocks{1};
};

/// Covers every solid cell exactly once: from each first free cell (y, then z, then x) the largest
/// cube of up to `largest` cells that fits, then as many more of it as fit along x, z, y. Cost: the
/// cells of the box.
std::vector<BlockBox> merge_cells(const SolidCells& cells, int largest = kMaxBlockSize);

}  // namespace talus
