#include "collision/sweep_world.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/random.h"
#include "support/sample_meshes.h"
#include "terrain/preset.h"
#include "voxel/block_distance.h"

namespace talus {
namespace {

Vec3 random_point(Mulberry32& random, double size) {
  const double x = random.next(), y = random.next(), z = random.next();
  return size * (2.0 * Vec3(x, y, z) - 1.0);
}

Blocks scattered_blocks(std::uint32_t seed, bool with_cuts) {
  Mulberry32 random(seed);
  Blocks blocks;
  const auto shapes = shape_names();
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = random_point(random, 8);
    Block block{IVec3(glm::floor(p)), 1 + static_cast<int>(random.next() * 2), 0, {}};
    if (with_cuts && random.next() < 0.5) {
      block.cuts = *named_cuts(
          shapes[static_cast<std::size_t>(random.next() * static_cast<double>(shapes.size()))]);
    }
    blocks.place(block);
  }
  return blocks;
}

double distance_to(const Blocks& blocks, Vec3 p) {
  double least = 1e9;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    least = std::min(least, signed_distance(blocks[id], kAllSidesOpen, p).distance);
  }
  return least;
}

// The ball stops where its distance first falls to the radius.
void expect_exact(const Blocks& blocks, std::uint32_t seed, double tolerance) {
  Mulberry32 random(seed);
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    SphereSweep sweep{random_point(random, 6), random_point(random, 6), 0.02 + 0.6 * random.next()};
    if (random.next() < 0.5) sweep.bend = random_point(random, 3);
    if (distance_to(blocks, sweep.start) <= sweep.radius + tolerance) continue;
    const auto found = sweep_blocks(blocks, sweep);
    const double until = found ? found->hit.time : 1;
    for (int k = 0; k < 40; ++k) {
      ASSERT_GT(distance_to(blocks, center_at(sweep, until * k / 40)), sweep.radius - tolerance)
          << i;
    }
    if (!found) continue;
    ++hits;
    const Vec3 center = center_at(sweep, found->hit.time);
    ASSERT_NEAR(distance_to(blocks, center), sweep.radius, tolerance) << i;
    ASSERT_NEAR(signed_distance(blocks[found->block], kAllSidesOpen, center).distance, sweep.radius,
                tolerance);
  }
  EXPECT_GT(hits, 120);
}

TEST(SweepWorld, CubesStopABallWhereItsDistanceFallsToItsRadius) {
  expect_exact(scattered_blocks(1, false), 2, 1e-9);
}

TEST(SweepWorld, CutBlocksDoToWithinTheirFacets) {
  expect_exact(scattered_blocks(3, true), 4, 3e-3);
}

TEST(SweepWorld, ABallRollingOverARowOfBlocksMeetsNoInnerEdge) {
  Blocks row;
  for (int x = 0; x < 40; ++x) {
    for (int z = -2; z < 2; ++z) row.place({{x, -1, z}, 1, 0, {}});
  }
  // Sunk by less than anyone sees; an inner edge would push it back.
  for (const double sunk : {0.0, 1e-12, 1e-6, 1e-3}) {
    const SphereSweep roll{{0.3, 0.25 - sunk, 0.013}, {19.5, 0.25 - sunk + 1e-9, 0.013}, 0.25};
    const auto hit = sweep_blocks(row, roll);
    EXPECT_TRUE(!hit || hit->hit.normal == Vec3(0, 1, 0)) << sunk;
    const SphereSweep pressed{{0.3, 0.25 - sunk, 0.013}, {19.5, 0.24 - sunk, 0.013}, 0.25};
    ASSERT_TRUE(sweep_blocks(row, pressed));
    EXPECT_EQ(sweep_blocks(row, pressed)->hit.normal, Vec3(0, 1, 0)) << sunk;
  }
  const SphereSweep free{{0.3, 0.25 + 1e-12, 0.013}, {19.5, 0.25 + 1e-12, 0.013}, 0.25};
  EXPECT_FALSE(sweep_blocks(row, free));
}

