// Masks, trees, rays and boxes of the ground; bullet_bench and embree_bench ask the same of peers.
#include <array>
#include <memory>

#include <benchmark/benchmark.h>

#include "bench/collision_scene.h"
#include "collision/chunk_masks.h"
#include "collision/loose_kd.h"
#include "collision/ray_chunks.h"
#include "collision/wide_bvh.h"

namespace talus {
namespace {

/// Trees of all chunks, found as TerrainTriangles finds them.
struct Chunks {
  ChunkTable table;
  std::vector<LooseKd> trees;

  Chunks() {
    for (const ChunkMesh& each : chunk_meshes()) {
      trees.emplace_back(each.mesh);
      table.set(each.chunk, static_cast<std::uint32_t>(trees.size()));
    }
  }
  bool first_hit(const RayFrame& ray, NearHit& best) const {
    best.t = static_cast<float>(ray.reach / kVertexGrid);
    const LooseKd* where = nullptr;
    walk_chunks(ray, ray.reach, [&](IVec3 chunk) {
      const std::uint32_t place = table.get(chunk);
      if (place != 0 && trees[place - 1].trace(ray, best)) where = &trees[place - 1];
      return where ? best.t * kVertexGrid : ray.reach;
    });
    if (where) benchmark::DoNotOptimize(where->exact(ray, best));
    return where;
  }
};

void count(benchmark::State& state, std::size_t items, std::size_t found) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
  state.counters["found"] = static_cast<double>(found);
}

void talus_build_chunks(benchmark::State& state) {
  std::size_t triangles = 0, bytes = 0;
  for (const ChunkMesh& each : chunk_meshes()) {
    triangles += each.mesh.triangle_count();
    bytes += LooseKd(each.mesh).bytes();
  }
  std::vector<LooseKd> trees(chunk_meshes().size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < trees.size(); ++i) trees[i] = LooseKd(chunk_meshes()[i].mesh);
  }
  state.counters["triangles"] = static_cast<double>(triangles);
  state.counters["bytes_a_triangle"] = static_cast<double>(bytes) / static_cast<double>(triangles);
}
BENCHMARK(talus_build_chunks)->Unit(benchmark::kMillisecond)->Apply(best_of_many);

void talus_rays_chunks(benchmark::State& state, RayKind kind) {
  static const Chunks kChunks;
  const std::vector<Ray> rays = bench_rays(kind);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    NearHit best;
    for (const Ray& ray : rays) found += kChunks.first_hit(*make_ray_frame(ray), best);
  }
  count(state, rays.size(), found);
}
BENCHMARK_CAPTURE(talus_rays_chunks, incoherent, RayKind::Incoherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(talus_rays_chunks, coherent, RayKind::Coherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(talus_rays_chunks, short, RayKind::Short)->Apply(best_of_many);

void talus_boxes_chunks(benchmark::State& state) {
  static const Chunks kChunks;
  const std::vector<Box> boxes = bench_boxes();
  std::vector<std::uint32_t> triangles;
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Box& box : boxes) {
      const ChunkSpan x = chunk_span(box.lo.x, box.hi.x), y = chunk_span(box.lo.y, box.hi.y),
                      z = chunk_span(box.lo.z, box.hi.z);
      for (int c = z.first; c <= z.last; ++c) {
        for (int b = y.first; b <= y.last; ++b) {
          for (int a = x.first; a <= x.last; ++a) {
            const std::uint32_t place = kChunks.table.get({a, b, c});
            if (place == 0) continue;
            triangles.clear();
            kChunks.trees[place - 1].touched(box, triangles);
            found += triangles.size();
          }
        }
      }
    }
  }
  count(state, boxes.size(), found);
}
BENCHMARK(talus_boxes_chunks)->Apply(best_of_many);

void talus_build_whole(benchmark::State& state) {
  const WideBvh tree(whole_mesh());
  for (auto _ : state) benchmark::DoNotOptimize(WideBvh(whole_mesh()));
  const auto triangles = static_cast<double>(whole_mesh().triangle_count());
  state.counters["triangles"] = triangles;
  state.counters["bytes_a_triangle"] = static_cast<double>(tree.bytes()) / triangles;
  state.counters["tree_bytes_a_triangle"] = static_cast<double>(tree.tree_bytes()) / triangles;
}
BENCHMARK(talus_build_whole)->Unit(benchmark::kMillisecond)->Apply(best_of_many);

void talus_rays_whole(benchmark::State& state, RayKind kind) {
  static const WideBvh kTree(whole_mesh());
  const std::vector<Ray> rays = bench_rays(kind);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Ray& ray : rays) found += kTree.first_hit(*make_ray_frame(ray)).has_value();
  }
  count(state, rays.size(), found);
}
BENCHMARK_CAPTURE(talus_rays_whole, incoherent, RayKind::Incoherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(talus_rays_whole, coherent, RayKind::Coherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(talus_rays_whole, short, RayKind::Short)->Apply(best_of_many);

void talus_boxes_whole(benchmark::State& state) {
  static const WideBvh kTree(whole_mesh());
  const std::vector<Box> boxes = bench_boxes();
  std::vector<std::uint32_t> triangles;
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Box& box : boxes) {
      triangles.clear();
      kTree.touched(box, triangles);
      found += triangles.size();
    }
  }
  count(state, boxes.size(), found);
}
BENCHMARK(talus_boxes_whole)->Apply(best_of_many);

