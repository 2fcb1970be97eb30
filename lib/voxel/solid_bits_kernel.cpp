// Densities to solid bits, solid bits to crossed cells, on the widest vectors the processor has.
#include <algorithm>
#include <cstring>

#include "voxel/crossed_cells.h"
#include "voxel/samples.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "voxel/solid_bits_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The next 8 or 16 densities: a bit for each that is above zero.
HWY_INLINE std::uint64_t signs_of_some(const float* at) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto zero = hn::Zero(d);
  std::uint8_t bytes[8] = {};
  if constexpr (kLanes >= 8) {
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, at), zero), bytes);
    return kLanes == 8 ? bytes[0] : static_cast<std::uint64_t>(bytes[0] | bytes[1] << 8);
  } else {
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, at), zero), bytes);
    const std::uint64_t low = bytes[0];
    hn::StoreMaskBits(d, hn::Gt(hn::LoadU(d, at + 4), zero), bytes);
    return low | static_cast<std::uint64_t>(bytes[0]) << 4;
  }
}

HWY_ATTR void signs(const float* at, std::size_t rows, int row_size, std::uint64_t* words) {
  constexpr int kSome = std::max<int>(8, hn::MaxLanes(hn::CappedTag<float, 16>()));
  for (std::size_t row = 0; row < rows; ++row) {
    for (int x = 0; x < row_size; x += 64, ++words) {
      const int n = std::min(64, row_size - x), whole = n / kSome * kSome;
      std::uint64_t word = 0;
      for (int b = 0; b < whole; b += kSome) word |= signs_of_some(at + b) << b;
      for (int b = whole; b < n; ++b) word |= static_cast<std::uint64_t>(at[b] > 0) << b;
      *words = word;
      at += n;
    }
  }
}

using DU = hn::ScalableTag<std::uint64_t>;
using VU = hn::Vec<DU>;

/// Steps between the words of neighbouring rows, along y and z.
struct Strides {
  std::size_t up, in, total;

  explicit Strides(const SolidBits& solid)
      : up(static_cast<std::size_t>(solid.words_per_row)),
        in(up * static_cast<std::size_t>(solid.size.y)),
        total(solid.words.size()) {}
  /// From a word to the furthest that its cells' corners are in.
  std::size_t reach() const { return up + in + 1; }
};

HWY_ATTR void crossed_cells(const SolidBits& solid, std::uint64_t* out) {
  const DU d;
  const Strides n(solid);
  const std::uint64_t* words = solid.words.data();
  const auto load = [&](std::size_t at) HWY_ATTR { return hn::LoadU(d, words + at); };
  std::size_t w = 0;
  for (; w + n.reach() + hn::Lanes(d) <= n.total; w += hn::Lanes(d)) {
    const VU a = load(w), b = load(w + n.up), c = load(w + n.in), e = load(w + n.in + n.up);
    const VU any = hn::Or(hn::Or(a, b), hn::Or(c, e));
    const VU all = hn::And(hn::And(a, b), hn::And(c, e));
    VU any_next = hn::ShiftRight<1>(any), all_next = hn::ShiftRight<1>(all);
    if (n.up > 1) {
      const VU f = load(w + 1), g = load(w + n.up + 1), h = load(w + n.in + 1),
               i = load(w + n.in + n.up + 1);
      any_next = hn::Or(any_next, hn::ShiftLeft<63>(hn::Or(hn::Or(f, g), hn::Or(h, i))));
      all_next = hn::Or(all_next, hn::ShiftLeft<63>(hn::And(hn::And(f, g), hn::And(h, i))));
    }
    hn::StoreU(hn::AndNot(hn::And(all, all_next), hn::Or(any, any_next)), d, out + w);
  }
  const auto at = [&](std::size_t i) { return i < n.total ? words[i] : 0; };
  for (; w < n.total; ++w) {
    const auto any = [&](std::size_t i) {
      return at(i) | at(i + n.up) | at(i + n.in) | at(i + n.in + n.up);
    };
    const auto all = [&](std::size_t i) {
      return at(i) & at(i + n.up) & at(i + n.in) & at(i + n.in + n.up);
    };
    out[w] =
        (any(w) | any(w) >> 1 | any(w + 1) << 63) & ~(all(w) & (all(w) >> 1 | all(w + 1) << 63));
  }
}

HWY_ATTR void corners(const SolidBits& solid, const std::uint64_t* cells, std::uint64_t* out) {
  const DU d;
  const Strides n(solid);
  const auto at = [&](std::size_t w, std::size_t back) { return w < back ? 0 : cells[w - back]; };
  const auto four = [&](std::size_t w, std::size_t back) {
    return at(w, back) | at(w, back + n.up) | at(w, back + n.in) | at(w, back + n.in + n.up);
  };
  std::size_t w = 0;
  for (; w < std::min(n.total, n.reach()); ++w) {
    out[w] = four(w, 0) | four(w, 0) << 1 | (n.up > 1 ? four(w, 1) >> 63 : 0);
  }
  const auto four_rows = [&](std::size_t at) HWY_ATTR {
    const auto load = [&](std::size_t back) HWY_ATTR { return hn::LoadU(d, cells + at - back); };
    return hn::Or(hn::Or(load(0), load(n.up)), hn::Or(load(n.in), load(n.in + n.up)));
  };
  for (; w + hn::Lanes(d) <= n.total; w += hn::Lanes(d)) {
    const VU here = four_rows(w);
    VU both = hn::Or(here, hn::ShiftLeft<1>(here));
    if (n.up > 1) both = hn::Or(both, hn::ShiftRight<63>(four_rows(w - 1)));
    hn::StoreU(both, d, out + w);
  }
  for (; w < n.total; ++w) {
    out[w] = four(w, 0) | four(w, 0) << 1 | (n.up > 1 ? four(w, 1) >> 63 : 0);
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(signs);
HWY_EXPORT(crossed_cells);
HWY_EXPORT(corners);

void find_solid(IVec3 size, std::span<const float> density, SolidBits& into) {
  into.reshape(size);
  const auto rows = static_cast<std::size_t>(size.y) * static_cast<std::size_t>(size.z);
  HWY_DYNAMIC_DISPATCH(signs)(density.data(), rows, size.x, into.words.data());
}

void find_crossed_cells(const SolidBits& solid, std::vector<std::uint64_t>& cells) {
  cells.resize(solid.words.size());
  HWY_DYNAMIC_DISPATCH(crossed_cells)(solid, cells.data());
  // What begins at the last sample along an axis is no cell, and what was found there nothing.
  const auto n = static_cast<std::size_t>(solid.words_per_row);
  const std::uint64_t last_word = (1ull << ((solid.size.x - 1) % 64)) - 1;
  for (int z = 0; z < solid.size.z; ++z) {
    for (int y = 0; y + 1 < solid.size.y; ++y) cells[solid.row(y, z) + n - 1] &= last_word;
    std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(solid.row(solid.size.y - 1, z)), n, 0);
  }
  std::fill(cells.begin() + static_cast<std::ptrdiff_t>(solid.row(0, solid.size.z - 1)),
            cells.end(), 0);
}

void find_corners_of(const SolidBits& solid, const std::vector<std::uint64_t>& cells,
                     std::vector<std::uint64_t>& corners) {
  corners.resize(solid.words.size());
  HWY_DYNAMIC_DISPATCH(corners)(solid, cells.data(), corners.data());
}

}  // namespace talus
#endif
