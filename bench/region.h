// The region all terrain benchmarks share: 256^3 samples of preset hills around the showcase block.
#pragma once

#include "terrain/terrain.h"

namespace talus {

inline constexpr int kBenchSide = 256;
inline constexpr IVec3 kBenchOrigin(192, -64, -192);

inline Terrain bench_terrain() { return {make_preset({}), {}}; }

/// Its densities, worked out once.
inline const Samples& bench_samples() {
  static const Samples samples = [] {
    const Lattice lattice{kBenchOrigin, IVec3(kBenchSide), 1};
    std::vector<double> exact(lattice.count());
    densities(bench_terrain(), lattice, exact);
    std::vector<float> density(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) density[i] = density_to_float(exact[i]);
    return make_samples(lattice, std::move(density));
  }();
  return samples;
}

}  // namespace talus
