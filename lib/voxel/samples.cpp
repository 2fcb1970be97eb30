#include "voxel/samples.h"

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
  SolidBits bits;
  find_solid(size, density, bits);
  return bits;
}

Samples make_samples(const Lattice& lattice, std::vector<float> density) {
  assert(density.size() == lattice.count());
  Samples samples{lattice, std::move(density), SolidBits(IVec3(0))};
  samples.solid = solid_bits(lattice.size, samples.density);
  return samples;
}

}  // namespace talus