// --- the bit broad phase ---

using Neighbourhood = std::array<std::uint8_t, kNeighbourhoodCount>;

std::vector<Neighbourhood> neighbourhoods() {
  const IVec3 chunks = kCollisionBox.size() / kChunkSide;
  const Samples samples = collision_samples(kCollisionBox);
  std::vector<Neighbourhood> all;
  for (int i = 0; i < chunks.x * chunks.y * chunks.z; ++i) {
    const IVec3 chunk = kCollisionBox.lo / kChunkSide +
                        IVec3(i % chunks.x, i / chunks.x % chunks.y, i / chunks.x / chunks.y);
    neighbourhood_of(samples, chunk, -4, all.emplace_back());
  }
  return all;
}

const MaskMap& mask_map() {
  static const MaskMap kMap = [] {
    MaskMap made;
    const IVec3 chunks = kCollisionBox.size() / kChunkSide;
    const auto all = neighbourhoods();
    for (int i = 0; i < chunks.x * chunks.y * chunks.z; ++i) {
      made.set(kCollisionBox.lo / kChunkSide +
                   IVec3(i % chunks.x, i / chunks.x % chunks.y, i / chunks.x / chunks.y),
               chunk_masks(all[static_cast<std::size_t>(i)]));
    }
    return made;
  }();
  return kMap;
}

void talus_masks(benchmark::State& state) {
  const auto all = neighbourhoods();
  for (auto _ : state) {
    for (const Neighbourhood& voxels : all) benchmark::DoNotOptimize(chunk_masks(voxels));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}
BENCHMARK(talus_masks)->Apply(best_of_many);

std::vector<Box> mask_boxes(double edge) {
  std::vector<Box> boxes = bench_boxes();
  for (Box& box : boxes) {
    box.lo = glm::min(box.lo, Vec3(kCollisionBox.hi) - Vec3(edge));
    box.hi = box.lo + Vec3(edge);
  }
  return boxes;
}

void talus_mask_boxes(benchmark::State& state) {
  const std::vector<Box> boxes = mask_boxes(static_cast<double>(state.range(0)));
  const MaskMap& map = mask_map();
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Box& box : boxes) map.for_each_touched(box, [&](IVec3, std::uint8_t) { ++found; });
  }
  count(state, boxes.size(), found);
}
BENCHMARK(talus_mask_boxes)->Arg(1)->Arg(4)->Arg(8)->Arg(20)->Apply(best_of_many);

/// The plain loop: one byte a voxel, dilated; every voxel of the box is looked at.
void plain_mask_boxes(benchmark::State& state) {
  const std::vector<Box> boxes = mask_boxes(static_cast<double>(state.range(0)));
  const IVec3 size = kCollisionBox.size();
  const Lattice lattice{kCollisionBox.lo, size, 1};
  std::vector<std::uint8_t> bytes(lattice.count());
  for (int k = 0; k < size.z; ++k) {
    for (int j = 0; j < size.y; ++j) {
      for (int i = 0; i < size.x; ++i) {
        const IVec3 v = kCollisionBox.lo + IVec3(i, j, k);
        const ChunkMasks masks = mask_map().get({v.x >> 3, v.y >> 3, v.z >> 3});
        const int bit = (v.x & 7) + 8 * (v.z & 7);
        const auto y = static_cast<std::size_t>(v.y & 7);
        bytes[lattice.index(i, j, k)] = static_cast<std::uint8_t>((masks.solid[y] >> bit & 1) |
                                                                  (masks.water[y] >> bit & 1) << 1);
      }
    }
  }
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Box& box : boxes) {
      const IVec3 lo = glm::max(IVec3(glm::floor(box.lo)) - lattice.origin, IVec3(0));
      const IVec3 hi = glm::min(IVec3(glm::floor(box.hi)) - lattice.origin, size - IVec3(1));
      for (int c = lo.z >> 3; c <= hi.z >> 3; ++c) {
        for (int b = lo.y >> 3; b <= hi.y >> 3; ++b) {
          for (int a = lo.x >> 3; a <= hi.x >> 3; ++a) {
            std::uint8_t matter = 0;
            for (int k = std::max(lo.z, 8 * c); k <= std::min(hi.z, 8 * c + 7); ++k) {
              for (int j = std::max(lo.y, 8 * b); j <= std::min(hi.y, 8 * b + 7); ++j) {
                for (int i = std::max(lo.x, 8 * a); i <= std::min(hi.x, 8 * a + 7); ++i) {
                  matter |= bytes[lattice.index(i, j, k)];
                }
              }
            }
            found += matter != 0;
          }
        }
      }
    }
  }
  count(state, boxes.size(), found);
}
BENCHMARK(plain_mask_boxes)->Arg(1)->Arg(4)->Arg(8)->Arg(20)->Apply(best_of_many);

}  // namespace
}  // namespace talus
