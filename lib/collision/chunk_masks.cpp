#include "collision/chunk_masks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace talus {

namespace {

constexpr std::uint64_t kLowBits = 0x0101010101010101;

/// Bit 0 of each of 8 bytes, gathered: byte i to bit i.
std::uint64_t gather_bits(std::uint64_t bytes) {
  return (bytes & kLowBits) * 0x0102040810204080 >> 56;
}

/// Each byte of the ten in (low, high), ORed with the two after it: the row, dilated along x.
std::uint64_t dilated_row(const std::uint8_t* row) {
  std::uint64_t low;
  std::uint16_t high;
  std::memcpy(&low, row, 8);
  std::memcpy(&high, row + 8, 2);
  return low | (low >> 8 | std::uint64_t{high} << 56) | (low >> 16 | std::uint64_t{high} << 48);
}

/// Ten bytes, one a row of a slice, dilated along z: eight bytes.
struct SliceRows {
  std::uint64_t low = 0, high = 0;
};
std::uint64_t dilated_slice(const SliceRows& a, const SliceRows& b, const SliceRows& c) {
  const std::uint64_t low = a.low | b.low | c.low, high = a.high | b.high | c.high;
  return low | (low >> 8 | high << 56) | (low >> 16 | high << 48);
}

std::uint32_t fullness(const ChunkMask& mask) {
  std::uint64_t any = 0, all = ~0ull;
  for (const std::uint64_t slice : mask) {
    any |= slice;
    all &= slice;
  }
  return any == 0 ? 0 : all == ~0ull ? 2 : 1;
}

ChunkMask uniform_mask(bool set) {
  ChunkMask mask;
  mask.fill(set ? ~0ull : 0);
  return mask;
}

}  // namespace

ChunkMasks chunk_masks(std::span<const std::uint8_t, kNeighbourhoodCount> voxels) {
  constexpr std::size_t kSide = kNeighbourhoodSide;
  std::array<SliceRows, kSide> solid, water;  // by y
  for (std::size_t z = 0; z < kSide; ++z) {
    const unsigned shift = 8 * (z % 8);
    for (std::size_t y = 0; y < kSide; ++y) {
      const std::uint64_t row = dilated_row(voxels.data() + kSide * (y + kSide * z));
      const std::uint64_t s = gather_bits(row) << shift, w = gather_bits(row >> 1) << shift;
      (z < 8 ? solid[y].low : solid[y].high) |= s;
      (z < 8 ? water[y].low : water[y].high) |= w;
    }
  }
  ChunkMasks masks;
  for (std::size_t y = 0; y < kChunkSide; ++y) {
    masks.solid[y] = dilated_slice(solid[y], solid[y + 1], solid[y + 2]);
    masks.water[y] = dilated_slice(water[y], water[y + 1], water[y + 2]);
  }
  return masks;
}

void neighbourhood_of(const Samples& samples, IVec3 chunk, int water_level,
                      std::span<std::uint8_t, kNeighbourhoodCount> voxels) {
  const IVec3 first = neighbourhood_origin(chunk) - samples.lattice.origin;
  std::uint8_t* out = voxels.data();
  for (int k = 0; k < kNeighbourhoodSide; ++k) {
    for (int j = 0; j < kNeighbourhoodSide; ++j) {
      const bool wet = first.y + j + samples.lattice.origin.y < water_level;
      for (int i = 0; i < kNeighbourhoodSide; ++i) {
        const bool solid = samples.solid.at(first.x + i, first.y + j, first.z + k);
        *out++ = solid ? kSolid : wet ? kWater : kAir;
      }
    }
  }
}

IBox chunks_of(const IBox& voxels) {
  IBox chunks;
  for (int axis = 0; axis < 3; ++axis) {
    chunks.lo[axis] = floor_div(voxels.lo[axis], kChunkSide);
    chunks.hi[axis] = ceil_div(voxels.hi[axis], kChunkSide);
  }
  return chunks;
}

void MaskMap::set(IVec3 chunk, const ChunkMasks& masks) {
  const std::uint32_t old = table_.get(chunk);
  std::uint32_t place = old >> kPlaceShift;
  const std::uint32_t solid = fullness(masks.solid), water = fullness(masks.water);
  if (solid == kSome || water == kSome) {
    if (place == 0) {
      if (free_.empty()) {
        masks_.emplace_back();
        place = static_cast<std::uint32_t>(masks_.size());
      } else {
        place = free_.back() + 1;
        free_.pop_back();
      }
    }
    masks_[place - 1] = masks;
  } else if (place != 0) {
    free_.push_back(place - 1);
    place = 0;
  }
  table_.set(chunk, solid | water << kWaterShift | place << kPlaceShift);
}

ChunkMasks MaskMap::get(IVec3 chunk) const {
  const std::uint32_t entry = table_.get(chunk);
  if (entry >> kPlaceShift != 0) return masks_[(entry >> kPlaceShift) - 1];
  return {uniform_mask((entry & 3) == kAll), uniform_mask((entry >> kWaterShift & 3) == kAll)};
}

std::uint8_t MaskMap::touched(const Box& box) const {
  std::uint8_t matter = 0;
  for_each_touched(box, [&](IVec3, std::uint8_t found) { matter |= found; });
  return matter;
}

void refresh(MaskMap& map, const IBox& chunks, const VoxelSource& source) {
  std::array<std::uint8_t, kNeighbourhoodCount> voxels;
  for (int c = chunks.lo.z; c < chunks.hi.z; ++c) {
    for (int b = chunks.lo.y; b < chunks.hi.y; ++b) {
      for (int a = chunks.lo.x; a < chunks.hi.x; ++a) {
        source(neighbourhood_origin({a, b, c}), voxels);
        map.set({a, b, c}, chunk_masks(voxels));
      }
    }
  }
}

}  // namespace talus
