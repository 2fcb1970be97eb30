// A structure as the few convex solids that collide for it.
//
//   cells            boxes                    Uncut blocks count as their cells, and cells are
//   merged
//   +--+--+--+       +--------+               greedily into disjoint boxes, whatever block or
//   |  |  |  |       |        |               material they are of. Cut blocks come as they are.
//   +--+--+--+  ->   +--+-----+
//   |  |             |  |    ^ partial: some of what lies beyond this side is filled
//   +--+             +--+
//                      ^ closed: all of what lies beyond this side is filled
//
// Nothing can come through a closed side, so no contact may push through it: that is what keeps a
// slider from catching on the seam between two boxes.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/box.h"
#include "voxel/blocks.h"

namespace talus {

/// A merged box, metres in the structure's frame. Bit `side` (block.h) of closed and partial.
struct BoxPart {
  Vec3 middle{0};
  Vec3 half{0};
  std::uint8_t closed = 0, partial = 0;
};

struct ConvexParts {
  std::vector<BoxPart> boxes;
  std::vector<BlockId> cut_blocks;  // each a convex solid of its own (shape.h)
};

/// The parts of the blocks with cells in the region, boxes ending at the region's border (but
/// closed there where the structure goes on). Cost: six times the region's cells.
ConvexParts convex_parts(const Blocks& blocks, const IBox& region);

/// The least box of cells around a structure; empty where nothing stands.
IBox cell_bounds(const Blocks& blocks);

/// Where a structure's surface may stand on a rough ground: lattice corners with one to four of the
/// eight cells around them filled (more is a hollow that a flat ground cannot reach), and the
/// corners of cut shapes (a ball has none: its middle and radius say more). Metres in the
/// structure's frame; by z, y, x, then by block.
std::vector<Vec3> standing_points(const Blocks& blocks);

}  // namespace talus
