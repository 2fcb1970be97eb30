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

#include <array>
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
  static Span span_of(double lo, double hi);
  static std::uint8_t matter_of(const ChunkMasks& masks, std::uint64_t slice, int y0, int y1);

  ChunkTable table_;
  std::vector<ChunkMasks> masks_;
  std::vector<std::uint32_t> free_;  // places in masks_
};

/// Reads the voxels of a neighbourhood whose first voxel is given.
using VoxelSource =
    std::function<void(IVec3 first, std::span<std::uint8_t, kNeighbourhoodCount> voxels)>;
/// Makes the masks of these chunks anew.
void refresh(MaskMap& map, const IBox& chunks, const VoxelSource& source);

/// The bits of a slice with x in [x0, x1] and z in [z0, z1]: columns(x0, x1) & rows(z0, z1).
std::uint64_t mask_columns(int x0, int x1);
std::uint64_t mask_rows(int z0, int z1);

template <class Found>
void MaskMap::for_each_touched(const Box& box, const Found& found) const {
  const Span x = span_of(box.lo.x, box.hi.x), y = span_of(box.lo.y, box.hi.y),
             z = span_of(box.lo.z, box.hi.z);
  const ChunkTable::Page* page = nullptr;
  IVec3 key(0);
  bool known = false;
  for (int c = z.first; c <= z.last; ++c) {
    const int z0 = c == z.first ? z.low : 0, z1 = c == z.last ? z.high : kChunkSide - 1;
    const std::uint64_t rows = mask_rows(z0, z1);
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
        const int x0 = a == x.first ? x.low : 0, x1 = a == x.last ? x.high : kChunkSide - 1;
        const std::uint64_t slice = rows & mask_columns(x0, x1);
        const bool whole = slice == ~0ull && y1 - y0 == kChunkSide - 1;
        const std::uint32_t solid = entry & 3, water = entry >> kWaterShift & 3;
        std::uint8_t matter = 0;
        if (whole || entry >> kPlaceShift == 0) {
          matter = static_cast<std::uint8_t>((solid ? kSolid : 0) | (water ? kWater : 0));
        } else {
          matter = matter_of(masks_[(entry >> kPlaceShift) - 1], slice, y0, y1);
        }
        if (matter) found(chunk, matter);
      }
    }
  }
}

}  // namespace talus
