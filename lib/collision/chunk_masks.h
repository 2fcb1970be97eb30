// The broad phase of the ground: which voxels of a chunk can hold surface, one bit each for rock
// and for water, found without meshing.
//
// A bit is set where the voxel or any of its 26 neighbours is solid (or water), because the
// meshers' triangles spill over into the next voxel: no triangle of surface nets, marching cubes or
// blocks touches a voxel whose solid bit is clear. Masks therefore read the chunk's true 10^3
// neighbourhood, over its borders; an edit changes the masks of every chunk that sees it.
//
//   a mask: 8 words, one a slice of constant y          word y, bit x + 8 z
//   a neighbourhood: 10^3 voxels from the chunk's first voxel - (1, 1, 1), x fastest, then y, then
//   z
//
// After the published voxel physics of a large game platform: dilation by shifts and ORs, queries
// by one AND a slice. Chunks that are all clear or all set keep no mask: at most 2 bits a voxel.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collision/chunk_table.h"
#include "core/box.h"
#include "voxel/samples.h"

namespace talus {

/// What fills a voxel: a sum of these.
enum Matter : std::uint8_t { kAir = 0, kSolid = 1, kWater = 2 };

inline constexpr int kNeighbourhoodSide = kChunkSide + 2;
inline constexpr std::size_t kNeighbourhoodCount = 1000;

using ChunkMask = std::array<std::uint64_t, kChunkSide>;
struct ChunkMasks {
  ChunkMask solid{}, water{};
  bool operator==(const ChunkMasks&) const = default;
};

/// The masks of one chunk. Entries are sums of Matter. About 100 ns.
ChunkMasks chunk_masks(std::span<const std::uint8_t, kNeighbourhoodCount> voxels);

/// The first voxel of a chunk's neighbourhood.
inline IVec3 neighbourhood_origin(IVec3 chunk) {
  return kChunkSide * chunk - IVec3(1);
}
/// Rock and water of a chunk's neighbourhood out of samples that cover it: solid samples, and water
/// in all others below `water_level` (whole metres; the voxel (i, j, k) is the sample's).
void neighbourhood_of(const Samples& samples, IVec3 chunk, int water_level,
                      std::span<std::uint8_t, kNeighbourhoodCount> voxels);

/// The chunks that hold a voxel of the box.
IBox chunks_of(const IBox& voxels);
/// The chunks whose masks see a voxel of the box: its own and those that border on it.
inline IBox chunks_seeing(const IBox& voxels) {
  return chunks_of({voxels.lo - IVec3(1), voxels.hi + IVec3(1)});
}

/// The bits of a slice with x in [x0, x1] and z in [z0, z1]: columns(x0, x1) & rows(z0, z1).
inline std::uint64_t mask_columns(int x0, int x1) {
  return ((2ull << x1) - (1ull << x0)) * 0x0101010101010101;
}
inline std::uint64_t mask_rows(int z0, int z1) {
  return ~0ull << (8 * z0) & ~0ull >> (8 * (kChunkSide - 1 - z1));
}

/// The masks of a world.
class MaskMap {
 public:
  /// Sets or replaces the masks of a chunk.
  void set(IVec3 chunk, const ChunkMasks& masks);
  ChunkMasks get(IVec3 chunk) const;

  /// What of the world the box touches: a sum of Matter.
  std::uint8_t touched(const Box& box) const;
  /// Calls found(chunk, matter) for every chunk with a set bit that the box touches, chunks in
  /// order of z, y, x. A box that ends exactly on a voxel's face touches that voxel.
  template <class Found>
  void for_each_touched(const Box& box, const Found& found) const;

  /// Bytes kept, tables and all.
  std::size_t bytes() const {
    return table_.bytes() + masks_.capacity() * sizeof(ChunkMasks) +
           free_.capacity() * sizeof(std::uint32_t);
  }
  /// How many chunks keep masks.
  std::size_t stored() const { return masks_.size() - free_.size(); }

 private:
  /// A chunk's entry: for each Matter two bits (none, some, all), then the masks' place + 1.
  static constexpr std::uint32_t kNone = 0, kSome = 1, kAll = 2;
  static constexpr int kWaterShift = 2, kPlaceShift = 4;

  struct Span {  // of chunks along an axis, and the voxels touched in the first and the last
    int first, last, low, high;
  };
  static Span span_of(double lo, double hi) {
    if (!(lo <= hi)) return {0, -1, 0, 0};
    const int first = clamped_floor(lo), last = clamped_floor(hi);
    return {first >> 3, last >> 3, first & 7, last & 7};
  }
  /// Coordinates outside what IVec3 can count are as far as it goes.
  static int clamped_floor(double value) {
    return static_cast<int>(std::floor(std::clamp(value, -2e9, 2e9)));
  }
  /// What is anywhere in a chunk.
  static std::uint8_t matter_of(std::uint32_t entry) {
    return static_cast<std::uint8_t>((entry & 3 ? kSolid : 0) |
                                     (entry >> kWaterShift & 3 ? kWater : 0));
  }
  static std::uint8_t matter_of(const ChunkMasks& masks, std::uint64_t slice, int y0, int y1) {
    std::uint64_t solid = 0, water = 0;
    for (int y = y0; y <= y1; ++y) {
      solid |= masks.solid[static_cast<std::size_t>(y)];
      water |= masks.water[static_cast<std::size_t>(y)];
    }
    return static_cast<std::uint8_t>((solid & slice ? kSolid : 0) | (water & slice ? kWater : 0));
  }

  ChunkTable table_;
  std::vector<ChunkMasks> masks_;
  std::vector<std::uint32_t> free_;  // places in masks_
};

/// Reads the voxels of a neighbourhood whose first voxel is given.
using VoxelSource =
    std::function<void(IVec3 first, std::span<std::uint8_t, kNeighbourhoodCount> voxels)>;
/// Makes the masks of these chunks anew.
void refresh(MaskMap& map, const IBox& chunks, const VoxelSource& source);

template <class Found>
void MaskMap::for_each_touched(const Box& box, const Found& found) const {
  const Span x = span_of(box.lo.x, box.hi.x), y = span_of(box.lo.y, box.hi.y),
             z = span_of(box.lo.z, box.hi.z);
  const ChunkTable::Page* page = nullptr;
  IVec3 key(0);
  bool known = false;
  for (int c = z.first; c <= z.last; ++c) {
    const std::uint64_t rows =
        mask_rows(c == z.first ? z.low : 0, c == z.last ? z.high : kChunkSide - 1);
    for (int b = y.first; b <= y.last; ++b) {
      const int y0 = b == y.first ? y.low : 0, y1 = b == y.last ? y.high : kChunkSide - 1;
      for (int a = x.first; a <= x.last; ++a) {
        const IVec3 chunk(a, b, c);
        if (!known || ChunkTable::page_key(chunk) != key) {
          page = table_.page_of(chunk);
          key = ChunkTable::page_key(chunk);
          known = true;
        }
        if (!page) continue;
        const std::uint32_t entry = (*page)[ChunkTable::place_in_page(chunk)];
        if (entry == 0) continue;
        std::uint8_t matter = matter_of(entry);
        if (const std::uint32_t place = entry >> kPlaceShift; place != 0) {
          const std::uint64_t slice =
              rows & mask_columns(a == x.first ? x.low : 0, a == x.last ? x.high : kChunkSide - 1);
          if (slice != ~0ull || y1 - y0 != kChunkSide - 1) {
            matter = matter_of(masks_[place - 1], slice, y0, y1);
          }
        }
        if (matter) found(chunk, matter);
      }
    }
  }
}

}  // namespace talus
