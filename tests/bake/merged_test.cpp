#include <atomic>

#include <gmock/gmock.h>

#include "bake/bake_fixture.h"
#include "core/error.h"
#include "io/mesh_reader.h"
#include "support/surface_check.h"

namespace talus {

namespace {

using testing::HasSubstr;

Mesh whole_mesh(const BakeRequest& request) {
  const IBox box = with_apron(request.region);
  Samples samples;
  surface_samples(request.terrain, {box.lo, box.size(), request.step}, samples);
  return mesh_function(request.mesher)(samples, request.region, {request.merge});
}

class MergedBake : public BakeTest {};

TEST_F(MergedBake, ChunkedMergedFileEqualsWholeMesh) {
  for (const Mesher mesher : {Mesher::SurfaceNets, Mesher::MarchingCubes, Mesher::Blocks}) {
    for (const int chunk : {7, 16, 64}) {
      BakeRequest request = hills();
      request.mesher = mesher;
      request.merge = false;
      request.chunk = chunk;
      const BakeResult result = bake_merged(request, path("a.glb"), {});
      const Mesh whole = whole_mesh(request);
      const auto read = read_mesh_file(path("a.glb"));
      ASSERT_EQ(read.size(), 1u);
      EXPECT_GT(whole.triangle_count(), 1000u);
      EXPECT_EQ(sorted_triangles(read), sorted_triangles({whole}))
          << mesher_name(mesher) << " " << chunk;
      EXPECT_EQ(result.vertices, read[0].positions.size());
      // Blocks have a few vertices twice; across chunks such are made one.
      if (mesher == Mesher::Blocks) {
        EXPECT_LE(result.vertices, whole.positions.size()) << chunk;
      } else {
        EXPECT_EQ(result.vertices, whole.positions.size()) << mesher_name(mesher) << " " << chunk;
      }
      EXPECT_EQ(result.triangles, whole.triangle_count());
    }
  }
}

TEST_F(MergedBake, SameBytesForAnyThreadCount) {
  BakeRequest request = hills();
  request.closed = request.colors = true;
  std::string first;
  for (const int threads : {1, 2, 4}) {
    request.threads = threads;
    bake_merged(request, path("a.glb"), {});
    if (first.empty()) first = bytes(path("a.glb"));
    EXPECT_GT(first.size(), 10000u);
    EXPECT_TRUE(bytes(path("a.glb")) == first) << threads << " threads";
  }
}

TEST_F(MergedBake, ClosedMeshIsWatertight) {
  for (const Mesher mesher : {Mesher::SurfaceNets, Mesher::MarchingCubes}) {
    for (const double step : {1.0, 0.75, 4.0}) {
      BakeRequest request = hills();
      request.mesher = mesher;
      request.closed = true;
      request.step = step;
      request.region = region_from_corners({300, -5, -70}, {341, 70, -31}, step);
      bake_merged(request, path("a.glb"), {});
      const SurfaceCheck check = check_surface(read_mesh_file(path("a.glb")));
      EXPECT_TRUE(check.closed_and_clean()) << mesher_name(mesher) << " " << check.text();
      EXPECT_GT(check.volume, 10000);
    }
  }
}

TEST_F(MergedBake, ClosedGroundWithoutSurfaceIsABox) {
  BakeRequest request = hills();
  request.terrain = {make_preset({"flat", 1, {}, {}}), {}};
  request.region = {{-9, -60, -9}, {9, -40, 9}};
  request.closed = true;
  request.mesher = Mesher::MarchingCubes;
  bake_merged(request, path("a.glb"), {});
  const SurfaceCheck check = check_surface(read_mesh_file(path("a.glb")));
  EXPECT_TRUE(check.closed_and_clean()) << check.text();
  EXPECT_NEAR(check.volume, 17 * 19 * 17, 30);  // but for the edges, which are cut
}

TEST_F(MergedBake, ColorsStayInRangeAndShadeByDepth) {
  BakeRequest request = hills();
  request.colors = true;
  bake_merged(request, path("a.glb"), {});
  const auto meshes = read_mesh_file(path("a.glb"));
  ASSERT_EQ(meshes.size(), 1u);
  ASSERT_EQ(meshes[0].colors.size(), meshes[0].positions.size());
  EXPECT_FALSE(meshes[0].colors.empty());
  Vec3f least(1), most(0);
  for (const Vec3f& color : meshes[0].colors) {
    for (int c = 0; c < 3; ++c) {
      least[c] = std::min(least[c], color[c]);
      most[c] = std::max(most[c], color[c]);
    }
  }
  EXPECT_GE(std::min({least.x, least.y, least.z}), 0);
  EXPECT_LE(std::max({most.x, most.y, most.z}), 1);
  EXPECT_GT(most.y - least.y, 0.05);
}

TEST_F(MergedBake, FlatKeepsTheTriangles) {
  BakeRequest request = hills();
  const BakeResult smooth = bake_merged(request, path("a.glb"), {});
  request.flat = true;
  const BakeResult flat = bake_merged(request, path("b.glb"), {});
  EXPECT_EQ(flat.triangles, smooth.triangles);
  EXPECT_EQ(flat.vertices, 3 * flat.triangles);
}

TEST_F(MergedBake, PackedFilesHoldTheSamePlaces) {
  BakeRequest request = hills();
  const BakeResult plain = bake_merged(request, path("a.glb"), {});
  for (const MeshEncoding encoding : {MeshEncoding::Quantized, MeshEncoding::Compressed}) {
    request.encoding = encoding;
    const BakeResult packed = bake_merged(request, path("b.glb"), {});
    const auto meshes = read_mesh_file(path("b.glb"));
    EXPECT_EQ(packed.triangles, plain.triangles);
    EXPECT_EQ(meshes.size(), packed.surface_chunks);
    EXPECT_EQ(check_surface(meshes).crowded_edges, 0);
    EXPECT_NEAR(check_surface(meshes).area, check_surface(read_mesh_file(path("a.glb"))).area,
                1e-6);
  }
}

TEST_F(MergedBake, VerifyFindsNoWrongSkip) {
  BakeRequest request = hills();
  request.verify_skips = true;
  EXPECT_GT(bake_merged(request, path("a.glb"), {}).triangles, 0u);
}

// Says of one chunk that it is all air.
class Forgetful : public Preset {
 public:
  explicit Forgetful(std::shared_ptr<const Preset> real) : real_(std::move(real)) {}
  double density(Vec3 p) const override { return real_->density(p); }
  double height(double x, double z) const override { return real_->height(x, z); }
  void surface_samples(const Lattice& lattice, Samples& into) const override {
    real_->surface_samples(lattice, into);
    if (lattice.box().contains({-8, 0, -8})) into.solid = SolidBits(lattice.size);
  }

