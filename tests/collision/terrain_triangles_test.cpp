#include "collision/terrain_triangles.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <tuple>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "collision/ray_chunks.h"
#include "support/plain_kd.h"

namespace talus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Terrain hills() {
  return {make_preset({}), {}};
}
Terrain plain(double level) {
  TerrainSpec spec;
  spec.preset = "flat";
  spec.parameters = {{"level_m", level}};
  return {make_preset(spec), {}};
}

/// One mesh of a box of the world, as `talus mesh` makes it.
Mesh whole_mesh(const Terrain& terrain, IBox own) {
  const IBox box = with_apron(own);
  Samples samples;
  surface_samples(terrain, {box.lo, box.size(), 1}, samples);
  return mesh_surface_nets(samples, own);
}

Brush random_brush(std::mt19937& random, const Box& where) {
  std::uniform_real_distribution<double> unit(0, 1);
  const auto point = [&] {
    return where.lo + (where.hi - where.lo) * Vec3(unit(random), unit(random), unit(random));
  };
  Brush brush;
  brush.shape = static_cast<Brush::Shape>(random() % 3);
  brush.mode = random() % 4 ? Brush::Mode::Dig : Brush::Mode::Fill;
  brush.center = point();
  brush.end = brush.center + 3.0 * Vec3(unit(random), unit(random), unit(random));
  brush.half_size = Vec3(0.3) + Vec3(unit(random), unit(random), unit(random));
  brush.radius = 0.5 + 1.5 * unit(random);
  return brush;
}

TEST(RayChunks, EveryChunkWhoseGrownBoxTheRayMeetsIsVisitedInOrder) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-40, 40);
  for (int round = 0; round < 3000; ++round) {
    Ray ray{{place(random), place(random), place(random)},
            {place(random), place(random), place(random)},
            std::abs(place(random))};
    if (round % 3 == 0) ray.origin = glm::round(ray.origin / 8.0) * 8.0;
    if (round % 4 == 0) ray.direction[round % 3] = -0.0;
    if (round % 5 == 0) ray.direction = glm::round(ray.direction);
    const auto frame = make_ray_frame(ray);
    if (!frame) continue;
    std::set<std::tuple<int, int, int>> visited;
    walk_chunks(*frame, ray.reach, [&](IVec3 c) {
      visited.insert({c.x, c.y, c.z});
      return ray.reach;
    });
    std::size_t expected = 0;
    for (int i = 0; i < 24 * 24 * 24; ++i) {
      const IVec3 c(i % 24 - 12, i / 24 % 24 - 12, i / 576 - 12);
      double in = 0, out = ray.reach;
      for (int axis = 0; axis < 3; ++axis) {
        const double lo = 8.0 * c[axis] - 1 - frame->origin[axis], hi = lo + 9;
        const double d = frame->direction[axis];
        if (d == 0) {
          if (lo > 0 || hi < 0) out = -1;
          continue;
        }
        in = std::max(in, std::min(lo / d, hi / d));
        out = std::min(out, std::max(lo / d, hi / d));
      }
      if (in > out) continue;
      ++expected;
      ASSERT_TRUE(visited.count({c.x, c.y, c.z})) << round;
    }
    ASSERT_LE(visited.size(), expected + 40) << "and few others";
  }
}

TEST(TerrainTriangles, HitsAreThoseOfTheWholeMesh) {
  const IBox own{{280, -24, -88}, {328, 24, -40}};
  const Mesh mesh = whole_mesh(hills(), own);
  GridTriangles triangles;
  triangles.add(mesh);
  ASSERT_GT(mesh.triangle_count(), 3000u);
  TerrainTriangles ground(hills());
  std::mt19937 random(2);
  std::uniform_real_distribution<double> inside(4, 44);
  int hit_count = 0;
  for (int i = 0; i < 300; ++i) {
    // Inside the box, so that both see the same.
    const Vec3 from = Vec3(own.lo) + Vec3(inside(random), inside(random), inside(random));
    const Vec3 to = Vec3(own.lo) + Vec3(inside(random), inside(random), inside(random));
    const auto ray = make_ray_frame({from, to - from, glm::length(to - from)});
    ASSERT_TRUE(ray);
    const std::vector<float> expected = brute_force_hits(triangles, *ray);
    std::vector<GroundHit> all;
    ground.all_hits(*ray, all);
    ASSERT_EQ(all.size(), expected.size());
    const auto first = ground.first_hit(*ray);
    ASSERT_EQ(first.has_value(), !expected.empty());
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_NEAR(all[k].hit.distance, expected[k] * kVertexGrid, 1e-3);
    }
    if (!first) continue;
    EXPECT_NEAR(first->hit.distance, all.front().hit.distance, 1e-5);
    ++hit_count;
  }
  EXPECT_GT(hit_count, 50);
}

