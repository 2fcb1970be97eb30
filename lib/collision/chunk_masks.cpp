#include "collision/chunk_masks.h"

#include <algorithm>

namespace talus {

namespace {

/// All bits are alike.
bool uniform(const ChunkMask& mask) {
  return (mask[0] == 0 || mask[0] == ~0ull) &&
         std::all_of(mask.begin(), mask.end(),
                     [&](std::uint64_t slice) { return slice == mask[0]; });
}

ChunkMask uniform_mask(bool set) {
  ChunkMask mask;
  mask.fill(set ? ~0ull : 0);
  return mask;
}

}  // namespace

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

std::vector<ChunkMasks> MaskMap::shared_masks() {
  std::vector<ChunkMasks> masks;
  for (std::uint32_t matter = 0; matter < kShared; ++matter) {
    masks.push_back({uniform_mask(matter & kSolid), uniform_mask(matter & kWater)});
  }
  return masks;
}

void MaskMap::set(IVec3 chunk, const ChunkMasks& masks) {
  std::uint32_t place = table_.get(chunk);
  const bool own = place >= kShared;
  if (uniform(masks.solid) && uniform(masks.water)) {
    if (own) free_.push_back(place);
    place = static_cast<std::uint32_t>((masks.solid[0] & kSolid) | (masks.water[0] & kWater));
  } else {
    if (!own && free_.empty()) {
      place = static_cast<std::uint32_t>(masks_.size());
      masks_.emplace_back();
    } else if (!own) {
      place = free_.back();
      free_.pop_back();
    }
    masks_[place] = masks;
  }
  table_.set(chunk, place);
}

ChunkMasks MaskMap::get(IVec3 chunk) const {
  return masks_[table_.get(chunk)];
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
