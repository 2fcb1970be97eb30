// What all collision benchmarks share: 128 x 64 x 128 m of terrain as one mesh and as chunks of 8^3
// m, and the same rays and boxes for everyone.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "bench/region.h"
#include "collision/chunk_table.h"
#include "collision/ray.h"
#include "meshing/mesher.h"

namespace talus {

/// On a machine with other work the mean says little: the row `least` has the times of the best of
/// twenty short runs (and, as that is a least value, too, the worst of the rates).
inline void best_of_many(benchmark::internal::Benchmark* bench) {
  bench->MinTime(0.02)->Repetitions(20)->ReportAggregatesOnly()->ComputeStatistics(
      "least", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); });
}

inline constexpr IBox kCollisionBox{{256, -32, -128}, {384, 32, 0}};

/// Hills made rough, so that there are about 200 000 triangles.
inline Samples collision_samples(const IBox& own) {
  const IBox box = with_apron(own);
  const Lattice lattice{box.lo, box.size(), 1};
  std::vector<float> density;
  density.reserve(lattice.count());
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i) {
        const Vec3 p = lattice.position(i, j, k);
        const double hills = 9 * std::sin(0.09 * p.x) * std::cos(0.07 * p.z) - p.y;
        const double caves =
            8 * std::sin(0.41 * p.x) * std::sin(0.37 * p.y + 1) * std::sin(0.43 * p.z);
        const double rough = 0.8 * std::sin(1.3 * p.x + 0.7 * p.z) * std::sin(1.1 * p.y);
        density.push_back(density_to_float(hills + 2.2 * caves + rough));
      }
    }
  }
  return make_samples(lattice, std::move(density));
}

inline const Mesh& whole_mesh() {
  static const Mesh kMesh = mesh_surface_nets(collision_samples(kCollisionBox), kCollisionBox);
  return kMesh;
}

struct ChunkMesh {
  IVec3 chunk{0};
  Mesh mesh;
};
inline const std::vector<ChunkMesh>& chunk_meshes() {
  static const std::vector<ChunkMesh> kMeshes = [] {
    std::vector<ChunkMesh> made;
    const IVec3 lo = kCollisionBox.lo / kChunkSide, hi = kCollisionBox.hi / kChunkSide;
    for (int c = lo.z; c < hi.z; ++c) {
      for (int b = lo.y; b < hi.y; ++b) {
        for (int a = lo.x; a < hi.x; ++a) {
          const IBox own{kChunkSide * IVec3(a, b, c), kChunkSide * IVec3(a + 1, b + 1, c + 1)};
          Mesh mesh = mesh_surface_nets(collision_samples(own), own);
          if (!mesh.empty()) made.push_back({{a, b, c}, std::move(mesh)});
        }
      }
    }
    return made;
  }();
  return kMeshes;
}

enum class RayKind { Incoherent, Coherent, Short };

/// 20 000 rays: anywhere to anywhere; a camera's grid; 10 m downward.
inline std::vector<Ray> bench_rays(RayKind kind) {
  constexpr int kCount = 20'000;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  const Vec3 lo(kCollisionBox.lo), size(kCollisionBox.size());
  const auto point = [&] { return lo + size * Vec3(unit(random), unit(random), unit(random)); };
  std::vector<Ray> rays;
  for (int i = 0; i < kCount; ++i) {
    Ray ray;
    if (kind == RayKind::Incoherent) {
      const Vec3 from = point(), to = point();
      ray = {from, to - from, 200};
    } else if (kind == RayKind::Coherent) {
      const Vec3 eye = lo + size * Vec3(0.5, 1.2, -0.2);
      const int column = i % 200, row = i / 200;
      ray = {eye, Vec3(column / 100.0 - 1, -0.1 - row / 100.0, 1), 200};
    } else {
      Vec3 from = point();
      from.y = lo.y + size.y * (0.3 + 0.5 * unit(random));
      ray = {from, Vec3(0, -1, 0), 10};
    }
    rays.push_back(ray);
  }
  return rays;
}

inline std::vector<Box> bench_boxes() {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Box> boxes;
  for (int i = 0; i < 20'000; ++i) {
    const Vec3 lo =
        Vec3(kCollisionBox.lo) +
        Vec3(kCollisionBox.size()) * Vec3(unit(random), 0.2 + 0.6 * unit(random), unit(random));
    boxes.push_back({lo, lo + Vec3(1)});
  }
  return boxes;
}

}  // namespace talus
