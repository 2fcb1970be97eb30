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
  /// The first chunk after this one, along an axis, of another page.
  static int page_end(int chunk) { return (chunk | (ChunkTable::kPageSide - 1)) + 1; }
  /// The voxels of a chunk from one place to another along an axis. Along y: ones in their slices;
  /// along x and z: their bits of a slice, twice.
  struct alignas(64) Cut {
    ChunkMask layers{};
    std::array<std::uint64_t, 2> columns{}, rows{};
  };
  using Cuts = std::array<std::array<Cut, kChunkSide>, kChunkSide>;
  static constexpr Cuts make_cuts() {
    Cuts cuts{};
    for (std::size_t first = 0; first < kChunkSide; ++first) {
      for (std::size_t last = first; last < kChunkSide; ++last) {
        Cut& cut = cuts[first][last];
        for (std::size_t i = first; i <= last; ++i) {
          cut.layers[i] = ~0ull;
          for (std::uint64_t& word : cut.columns) word |= 0x0101010101010101ull << i;
          for (std::uint64_t& word : cut.rows) word |= 0xFFull << 8 * i;
        }
      }
    }
    return cuts;
  }
  static const Cuts kCuts;
  static const Cut& cut(int first, int last) {
    return kCuts[static_cast<std::size_t>(first)][static_cast<std::size_t>(last)];
  }

  /// Two words at once, from a place that is a multiple of 16.
  using Two = std::uint64_t __attribute__((vector_size(16)));
  static Two two(const std::uint64_t* words) {
    Two loaded;
    std::memcpy(&loaded, __builtin_assume_aligned(words, sizeof(loaded)), sizeof(loaded));
    return loaded;
  }
  /// What a chunk has in some layers, at the bits of `slice`. Always all eight: no branch to guess.
  static Matter matter_in(const ChunkMasks& masks, const ChunkMask& layers, Two slice) {
    Two solid{}, water{};
    for (std::size_t y = 0; y < kChunkSide; y += 2) {
      const Two layer = two(&layers[y]);
      solid |= two(&masks.solid[y]) & layer;
      water |= two(&masks.water[y]) & layer;
    }
    return matter_at(slice, solid, water);
  }
  /// What it has there in any layer.
  static Matter matter_in(const ChunkMasks& masks, Two slice) {
    Two solid{}, water{};
    for (std::size_t y = 0; y < kChunkSide; y += 2) {
      solid |= two(&masks.solid[y]);
      water |= two(&masks.water[y]);
    }
    return matter_at(slice, solid, water);
  }
  static Matter matter_at(Two slice, Two solid, Two water) {
    const Two any = (Two{solid[0], water[0]} | Two{solid[1], water[1]}) & slice;
    return static_cast<Matter>((any[0] ? kSolid : 0) | (any[1] ? kWater : 0));
  }

  /// The bits of a slice, twice, that a box touches in a row's first chunk, its last, and between.
  struct Slices {
    Two first, between, last;
  };
  /// Calls found for the chunks of a row in which matter_of(masks, slice) is something; `page` is
  /// that of the first one.
  template <class MatterOf, class Found>
  void search_row(const Span& x, int b, int c, const ChunkTable::Page* page, const Slices& slices,
                  const MatterOf& matter_of, const Found& found) const;

  ChunkTable table_;  // of places in masks_
  std::vector<ChunkMasks> masks_ = shared_masks();
  std::vector<std::uint32_t> free_;  // places in masks_
};

inline constexpr MaskMap::Cuts MaskMap::kCuts = MaskMap::make_cuts();

/// Reads the voxels of a neighbourhood whose first voxel is given.
using VoxelSource =
    std::function<void(IVec3 first, std::span<std::uint8_t, kNeighbourhoodCount> voxels)>;
/// Makes the masks of these chunks anew.
void refresh(MaskMap& map, const IBox& chunks, const VoxelSource& source);

template <class MatterOf, class Found>
void MaskMap::search_row(const Span& x, int b, int c, const ChunkTable::Page* page,
                         const Slices& slices, const MatterOf& matter_of,
                         const Found& found) const {
  Two slice = slices.first;
  for (int a = x.first;;) {
    const int end = std::min(page_end(a), x.last + 1);
    if (page) {
      const std::uint32_t* place = &(*page)[ChunkTable::place_in_page({a, b, c})];
      while (true) {
        const Matter matter = matter_of(masks_[*place++], slice);
        if (matter) found(IVec3(a, b, c), matter);
        if (++a == end) break;
        slice = a == x.last ? slices.last : slices.between;
      }
    }
    if (end > x.last) return;
    a = end;
    slice = a == x.last ? slices.last : slices.between;
    page = table_.page_of({a, b, c});
  }
}

template <class Found>
void MaskMap::for_each_touched(const Box& box, const Found& found) const {
  const Span x = span_of(box.lo.x, box.hi.x), y = span_of(box.lo.y, box.hi.y),
             z = span_of(box.lo.z, box.hi.z);
  if (x.first > x.last) return;
  if (((x.first ^ x.last) | (y.first ^ y.last) | (z.first ^ z.last)) == 0) {
    const Two slice = two(cut(x.low, x.high).columns.data()) & two(cut(z.low, z.high).rows.data());
    const IVec3 chunk(x.first, y.first, z.first);
    const Matter matter = matter_in(masks_[table_.get(chunk)], cut(y.low, y.high).layers, slice);
    if (matter) found(chunk, matter);
    return;
  }
  constexpr int kLast = kChunkSide - 1;
  const Two first_columns = two(cut(x.low, x.first == x.last ? x.high : kLast).columns.data()),
            last_columns = two(cut(0, x.high).columns.data());
  for (int c = z.first; c <= z.last; ++c) {
    const Cut& z_cut = cut(c == z.first ? z.low : 0, c == z.last ? z.high : kLast);
    const Two rows = two(z_cut.rows.data());
    const Slices slices{rows & first_columns, rows, rows & last_columns};
    const ChunkTable::Page* page = nullptr;  // of the first chunk of a row
    for (int b = y.first; b <= y.last; ++b) {
      if (b == y.first || b == page_end(b - 1)) page = table_.page_of({x.first, b, c});
      if (b != y.first && b != y.last) {
        const auto in_any = [](const ChunkMasks& masks, Two slice) {
          return matter_in(masks, slice);
        };
        search_row(x, b, c, page, slices, in_any, found);
      } else {
        const Cut& y_cut = cut(b == y.first ? y.low : 0, b == y.last ? y.high : kLast);
        const auto in_some = [&](const ChunkMasks& masks, Two slice) {
          return matter_in(masks, y_cut.layers, slice);
        };
        search_row(x, b, c, page, slices, in_some, found);
      }
    }
  }
}

}  // namespace talus
