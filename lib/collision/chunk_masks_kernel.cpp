// Masks on vectors: the voxels of a neighbourhood become a string of 1000 bits, ten a row; sixteen
// bytes from where a slice starts hold all of its rows, and one shuffle and one multiplication
// bring eight of these to lanes of 16 bits, where the dilation is a handful of ORs and shifts.
#include "collision/chunk_masks.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/chunk_masks_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D8 = hn::FixedTag<std::uint8_t, 16>;
using D16 = hn::FixedTag<std::uint16_t, 8>;
using V16 = hn::Vec<D16>;

constexpr std::size_t kSlices = kNeighbourhoodSide, kRowBits = kNeighbourhoodSide;
constexpr std::size_t kSliceBits = kSlices * kRowBits;
/// The bits of all voxels, and as much more as the last slice's load reads.
using BitString = std::array<std::uint8_t, kNeighbourhoodCount / 8 + 4>;

/// Where the rows y to y + 7 of a slice are, when its first bit is bit `start` of its first byte:
/// the two bytes that hold row i go to lane i, and a product takes the row's ten bits to the top.
struct RowPlaces {
  alignas(16) std::array<std::uint8_t, 16> bytes{};
  alignas(16) std::array<std::uint16_t, 8> factor{};
};
constexpr RowPlaces rows_from(std::size_t y, std::size_t start) {
  RowPlaces places;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t bit = start + kRowBits * (y + i);
    places.bytes[2 * i] = static_cast<std::uint8_t>(bit / 8);
    places.bytes[2 * i + 1] = static_cast<std::uint8_t>(bit / 8 + 1);
    places.factor[i] = static_cast<std::uint16_t>(1u << (6 - bit % 8));
  }
  return places;
}
// By where slices start, 100 bits after one another; by how many rows further on.
constexpr RowPlaces kRows[2][3] = {{rows_from(0, 0), rows_from(1, 0), rows_from(2, 0)},
                                   {rows_from(0, 4), rows_from(1, 4), rows_from(2, 4)}};

/// Bit `matter` of every voxel.
HWY_INLINE HWY_ATTR void gather_bits(const std::uint8_t* voxels, std::uint8_t matter,
                                     BitString& bits) {
  const hn::CappedTag<std::uint8_t, 64> d;
  const std::size_t lanes = hn::Lanes(d);
  static_assert(kNeighbourhoodCount % 8 == 0);
  const auto bit = hn::Set(d, matter);
  for (std::size_t i = 0; i < kNeighbourhoodCount; i += lanes) {
    // The last one overlaps the one before.
    const std::size_t from = HWY_MIN(i, kNeighbourhoodCount - lanes);
    hn::StoreMaskBits(d, hn::TestBit(hn::LoadU(d, voxels + from), bit), bits.data() + from / 8);
  }
}

/// Rows y to y + 2 of slice z, ORed: lane y, from bit 6 on.
HWY_INLINE HWY_ATTR V16 slice_rows(const BitString& bits, std::size_t z) {
  const D8 d8;
  const D16 d16;
  const auto slice = hn::LoadU(d8, bits.data() + kSliceBits * z / 8);
  V16 rows = hn::Zero(d16);
  for (const RowPlaces& places : kRows[z % 2]) {
    const auto lanes = hn::TableLookupBytes(slice, hn::Load(d8, places.bytes.data()));
    rows = hn::Or(rows, hn::Mul(hn::BitCast(d16, lanes), hn::Load(d16, places.factor.data())));
  }
  return rows;
}

/// Eight vectors, one a slice of constant z, lanes y, to words: one a lane, a byte a slice.
HWY_INLINE HWY_ATTR void store_words(const V16* slices, ChunkMask& mask) {
  const D16 d16;
  const hn::Repartition<std::uint32_t, D16> d32;
  const hn::Repartition<std::uint64_t, D16> d64;
  V16 pair[4];
  for (std::size_t i = 0; i < 4; ++i) {
    pair[i] = hn::Or(slices[2 * i], hn::ShiftLeft<8>(slices[2 * i + 1]));
  }
  const auto store = [&](auto low, auto high, std::size_t y) HWY_ATTR {
    const auto a = hn::BitCast(d32, low), b = hn::BitCast(d32, high);
    hn::StoreU(hn::BitCast(d64, hn::InterleaveLower(d32, a, b)), d64, &mask[y]);
    hn::StoreU(hn::BitCast(d64, hn::InterleaveUpper(d32, a, b)), d64, &mask[y + 2]);
  };
  store(hn::InterleaveLower(d16, pair[0], pair[1]), hn::InterleaveLower(d16, pair[2], pair[3]), 0);
  store(hn::InterleaveUpper(d16, pair[0], pair[1]), hn::InterleaveUpper(d16, pair[2], pair[3]), 4);
}

HWY_INLINE HWY_ATTR void make_mask(const std::uint8_t* voxels, std::uint8_t matter,
                                   ChunkMask& mask) {
  BitString bits;
  gather_bits(voxels, matter, bits);
  V16 rows[kSlices], slices[kChunkSide];
  for (std::size_t z = 0; z < kSlices; ++z) rows[z] = slice_rows(bits, z);
  const V16 byte = hn::Set(D16(), 0xFF);
  for (std::size_t z = 0; z < kChunkSide; ++z) {
    const V16 over_z = hn::Or(hn::Or(rows[z], rows[z + 1]), rows[z + 2]);
    const V16 over_x = hn::Or(hn::Or(hn::ShiftRight<6>(over_z), hn::ShiftRight<7>(over_z)),
                              hn::ShiftRight<8>(over_z));
    slices[z] = hn::And(over_x, byte);
  }
  store_words(slices, mask);
}

HWY_ATTR void make_masks(const std::uint8_t* voxels, ChunkMasks& masks) {
  make_mask(voxels, kSolid, masks.solid);
  make_mask(voxels, kWater, masks.water);
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(make_masks);

ChunkMasks chunk_masks(std::span<const std::uint8_t, kNeighbourhoodCount> voxels) {
  ChunkMasks masks;
  HWY_DYNAMIC_DISPATCH(make_masks)(voxels.data(), masks);
  return masks;
}

}  // namespace talus
#endif