TEST(TerrainTriangles, BoxesAndNearestPointsAreThoseOfTheWholeMesh) {
  const IBox own{{280, -24, -88}, {328, 24, -40}};
  GridTriangles triangles;
  triangles.add(whole_mesh(hills(), own));
  const PlainKd tree(triangles);
  TerrainTriangles ground(hills());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> inside(12, 33);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = Vec3(own.lo) + Vec3(inside(random), inside(random), inside(random));
    const Box box{p, p + Vec3(i % 4)};
    std::vector<GroundTriangle> touched;
    ground.touched(box, touched);
    EXPECT_EQ(touched.size(), tree.touched(box).size());
    double least = 1e300;
    for (std::size_t t = 0; t < triangles.corners.size(); ++t) {
      least = std::min(least, glm::length(closest_point(triangles.metres(t, p), Vec3(0))));
    }
    const auto nearest = ground.nearest(p, 10);
    ASSERT_EQ(nearest.has_value(), least <= 10);
    if (nearest) {
      EXPECT_NEAR(nearest->distance, least, 1e-9);
    }
  }
}

TEST(TerrainTriangles, APlainIsHitAtItsHeight) {
  TerrainTriangles ground(plain(10.5));
  const auto hit = ground.first_hit(*make_ray_frame({{1.25, 20, 3}, {0, -1, 0}, kInfinity}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->hit.distance, 9.5);
  EXPECT_EQ(hit->hit.normal, Vec3(0, 1, 0));
  EXPECT_FALSE(ground.first_hit(*make_ray_frame({{1.25, 20, 3}, {0, 1, 0}, 500})));
  EXPECT_FALSE(ground.first_hit(*make_ray_frame({{1.25, 20, 3}, {0, -1, 0}, 9.4})));
}

/// Every dig is followed by a ray, every tenth by a box, and both are asked of a world that is made
/// anew: with the digs that can be seen from there, for all others are half a kilometre away.
TEST(TerrainTriangles, TenThousandDigsNeverLeaveOldTriangles) {
  TerrainTriangles ground(plain(10), {.cache_mib = 0.5});
  const Box arena{{-20, 2, -20}, {20, 12, 20}};
  constexpr int kArenas = 1000;
  std::vector<Terrain> arenas(kArenas, plain(10));
  std::mt19937 random(4);
  std::uniform_real_distribution<double> unit(0, 1);
  int hits = 0;
  for (int dig = 0; dig < 10'000; ++dig) {
    Terrain& here = arenas[static_cast<std::size_t>(dig % kArenas)];
    const Vec3 shift(500.0 * (dig % 100), 0, 500.0 * (dig / 100 % 10));
    const Brush brush = random_brush(random, {arena.lo + shift, arena.hi + shift});
    // Something of what the dig changes is in the cache.
    const auto point = [&] {
      return shift + arena.lo - Vec3(4) +
             (arena.hi - arena.lo + Vec3(8)) * Vec3(unit(random), unit(random), unit(random));
    };
    const Vec3 from = point() + Vec3(0, 8, 0), to = 0.5 * (brush.center + point());
    const auto ray = make_ray_frame({from, to - from, 60});
    ground.first_hit(*ray);
    ground.edit(brush);
    here.edits.push_back(brush);
    const auto hit = ground.first_hit(*ray);
    TerrainTriangles fresh(here);
    const auto expected = fresh.first_hit(*ray);
    ASSERT_EQ(hit.has_value(), expected.has_value()) << dig;
    if (hit) {
      ASSERT_EQ(hit->hit, expected->hit) << dig;
      ASSERT_EQ(hit->chunk, expected->chunk);
      ++hits;
    }
    if (dig % 10) continue;
    std::vector<GroundTriangle> mine, others;
    const Box box{from - Vec3(6, 14, 6), from + Vec3(6, 2, 6)};
    ground.touched(box, mine);
    fresh.touched(box, others);
    ASSERT_EQ(mine.size(), others.size()) << dig;
    for (std::size_t i = 0; i < mine.size(); ++i) ASSERT_EQ(mine[i].corners, others[i].corners);
  }
  EXPECT_GT(hits, 3'000);
  const TriangleCacheStatistics statistics = ground.statistics();
  EXPECT_GT(statistics.hits, 1'000u);
  EXPECT_GT(statistics.misses, 1'000u);
}

TEST(TerrainTriangles, TheCacheStaysWithinItsBoundAndAnswersTheSame) {
  TerrainTriangles small(hills(), {.cache_mib = 0.25}), large(hills());
  std::mt19937 random(5);
  std::uniform_real_distribution<double> place(-300, 300);
  for (int i = 0; i < 600; ++i) {
    const auto ray = make_ray_frame(
        {{place(random), 60, place(random)}, {0.3 * place(random), -60, 0.3 * place(random)}, 200});
    const auto a = small.first_hit(*ray), b = large.first_hit(*ray);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (a) {
      ASSERT_EQ(a->hit, b->hit);
    }
    ASSERT_LE(small.statistics().bytes, 256u * 1024 + 32 * 1024);
  }
  EXPECT_GT(small.statistics().evictions, 0u);
  EXPECT_EQ(large.statistics().evictions, 0u);
}

}  // namespace
}  // namespace talus
