// How far a point is from a block's surface, and which way is out.
#pragma once

#include "voxel/block.h"

namespace talus {

/// Metres from the surface, negative inside, and the unit direction that leads away from it.
struct BlockDistance {
  double distance;
  Vec3 normal;
};

inline constexpr unsigned kAllSidesOpen = 0x3F;

/// Outside: the nearest point of the block's shape. Inside: the shortest way through an open side
/// (bit `side` of `open`; the first of equals), where a cut's surface is open if a side that it
/// joins is; with none open, straight up to the top of the cube.
///
/// Exact for cubes, for shapes whose cuts are all plane and for shapes whose cuts are all round;
/// where plane and round cuts mix, the round ones are taken in 16 facets a quarter.
BlockDistance signed_distance(const Block& block, unsigned open, Vec3 point);

/// True where the point lies in the block's shape or on it.
bool inside(const Block& block, Vec3 point);

}  // namespace talus
