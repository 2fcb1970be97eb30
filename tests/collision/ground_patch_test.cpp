#include "collision/ground_patch.h"

#include <cmath>
#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/error.h"
#include "terrain/field.h"

namespace talus {
namespace {

Terrain terrain(const std::string& preset) {
  TerrainSpec spec;
  spec.preset = preset;
  // Not on a sample, where the mesher puts it 1/256 m lower.
  if (preset == "flat") spec.parameters = {{"level_m", 0.5}};
  return {make_preset(spec), {}};
}

TEST(GroundPatch, APlaneHasNoRidges) {
  TerrainTriangles ground(terrain("flat"));
  GroundPatch patch;
  patch.fetch(ground, {{3, -1, 3}, {21, 1, 21}});
  ASSERT_FALSE(patch.empty());
  EXPECT_TRUE(patch.ridges().empty());
  for (const Vec3 p : {Vec3(8, 0.8, 8), Vec3(8.5, 0.2, 9), Vec3(16, 0.51, 15.99)}) {
    const auto near = patch.nearest(p, 0.5);
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, p.y - 0.5, 1e-6);
    EXPECT_EQ(near->normal, Vec3(0, 1, 0));
  }
  EXPECT_FALSE(patch.nearest({8, 0.8, 8}, 0.2));
  EXPECT_FALSE(patch.nearest({8, -1, 8}, 0.2));
}

/// The distance is that of the nearest triangle, found by asking all; its sign is the field's,
/// wherever the two surfaces cannot differ.
TEST(GroundPatch, NearestIsTheNearestOfAllTriangles) {
  const Terrain hills = terrain("hills");
  TerrainTriangles ground(hills);
  Field field(hills);
  std::mt19937 random(3);
  int met = 0;
  for (int i = 0; i < 60; ++i) {
    const double x = std::uniform_real_distribution<>(-400, 400)(random), z = 1.7 * x + i;
    const double y = hills.preset->height(x, z);
    const Vec3 middle(x, y, z);
    GroundPatch patch;
    patch.fetch(ground, {middle - Vec3(4), middle + Vec3(4)});
    for (int k = 0; k < 40; ++k) {
      std::uniform_real_distribution<> at(-2.5, 2.5);
      const Vec3 p = middle + Vec3(at(random), at(random), at(random));
      const auto exact = ground.nearest(p, 1);
      const auto near = patch.nearest(p, 1);
      ASSERT_EQ(near.has_value(), exact.has_value());
      if (!near) continue;
      ++met;
      EXPECT_NEAR(std::abs(near->distance), exact->distance, 2e-5);
      EXPECT_NEAR(glm::length(near->normal), 1, 1e-5);
      // Along the way out, the distance rises.
      const auto farther = patch.nearest(p + 1e-3 * near->normal, 1);
      if (farther) {
        EXPECT_GT(farther->distance, near->distance);
      }
      if (exact->distance > 0.45) {
        EXPECT_EQ(near->distance<0, field.probe(p).density> 0) << p.x << " " << p.y;
      }
    }
  }
  EXPECT_GT(met, 300);
}

TEST(GroundPatch, RidgesFallAwayOnBothSides) {
  Terrain hills = terrain("hills");
  Brush fill;
  fill.mode = Brush::Mode::Fill;
  fill.center = {100, hills.preset->height(100, 50), 50};
  fill.radius = 4;
  hills.edits.push_back(fill);
  TerrainTriangles ground(hills);
  GroundPatch patch;
  patch.fetch(ground, {fill.center - Vec3(6), fill.center + Vec3(6)});
  ASSERT_GT(patch.ridges().size(), 100u);
  for (const RidgeEdge& ridge : patch.ridges()) {
    const Vec3 middle = patch.origin() + Vec3(0.5F * (ridge.a + ridge.b));
    const auto near = patch.nearest(middle + 0.01 * Vec3(ridge.normal), 1);
    ASSERT_TRUE(near);
    EXPECT_NEAR(near->distance, 0.01, 1e-4);
    EXPECT_GT(glm::dot(near->normal, Vec3(ridge.normal)), 0.99);
  }
}

}  // namespace
}  // namespace talus