 private:
  std::shared_ptr<const Preset> real_;
};

TEST_F(MergedBake, VerifyNamesAWrongSkip) {
  BakeRequest request;
  request.spec = TerrainSpec{"flat", 5, {}, {}};
  request.terrain = {std::make_shared<Forgetful>(make_preset(*request.spec)), {}};
  request.region = {{-32, -16, -32}, {32, 16, 32}};
  request.chunk = 16;
  request.verify_skips = true;
  const std::string message = error_of([&] { bake_merged(request, path("a.glb"), {}); });
  EXPECT_THAT(message, HasSubstr("seed 5"));
  EXPECT_THAT(message, HasSubstr("chunk (-1, -1, -1)"));
  EXPECT_THAT(message, HasSubstr("lattice point (-18, -18, -18)"));
  EXPECT_FALSE(std::filesystem::exists(path("a.glb")));
}

TEST_F(MergedBake, InterruptionLeavesTheOldFileIntact) {
  BakeRequest request = hills();
  bake_merged(request, path("a.glb"), {});
  const std::string old = bytes(path("a.glb"));
  request.step = 2;
  for (const int threads : {1, 3}) {
    request.threads = threads;
    std::atomic<int> asked{0};
    Progress progress;
    progress.stop_asked = [&asked] { return ++asked > 3; };
    EXPECT_THROW(bake_merged(request, path("a.glb"), progress), Interrupted);
    EXPECT_TRUE(bytes(path("a.glb")) == old);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  }
}

TEST_F(MergedBake, ProgressEndsAtTheTotal) {
  BakeRequest request = hills();
  request.threads = 2;
  std::int64_t last = 0, all = 0;
  Progress progress;
  progress.report = [&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(done, last + 1);
    last = done;
    all = total;
  };
  const BakeResult result = bake_merged(request, path("a.glb"), progress);
  EXPECT_EQ(static_cast<std::uint64_t>(last), result.chunks);
  EXPECT_EQ(last, all);
}

TEST_F(MergedBake, WhatNoFileCanHoldIsRefused) {
  BakeRequest request = hills();
  request.region = {{0, 0, 0}, {16385, 10, 10}};
  EXPECT_THAT(error_of([&] { bake_merged(request, path("a.obj"), {}); }), HasSubstr("--tiles"));
  request.step = 0.75;  // 3/4: three times as many grid points
  request.region = {{0, 0, 0}, {5462, 10, 10}};
  EXPECT_THAT(error_of([&] { bake_merged(request, path("a.obj"), {}); }), HasSubstr("5461"));
  request = hills();
  request.chunk = 63;
  request.encoding = MeshEncoding::Quantized;
  EXPECT_THAT(error_of([&] { bake_merged(request, path("a.glb"), {}); }), HasSubstr("--chunk 63"));
}

TEST_F(MergedBake, TooLargeAGlbIsRefusedBeforeWork) {
  BakeRequest request;
  request.terrain = {make_preset({"flat", 1, {}, {}}), {}};
  request.region = {{0, -2, 0}, {16384, 2, 16384}};
  request.chunk = 32;
  EXPECT_THAT(error_of([&] { bake_merged(request, path("a.glb"), {}); }),
              testing::AllOf(HasSubstr(" GiB"), HasSubstr("--tiles")));
  EXPECT_FALSE(std::filesystem::exists(path("a.glb")));
}

}  // namespace

}  // namespace talus
