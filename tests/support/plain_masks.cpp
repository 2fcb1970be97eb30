#include "support/plain_masks.h"

#include <cmath>

namespace talus {

ChunkMasks plain_masks(IVec3 chunk, const VoxelAt& voxel) {
  ChunkMasks masks;
  for (int z = 0; z < 8; ++z) {
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        unsigned matter = 0;
        for (int n = 0; n < 27; ++n) {
          const IVec3 step(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
          matter |= voxel(8 * chunk + IVec3(x, y, z) + step);
        }
        const std::uint64_t bit = 1ull << (x + 8 * z);
        if (matter & kSolid) masks.solid[static_cast<std::size_t>(y)] |= bit;
        if (matter & kWater) masks.water[static_cast<std::size_t>(y)] |= bit;
      }
    }
  }
  return masks;
}

std::uint8_t plain_touched(const ChunkMasks& masks, IVec3 chunk, const Box& box) {
  unsigned matter = 0;
  for (int z = 0; z < 8; ++z) {
    for (int y = 0; y < 8; ++y) {
      for (int x = 0; x < 8; ++x) {
        const Vec3 lo(8 * chunk + IVec3(x, y, z));
        bool inside = true;
        for (int axis = 0; axis < 3; ++axis) {
          inside = inside && std::floor(box.lo[axis]) <= lo[axis] && lo[axis] <= box.hi[axis];
        }
        if (!inside) continue;
        const int bit = x + 8 * z;
        if (masks.solid[static_cast<std::size_t>(y)] >> bit & 1) matter |= kSolid;
        if (masks.water[static_cast<std::size_t>(y)] >> bit & 1) matter |= kWater;
      }
    }
  }
  return static_cast<std::uint8_t>(matter);
}

}  // namespace talus
