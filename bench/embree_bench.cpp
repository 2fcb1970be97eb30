// The peer: Embree 3 on the same triangles, one ray at a time, in its robust mode.
#include <cstring>
#include <limits>

#include <benchmark/benchmark.h>
#include <embree3/rtcore.h>

#include "bench/collision_scene.h"

namespace talus {
namespace {

class EmbreeScene {
 public:
  explicit EmbreeScene(const Mesh& mesh)
      : device_(rtcNewDevice("threads=1")), scene_(rtcNewScene(device_)) {
    rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
    const RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = static_cast<float*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                3 * sizeof(float), mesh.positions.size()));
    for (const Vec3f& p : mesh.positions) {
      for (int axis = 0; axis < 3; ++axis) {
        *vertices++ = static_cast<float>(mesh.origin[axis]) + p[axis];
      }
    }
    void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            3 * sizeof(std::uint32_t), mesh.triangle_count());
    std::memcpy(indices, mesh.indices.data(), mesh.indices.size() * sizeof(std::uint32_t));
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene_, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(scene_);
  }
  EmbreeScene(const EmbreeScene&) = delete;
  EmbreeScene& operator=(const EmbreeScene&) = delete;
  ~EmbreeScene() {
    rtcReleaseScene(scene_);
    rtcReleaseDevice(device_);
  }

  bool first_hit(const Ray& ray) const {
    const RayFrame frame = *make_ray_frame(ray);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit query{};
    query.ray = {static_cast<float>(ray.origin.x),
                 static_cast<float>(ray.origin.y),
                 static_cast<float>(ray.origin.z),
                 0,
                 static_cast<float>(frame.direction.x),
                 static_cast<float>(frame.direction.y),
                 static_cast<float>(frame.direction.z),
                 0,
                 static_cast<float>(ray.reach),
                 ~0u,
                 0,
                 0};
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(scene_, &context, &query);
    return query.hit.geomID != RTC_INVALID_GEOMETRY_ID;
  }

 private:
  RTCDevice device_;
  RTCScene scene_;
};

void embree_build_whole(benchmark::State& state) {
  for (auto _ : state) EmbreeScene scene(whole_mesh());
}
BENCHMARK(embree_build_whole)->Unit(benchmark::kMillisecond)->Apply(best_of_many);

void embree_rays_whole(benchmark::State& state, RayKind kind) {
  static const EmbreeScene kScene(whole_mesh());
  const std::vector<Ray> rays = bench_rays(kind);
  std::size_t found = 0;
  for (auto _ : state) {
    found = 0;
    for (const Ray& ray : rays) found += kScene.first_hit(ray);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rays.size()));
  state.counters["found"] = static_cast<double>(found);
}
BENCHMARK_CAPTURE(embree_rays_whole, incoherent, RayKind::Incoherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(embree_rays_whole, coherent, RayKind::Coherent)->Apply(best_of_many);
BENCHMARK_CAPTURE(embree_rays_whole, short, RayKind::Short)->Apply(best_of_many);

}  // namespace
}  // namespace talus
