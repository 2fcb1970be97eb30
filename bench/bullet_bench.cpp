// The peer: Bullet's btBvhTriangleMeshShape, plain and quantised, on the same triangles.
#include <memory>

#include <BulletCollision/CollisionShapes/btBvhTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btTriangleIndexVertexArray.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <benchmark/benchmark.h>

#include "bench/collision_scene.h"
#include "collision/ray_chunks.h"

namespace talus {
namespace {

struct BulletMesh {
  std::vector<float> vertices;
  std::vector<int> indices;
  std::unique_ptr<btTriangleIndexVertexArray> array;
  std::unique_ptr<btBvhTriangleMeshShape> shape;

  explicit BulletMesh(const Mesh& mesh) : indices(mesh.indices.begin(), mesh.indices.end()) {
    for (const Vec3f& p : mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        vertices.push_back(static_cast<float>(mesh.origin[axis]) + p[axis]);
      }
    }
    array = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(mesh.triangle_count()), indices.data(), 3 * static_cast<int>(sizeof(int)),
        static_cast<int>(mesh.positions.size()), vertices.data(),
        3 * static_cast<int>(sizeof(float)));
  }
  BulletMesh(const Mesh& mesh, bool quantised) : BulletMesh(mesh) { build(quantised); }
  void build(bool quantised) {
    shape = std::make_unique<btBvhTriangleMeshShape>(array.get(), quantised, true);
  }
};

struct FirstHit final : btTriangleRaycastCallback {
  using btTriangleRaycastCallback::btTriangleRaycastCallback;
  bool hit = false;
  btScalar reportHit(const btVector3&, btScalar fraction, int, int) override {
    hit = true;
    return fraction;
  }
};
struct CountTriangles final : btTriangleCallback {
  std::size_t count = 0;
  void processTriangle(btVector3*, int, int) override { ++count; }
};

btVector3 to_bullet(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

struct BulletChunks {
  ChunkTable table;
  std::vector<BulletMesh> meshes;
  explicit BulletChunks(bool quantised) {
    for (const ChunkMesh& each : chunk_meshes()) {
      meshes.emplace_back(each.mesh).build(quantised);
      table.set(each.chunk, static_cast<std::uint32_t>(meshes.size()));
    }
  }
};

void bullet_build(benchmark::State& state, bool chunks) {
  const bool quantised = state.range(0) != 0;
  std::vector<BulletMesh> meshes;
  if (chunks) {
    for (const ChunkMesh& each : chunk_meshes()) meshes.emplace_back(each.mesh);
  } else {
    meshes.emplace_back(whole_mesh());
  }
  for (auto _ : state) {
    for (BulletMesh& mesh : meshes) mesh.build(quantised);
  }
}
BENCHMARK_CAPTURE(bullet_build, chunks, true)
    ->ArgName("quantised")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Apply(best_of_many);
BENCHMARK_CAPTURE(bullet_build, whole, false)
    ->ArgName("quantised")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond)
    ->Apply(best_of_many);

void bullet_rays_chunks(benchmark::State& state, RayKind kind) {
  static const BulletChunks kChunks(true);
  const std::vector<Ray> rays = bench_rays(kind);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Ray& ray : rays) {
      const RayFrame frame = *make_ray_frame(ray);
      const btVector3 from = to_bullet(ray.origin),
                      to = to_bullet(ray.origin + ray.reach * frame.direction);
      FirstHit callback(from, to);
      walk_chunks(frame, ray.reach, [&](IVec3 chunk) {
        const std::uint32_t place = kChunks.table.get(chunk);
        if (place != 0) kChunks.meshes[place - 1].shape->performRaycast(&callback, from, to);
        return ray.reach * callback.m_hitFraction;
      });
      found += callback.hit;
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays.size()));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK_CAPTURE(bullet_rays_chunks, incoherent, RayKind::Incoherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(bullet_rays_chunks, coherent, RayKind::Coherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(bullet_rays_chunks, short, RayKind::Short)->Apply(best_of_many);

void bullet_rays_whole(benchmark::State& state, RayKind kind) {
  static const BulletMesh kMesh(whole_mesh(), true);
  const std::vector<Ray> rays = bench_rays(kind);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Ray& ray : rays) {
      const RayFrame frame = *make_ray_frame(ray);
      const btVector3 from = to_bullet(ray.origin),
                      to = to_bullet(ray.origin + ray.reach * frame.direction);
      FirstHit callback(from, to);
      kMesh.shape->performRaycast(&callback, from, to);
      found += callback.hit;
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays.size()));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK_CAPTURE(bullet_rays_whole, incoherent, RayKind::Incoherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(bullet_rays_whole, coherent, RayKind::Coherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(bullet_rays_whole, short, RayKind::Short)->Apply(best_of_many);

void bullet_boxes_chunks(benchmark::State& state) {
  static const BulletChunks kChunks(true);
  const std::vector<Box> boxes = bench_boxes();
  std::size_t found = 0;
  for (auto _ : state) {
    CountTriangles callback;
    for (const Box& box : boxes) {
      const ChunkSpan x = chunk_span(box.lo.x, box.hi.x), y = chunk_span(box.lo.y, box.hi.y),
                      z = chunk_span(box.lo.z, box.hi.z);
      for (int c = z.first; c <= z.last; ++c) {
        for (int b = y.first; b <= y.last; ++b) {
          for (int a = x.first; a <= x.last; ++a) {
            const std::uint32_t place = kChunks.table.get({a, b, c});
            if (place == 0) continue;
            kChunks.meshes[place - 1].shape->processAllTriangles(&callback, to_bullet(box.lo),
                                                                 to_bullet(box.hi));
          }
        }
      }
    }
    found = callback.count;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boxes.size()));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(bullet_boxes_chunks)->Apply(best_of_many);

void bullet_boxes_whole(benchmark::State& state) {
  static const BulletMesh kMesh(whole_mesh(), true);
  const std::vector<Box> boxes = bench_boxes();
  std::size_t found = 0;
  for (auto _ : state) {
    CountTriangles callback;
    for (const Box& box : boxes) {
      kMesh.shape->processAllTriangles(&callback, to_bullet(box.lo), to_bullet(box.hi));
    }
    found = callback.count;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(boxes.size()));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK(bullet_boxes_whole)->Apply(best_of_many);

}  // namespace
}  // namespace talus
