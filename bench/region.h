// The region all terrain benchmarks share: 256^3 samples of preset hills around the showcase block.
#pragma once

#include "meshing/mesher.h"
#include "terrain/terrain.h"

namespace talus {

inline constexpr int kBenchSide = 256;
inline constexpr IVec3 kBenchOrigin(192, -64, -192);

inline Terrain bench_terrain() {
  return {make_preset({}), {}};
}

/// Its densities, worked out once.
inline const Samples& bench_samples() {
  static const Samples kSamples = [] {
    const Lattice lattice{kBenchOrigin, IVec3(kBenchSide), 1};
    std::vector<double> exact(lattice.count());
    densities(bench_terrain(), lattice, exact);
    std::vector<float> density(exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) density[i] = density_to_float(exact[i]);
    return make_samples(lattice, std::move(density));
  }();
  return kSamples;
}

inline constexpr IBox kBenchOwn{kBenchOrigin + IVec3(kApron),
                                kBenchOrigin + IVec3(kBenchSide - kApron)};

/// Its surface nets as one mesh, made once.
inline const Mesh& bench_mesh() {
  static const Mesh kMesh = mesh_surface_nets(bench_samples(), kBenchOwn);
  return kMesh;
}

/// The chunk around the showcase block.
inline const Mesh& bench_chunk_mesh() {
  static const Mesh kMesh = [] {
    const IBox own{{288, 0, -64}, {320, 32, -32}}, box = with_apron(own);
    Samples samples;
    surface_samples(bench_terrain(), Lattice{box.lo, box.size(), 1}, samples);
    return mesh_surface_nets(samples, own);
  }();
  return kMesh;
}

}  // namespace talus
