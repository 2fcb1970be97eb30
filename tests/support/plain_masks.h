// The broad phase in plain loops: what chunk_masks and MaskMap must agree with.
#pragma once

#include <functional>

#include "collision/chunk_masks.h"

namespace talus {

/// A sum of Matter for any voxel.
using VoxelAt = std::function<std::uint8_t(IVec3)>;

/// The masks of a chunk, voxel by voxel over 27 neighbours.
ChunkMasks plain_masks(IVec3 chunk, const VoxelAt& voxel);
/// What a box touches in a chunk: every voxel of the box, bit by bit.
std::uint8_t plain_touched(const ChunkMasks& masks, IVec3 chunk, const Box& box);

}  // namespace talus
