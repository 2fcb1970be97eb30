#include "voxel/samples.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace talus {

std::int64_t SolidBits::count() const {
  std::int64_t n = 0;
  for (const std::uint64_t word : words) n += std::popcount(word);
  return n;
}

SolidBits solid_bits(IVec3 size, std::span<const float> density) {
  SolidBits bits(size);
  const float* at = density.data();
  std::uint64_t* word = bits.words.data();
  for (std::int64_t row = 0; row < std::int64_t{size.y} * size.z; ++row) {
    for (int x = 0; x < size.x; x += 64, ++word) {
      const int n = std::min(64, size.x - x);
      // Eight at a time into a byte: a form that compilers turn into vector compares.
      for (int b = 0; b < n; b += 8) {
        const int m = std::min(8, n - b);
        std::uint64_t byte = 0;
        for (int i = 0; i < m; ++i) byte |= static_cast<std::uint64_t>(at[b + i] > 0) << i;
        *word |= byte << b;
      }
      at += n;
    }
  }
  return bits;
}

Samples make_samples(const Lattice& lattice, std::vector<float> density) {
  assert(density.size() == lattice.count());
  Samples samples{lattice, std::move(density), SolidBits(IVec3(0))};
  samples.solid = solid_bits(lattice.size, samples.density);
  return samples;
}

}  // namespace talus