TEST(SweepWorld, AtAnySpeedAThinWallStopsTheBall) {
  Blocks wall;
  for (int y = 0; y < 8; ++y) {
    for (int z = 0; z < 8; ++z) wall.place({{0, y, z}, 1, 0, {}});
  }
  for (const double far : {1.0, 100.0, 1e4, 1e6}) {
    const SphereSweep shot{{-1, 2, 2}, {far, 2.1, 2}, 0.01};
    const auto hit = sweep_blocks(wall, shot);
    ASSERT_TRUE(hit) << far;
    EXPECT_NEAR(center_at(shot, hit->hit.time).x, -0.01, 1e-9);
  }
}

TEST(SweepWorld, TheGroundIsMetWhereItsTrianglesAre) {
  const Terrain terrain{make_preset({}), {}};
  TerrainTriangles ground(terrain);
  Mulberry32 random(5);
  for (int i = 0; i < 200; ++i) {
    const Vec3 top = random_point(random, 60) + Vec3(300, 220, -60);
    const SphereSweep sweep{top, top + Vec3(20 * random.next(), -320, 20 * random.next()),
                            0.05 + random.next()};
    if (ground.nearest(sweep.start, sweep.radius)) continue;
    const auto hit = sweep_ground(ground, sweep);
    ASSERT_TRUE(hit);
    const auto near = ground.nearest(center_at(sweep, hit->time), 2 * sweep.radius);
    ASSERT_TRUE(near);
    ASSERT_NEAR(near->distance, sweep.radius, 1e-9);
    for (int k = 0; k < 20; ++k) {
      ASSERT_FALSE(ground.nearest(center_at(sweep, hit->time * k / 20), sweep.radius - 1e-9));
    }
  }
}

TEST(SweepWorld, AMeshIsMetAsItsTrianglesOneByOneAre) {
  const Mesh mesh = bumpy_ground(8, 3);
  const WideBvh tree(mesh);
  Mulberry32 random(6);
  int hits = 0;
  for (int i = 0; i < 300; ++i) {
    const SphereSweep sweep{Vec3(4, 0, 4) + random_point(random, 5),
                            Vec3(4, 0, 4) + random_point(random, 5), 0.05 + random.next()};
    std::optional<SweepHit> plain;
    for (std::uint32_t n = 0; n < 2 * tree.quads(); ++n) {
      if (!tree.has_triangle(n)) continue;
      const Triangle t = tree.triangle(n);
      const auto hit = sweep_polygon(sweep, {{t[0], t[1], t[2]}}, plain ? plain->time : 2);
      if (hit) plain = hit;
    }
    const auto found = sweep_mesh(tree, sweep);
    ASSERT_EQ(found.has_value(), plain.has_value());
    if (!found) continue;
    ++hits;
    ASSERT_EQ(found->time, plain->time);
  }
  EXPECT_GT(hits, 100);
}

TEST(SweepWorld, APieceIsMetInItsOwnFrame) {
  Blocks cube;
  cube.place({{0, 0, 0}, 2, 0, {}});
  const SweepFrame frame{{10, 5, 0}, {0.5, 0.5, 0.5}, rotation_by({0, 0, std::acos(-1.0) / 4})};
  const SphereSweep drop{{10, 9, 0}, {10, 1, 0}, 0.25};
  const auto hit = sweep_blocks(cube, to_local(frame, drop));
  ASSERT_TRUE(hit);
  const SweepHit world = to_world(frame, hit->hit);
  EXPECT_NEAR(center_at(drop, world.time).y, 5 + std::sqrt(0.5) + 0.25, 1e-9);
  EXPECT_NEAR(world.normal.y, 1, 1e-9);
  EXPECT_NEAR(world.point.x, 10, 1e-9);
}

}  // namespace
}  // namespace talus
