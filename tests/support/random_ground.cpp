#include "support/random_ground.h"

#include <cmath>

namespace talus {

namespace {

double noise(IVec3 p, std::uint32_t seed) {
  std::uint32_t h = seed * 0x9E3779B9u ^ static_cast<std::uint32_t>(p.x) * 0x85EBCA6Bu ^
                    static_cast<std::uint32_t>(p.y) * 0xC2B2AE35u ^
                    static_cast<std::uint32_t>(p.z) * 0x27D4EB2Fu;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return h * 0x1p-31 - 1;
}

}  // namespace

Samples random_ground(const Lattice& lattice, std::uint32_t seed, double roughness) {
  std::vector<float> density;
  density.reserve(lattice.count());
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i) {
        const IVec3 p = lattice.origin + IVec3(i, j, k);
        const double hills = 5 * std::sin(0.21 * p.x + seed) * std::cos(0.17 * p.z);
        const double value = (1 - roughness) * (hills - p.y) + 4 * roughness * noise(p, seed);
        density.push_back(density_to_float(value));
      }
    }
  }
  return make_samples(lattice, std::move(density));
}

}  // namespace talus
