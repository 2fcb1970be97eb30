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
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "collision/chunk_table.h"
#include "core/box.h"
#include "voxel/samples.h"

namespace talus {

/// What fills a voxel: a sum of these.
using Matter = std::uint8_t;
inline constexpr Matter kAir = 0, kSolid = 1, kWater = 2;

inline constexpr int kNeighbourhoodSide = kChunkSide + 2;
inline constexpr std::size_t kNeighbourhoodCount = 1000;

using ChunkMask = std::array<std::uint64_t, kChunkSide>;
struct alignas(64) ChunkMasks {  // a cache line each
  ChunkMask solid{}, water{};
  bool operator==(const ChunkMasks&) const = default;
};

/// The masks of one chunk. Entries are sums of Matter. About 60 ns, on vectors of whatever width
/// there is.
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
  /// How many chunks keep masks of their own.
  std::size_t stored() const { return masks_.size() - kShared - free_.size(); }

 private:
  /// Chunks without a clear bit or without a set one share masks: those of air, rock, water and
  /// both are the first four, by the sum of their Matter.
  static constexpr std::uint32_t kShared = 4;

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
  static std::vector<ChunkMasks> shared_masks();
  /// For y0 and y1: ones in the slices y0 to y1.
  using Layers = std::array<std::array<ChunkMask, kChunkSide>, kChunkSide>;
  static constexpr Layers make_layers() {
    Layers layers{};
    for (std::size_t y0 = 0; y0 < kChunkSide; ++y0) {
      for (std::size_t y1 = y0; y1 < kChunkSide; ++y1) {
        for (std::size_t y = y0; y <= y1; ++y) layers[y0][y1][y] = ~0ull;
      }
    }
    return layers;
  }
  alignas(64) static const Layers kLayers;

  /// Two words at once, from a place that is a multiple of 16.
  using Two = std::uint64_t __attribute__((vector_size(16)));
  static Two two(const std::uint64_t* words) {
    Two loaded;
    std::memcpy(&loaded, __builtin_assume_aligned(words, sizeof(loaded)), sizeof(loaded));
    return loaded;
  }
  /// What a chunk has in some layers, at the bits of `slice`. Always all eight: no branch to guess.
  static std::uint8_t matter_of(const ChunkMasks& masks, const ChunkMask& layers,
                                std::uint64_t slice) {
    Two solid{}, water{};
    for (std::size_t y = 0; y < kChunkSide; y += 2) {
      const Two layer = two(&layers[y]);
      solid |= two(&masks.solid[y]) & layer;
      water |= two(&masks.water[y]) & layer;
    }
    const Two any = (Two{solid[0], water[0]} | Two{solid[1], water[1]}) & Two{slice, slice};
    return static_cast<std::uint8_t>((any[0] ? kSolid : 0) | (any[1] ? kWater : 0));
  }

  ChunkTable table_;  // of places in masks_
  std::vector<ChunkMasks> masks_ = shared_masks();
  std::vector<std::uint32_t> free_;  // places in masks_
};

alignas(64) inline constexpr MaskMap::Layers MaskMap::kLayers = MaskMap::make_layers();

/// Reads the voxels of a neighbourhood whose first voxel is given.
using VoxelSource =
    std::function<void(IVec3 first, std::span<std::uint8_t, kNeighbourhoodCount> voxels)>;
/// Makes the masks of these chunks anew.
void refresh(MaskMap& map, const IBox& chunks, const VoxelSource& source);

template <class Found>
void MaskMap::for_each_touched(const Box& box, const Found& found) const {
  const Span x = span_of(box.lo.x, box.hi.x), y = span_of(box.lo.y, box.hi.y),
             z = span_of(box.lo.z, box.hi.z);
  constexpr int kLast = kChunkSide - 1;
  const std::uint64_t first_columns = mask_columns(x.low, kLast),
                      last_columns = mask_columns(0, x.high);
  const ChunkTable::Page* page = nullptr;
  IVec3 key(0);
  bool known = false;
  for (int c = z.first; c <= z.last; ++c) {
    const std::uint64_t rows = mask_rows(c == z.first ? z.low : 0, c == z.last ? z.high : kLast);
    for (int b = y.first; b <= y.last; ++b) {
      const ChunkMask& layers = kLayers[static_cast<std::size_t>(b == y.first ? y.low : 0)]
                                       [static_cast<std::size_t>(b == y.last ? y.high : kLast)];
      for (int a = x.first; a <= x.last; ++a) {
        const IVec3 chunk(a, b, c);
        if (!known || ChunkTable::page_key(chunk) != key) {
          page = table_.page_of(chunk);
          key = ChunkTable::page_key(chunk);
          known = true;
        }
        if (!page) continue;
        const std::uint64_t slice =
            rows & (a == x.first ? first_columns : ~0ull) & (a == x.last ? last_columns : ~0ull);
        const std::uint8_t matter =
            matter_of(masks_[(*page)[ChunkTable::place_in_page(chunk)]], layers, slice);
        if (matter) found(chunk, matter);
      }
    }
  }
}

}  // namespace talus
