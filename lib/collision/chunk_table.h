// One small number for every chunk of an unbounded world: pages of 8^3 chunks, found by hashing.
//
// A chunk is a cube of kChunkSide voxels; voxel (i, j, k) is the cube [i, i+1) x [j, j+1) x
// [k, k+1) metres, and chunk (a, b, c) holds the voxels from kChunkSide * (a, b, c) on. Chunks
// never set read as 0. Looking one up costs a few nanoseconds; memory is 2 KiB for each page in
// use.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/grid.h"
#include "core/vec.h"

namespace talus {

inline constexpr int kChunkSide = 8;

class ChunkTable {
 public:
  static constexpr int kPageSide = 8;
  /// The chunks of a page, x fastest, then y, then z.
  using Page = std::array<std::uint32_t, kPageSide * kPageSide * kPageSide>;

  /// The page of a chunk, or null: one look-up serves all its chunks.
  const Page* page_of(IVec3 chunk) const {
    if (slots_.empty()) return nullptr;
    const std::uint32_t page = slots_[slot_of(page_key(chunk))].page;
    return page == kNone ? nullptr : &pages_[page];
  }
  static std::size_t place_in_page(IVec3 chunk) {
    constexpr int kMask = kPageSide - 1;
    return static_cast<std::size_t>(
        (chunk.x & kMask) | kPageSide * ((chunk.y & kMask) | kPageSide * (chunk.z & kMask)));
  }
  static IVec3 page_key(IVec3 chunk) { return {chunk.x >> 3, chunk.y >> 3, chunk.z >> 3}; }

  std::uint32_t get(IVec3 chunk) const {
    const Page* page = page_of(chunk);
    return page ? (*page)[place_in_page(chunk)] : 0;
  }
  void set(IVec3 chunk, std::uint32_t value);
  std::size_t bytes() const {
    return slots_.capacity() * sizeof(Slot) + pages_.capacity() * sizeof(Page);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Slot {
    IVec3 key{0};
    std::uint32_t page = kNone;
  };

  /// Where the key is, or the free slot where it would go.
  std::size_t slot_of(IVec3 key) const {
    const std::uint64_t mixed = (static_cast<std::uint32_t>(key.x) * 0x9E3779B97F4A7C15ull) ^
                                (static_cast<std::uint32_t>(key.y) * 0xC2B2AE3D27D4EB4Full) ^
                                (static_cast<std::uint32_t>(key.z) * 0x165667B19E3779F9ull);
    std::size_t slot = static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    while (slots_[slot].page != kNone && slots_[slot].key != key) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half in use
  std::vector<Page> pages_;
};

}  // namespace talus
