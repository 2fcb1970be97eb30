#include "collision/islands.h"

#include <algorithm>
#include <array>
#include <random>

#include <glm/common.hpp>
#include <gtest/gtest.h>

#include "mesh/measure.h"
#include "physics/world.h"
#include "support/flat_ground.h"

namespace talus {
namespace {

Brush box_brush(Brush::Mode mode, Vec3 center, Vec3 half) {
  Brush brush;
  brush.shape = Brush::Shape::Box;
  brush.mode = mode;
  brush.center = center;
  brush.half_size = half;
  return brush;
}

IslandSearch dig(Field& ground, const Brush& brush) {
  const IBox box = samples_near(brush);
  const auto solid = solid_samples(ground, box);
  ground.edit(brush);
  return find_islands(ground, box, solid);
}

std::int64_t count_solid(Field& ground, const IBox& box) {
  std::int64_t count = 0;
  for (const std::uint8_t s : solid_samples(ground, box)) count += s;
  return count;
}

/// The solid samples of a box that do not hang together with its lowest layer.
std::int64_t count_not_held(std::vector<std::uint8_t> solid, const IBox& box) {
  const IVec3 size = box.size();
  std::vector<IVec3> next;
  const auto take = [&](IVec3 p) {
    for (int axis = 0; axis < 3; ++axis) {
      if (p[axis] < 0 || p[axis] >= size[axis]) return;
    }
    const int place = p.x + size.x * (p.y + size.y * p.z);
    auto& entry = solid[static_cast<std::size_t>(place)];
    if (entry == 0) return;
    entry = 0;
    next.push_back(p);
  };
  for (int z = 0; z < size.z; ++z) {
    for (int x = 0; x < size.x; ++x) take({x, 0, z});
  }
  while (!next.empty()) {
    const IVec3 p = next.back();
    next.pop_back();
    for (int axis = 0; axis < 3; ++axis) {
      for (const int way : {-1, 1}) {
        IVec3 beside = p;
        beside[axis] += way;
        take(beside);
      }
    }
  }
  return std::count(solid.begin(), solid.end(), 1);
}

/// A pillar of 3 x 3 samples from the plain up, with a cap of 7 x 3 x 7.
Field mushroom() {
  Field ground(flat_ground());
  ground.edit(box_brush(Brush::Mode::Fill, {0, 5, 0}, {1.4, 6, 1.4}));
  ground.edit(box_brush(Brush::Mode::Fill, {0, 12, 0}, {3.4, 1.4, 3.4}));
  return ground;
}

TEST(Islands, CuttingThePillarFreesItsHead) {
  Field ground = mushroom();
  // Samples at y 11 to 13 of the cap, and those of the pillar above the cut: 7 to 10.
  const IslandSearch search = dig(ground, box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3}));
  ASSERT_FALSE(search.too_large);
  ASSERT_EQ(search.islands.size(), 1u);
  EXPECT_EQ(search.islands[0].count, 7 * 3 * 7 + 4 * 9);
  EXPECT_EQ(search.islands[0].samples->box().lo, IVec3(-3, 7, -3));
  EXPECT_EQ(search.islands[0].samples->box().hi, IVec3(4, 14, 4));
}

TEST(Islands, HalfACutFreesNothing) {
  Field ground = mushroom();
  EXPECT_TRUE(dig(ground, box_brush(Brush::Mode::Dig, {2, 5, 0}, {2, 1.6, 3})).islands.empty());
  EXPECT_TRUE(dig(ground, ball_brush(Brush::Mode::Dig, {20, -3, 0}, 6)).islands.empty());
}

TEST(Islands, TheSamplesMoveFromTheGroundIntoTheIsland) {
  Field ground = mushroom();
  const IBox all{{-20, -10, -20}, {20, 30, 20}};
  const Brush cut = box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3});
  const IslandSearch search = dig(ground, cut);
  ASSERT_EQ(search.islands.size(), 1u);
  const Island& island = search.islands[0];
  const std::int64_t before = count_solid(ground, all);
  const IslandShape shape = shape_of(island, ground);
  ground.edit(removal_of(island, ground));
  EXPECT_EQ(count_solid(ground, all) + island.count, before);
  EXPECT_EQ(island.samples->bits.count(), island.count);

  const std::vector<Mesh> meshes{shape.mesh};
  const MeshMeasure measured = measure(meshes);
  EXPECT_TRUE(measured.closed());
  EXPECT_NEAR(measured.volume_m3, shape.cells.bits.count() * 0.125, 0.1 * measured.volume_m3);
  // What was removed is removed for whoever makes the ground anew, too.
  Field fresh(ground.terrain());
  EXPECT_EQ(solid_samples(fresh, all), solid_samples(ground, all));
}

/// Digs at random into a slab on legs; the islands are those of a flood fill of everything.
TEST(Islands, RandomDigsFreeWhatAFloodFillSays) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at(-9, 9), height(1, 11), size(0.8, 3);
  int freed = 0;
  for (int run = 0; run < 12; ++run) {
    Field ground(flat_ground());
    ground.edit(box_brush(Brush::Mode::Fill, {0, 9, 0}, {9.4, 1.4, 9.4}));
    const std::array<Vec3, 3> legs{Vec3(-8, 4, -8), Vec3(8, 4, 8), Vec3(-8, 4, 8)};
    for (const Vec3& leg : legs) {
      ground.edit(box_brush(Brush::Mode::Fill, leg, {1.4, 6, 1.4}));
    }
    const IBox all{{-16, -12, -16}, {17, 18, 17}};
    for (int i = 0; i < 40; ++i) {
      Brush brush =
          ball_brush(Brush::Mode::Dig, {at(random), height(random), at(random)}, size(random));
      if (i % 4 == 3) {  // at a leg
        brush.center = legs[random() % 3] + Vec3(0.1 * at(random), 0.2 * at(random), 0);
        brush.radius = 2.2;
      }
      const IslandSearch search = dig(ground, brush);
      std::int64_t found = 0;
      for (const Island& island : search.islands) found += island.count;
      const std::int64_t loose = count_not_held(solid_samples(ground, all), all);
      ASSERT_EQ(found, loose) << "run " << run << ", dig " << i;
      for (const Island& island : search.islands) ground.edit(removal_of(island, ground));
      ASSERT_EQ(count_not_held(solid_samples(ground, all), all), 0);
      freed += found > 0;
    }
  }
  EXPECT_GT(freed, 10);
}

TEST(Islands, InTheHillsDiggingDeepCostsLittleAndFreesNothingThatHolds) {
  TerrainSpec spec;
  Field ground(Terrain{make_preset(spec), {}});
  const double y = ground.terrain().preset->height(320, -48);
  const IslandSearch search = dig(ground, ball_brush(Brush::Mode::Dig, {320, y - 6, -48}, 5));
  EXPECT_FALSE(search.too_large);
  for (const Island& island : search.islands) EXPECT_LT(island.count, 100);
}

TEST(Islands, WhatIsTooLargeIsNamedNotHeld) {
  WorldSettings settings;
  settings.terrain_islands = true;
  World world(Solids{Field(flat_ground()), {}}, default_materials(), make_modern_solver(),
              settings);
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {0, 40, 0}, {30, 20, 30})));
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {0, 10, 0}, {2, 12, 2})));
  const auto large = world.edit_ground(box_brush(Brush::Mode::Dig, {0, 10, 0}, {4, 2, 4}));
  ASSERT_TRUE(large);
  EXPECT_GT(large->count, 59 * 39 * 59);
  EXPECT_LT(large->count, 59 * 39 * 59 + 1000);
  EXPECT_TRUE(world.bodies().empty());
}

TEST(Islands, TheHeadFallsAndRestsOnThePlain) {
  WorldSettings settings;
  settings.terrain_islands = true;
  settings.rock_kg_m3 = 2000;
  World world(Solids{mushroom(), {}}, default_materials(), make_modern_solver(), settings);
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3})));
  ASSERT_EQ(world.bodies().size(), 1u);
  const Body& body = world.bodies()[0];
  ASSERT_TRUE(body.piece->rock);
  const std::vector<Mesh> meshes{*body.piece->rock};
  const double mass = 2000 * measure(meshes).volume_m3;
  EXPECT_NEAR(body.piece->mass, mass, 1e-6 * mass);
  for (int i = 0; i < 120 * 20 && !world.all_at_rest(); ++i) world.step();
  EXPECT_TRUE(world.all_at_rest());
  EXPECT_LT(body.position.y, 9);
  double lowest = 1e9;
  for (const Vec3& p : body.piece->contact_points) {
    lowest = std::min(lowest, world.solids().ground.nearest(to_world(body, p)).distance);
  }
  EXPECT_NEAR(lowest, 0, 0.005);
  EXPECT_TRUE(world.counts().conserved());
  EXPECT_EQ(world.counts().built, 0);
}

/// Rods in the air: little rock, but the box around it holds 10^9 m3.
TEST(Islands, WhatReachesTooFarIsNamedNotHeld) {
  WorldSettings settings;
  settings.terrain_islands = true;
  World world(Solids{Field(flat_ground()), {}}, default_materials(), make_modern_solver(),
              settings);
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {0, 10, 0}, {1.4, 12, 1.4})));
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {500, 20, 0}, {500, 1.4, 1.4})));
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {0, 20, 500}, {1.4, 1.4, 500})));
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Fill, {0, 520, 0}, {1.4, 500, 1.4})));
  const auto large = world.edit_ground(box_brush(Brush::Mode::Dig, {0, 8, 0}, {4, 2, 4}));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->why, LargeIsland::Why::Box);
  EXPECT_GT(large->count, 1'000'000'000);
  EXPECT_TRUE(world.bodies().empty());
}

TEST(Islands, DigsTooLargeToLookAtAreNotDone) {
  WorldSettings settings;
  settings.terrain_islands = true;
  World world(Solids{Field(flat_ground()), {}}, default_materials(), make_modern_solver(),
              settings);
  const auto large = world.edit_ground(ball_brush(Brush::Mode::Dig, {0, 0, 0}, 5000));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->why, LargeIsland::Why::Dig);
  EXPECT_GT(world.solids().ground.sample({0, -10, 0}), 0);
}

/// Ground 100 m under its height: on it a pillar with an arm, from which a rock hangs far down.
class Gallows : public Preset {
 public:
  double height(double, double) const override { return 0; }
  double overhang() const override { return 100; }
  double density(Vec3 p) const override {
    const auto box = [p](Vec3 lo, Vec3 hi) {
      const Vec3 in = glm::min(p - lo, hi - p);
      return std::min({in.x, in.y, in.z});
    };
    return std::max({-100 - p.y, box({-20.5, -110, -1.5}, {-17.5, -4.5, 1.5}),
                     box({-20.5, -8.5, -1.5}, {0, -4.5, 1.5}),
                     box({-2.5, -70.5, -2.5}, {2, -5, 2})});
  }
};

TEST(Islands, DeepOverhangsAreNoBedrock) {
  Field ground(Terrain{std::make_shared<Gallows>(), {}});
  const Brush cut = box_brush(Brush::Mode::Dig, {-10, -6.5, 0}, {1, 4, 4});
  const IslandSearch search = dig(ground, cut);
  ASSERT_EQ(search.islands.size(), 1u);
  EXPECT_EQ(search.islands[0].samples->box().lo.y, -70);
}

TEST(Islands, NoTraceOfTheirSurfaceIsLeftInTheAir) {
  Field ground(flat_ground());
  ground.edit(box_brush(Brush::Mode::Fill, {0, 5, 0}, {1.4, 6, 1.4}));
  ground.edit(box_brush(Brush::Mode::Fill, {0, 12, 0}, {3.97, 1.97, 3.97}));
  const IslandSearch search = dig(ground, box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3}));
  ASSERT_EQ(search.islands.size(), 1u);
  ground.edit(removal_of(search.islands[0], ground));
  for (int i = 0; i < 20 * 20 * 20; ++i) {
    const IVec3 place(i % 20, i / 20 % 20, i / 400);
    const Vec3 p = 0.5 * Vec3(place) + Vec3(-5, 8, -5);
    ASSERT_GT(ground.nearest(p).distance, 0.2) << p.x << " " << p.y << " " << p.z;
  }
}

/// The surface is up to a metre from the last sample: whose foot is there stands on the rock, too.
TEST(Islands, WhatStandsHighOverTheLastSampleComesDown) {
  WorldSettings settings;
  settings.terrain_islands = true;
  Field ground(flat_ground());
  ground.edit(box_brush(Brush::Mode::Fill, {0, 5, 0}, {1.4, 6, 1.4}));
  ground.edit(box_brush(Brush::Mode::Fill, {0, 12, 0}, {3.4, 1.97, 3.4}));
  World world(Solids{std::move(ground), {}}, default_materials(), make_modern_solver(), settings);
  const std::vector<Block> house{{{-1, 28, -1}, 2, 0, {}}};  // from y = 14 on, over 13.97
  ASSERT_FALSE(world.build(house));
  ASSERT_TRUE(world.bodies().empty());
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3})));
  EXPECT_EQ(world.bodies().size(), 2u);
}

TEST(Islands, AHouseOnTheHeadComesDownWithIt) {
  WorldSettings settings;
  settings.terrain_islands = true;
  World world(Solids{mushroom(), {}}, default_materials(), make_modern_solver(), settings);
  std::vector<Block> blocks;
  blocks.reserve(3);
  const int top = static_cast<int>(std::floor(13.4 / kCell));
  for (int i = 0; i < 3; ++i) blocks.push_back({{-1, top + 2 * i, -1}, 2, 0, {}});
  ASSERT_FALSE(world.build(blocks));
  ASSERT_TRUE(world.bodies().empty());
  EXPECT_FALSE(world.edit_ground(box_brush(Brush::Mode::Dig, {0, 5, 0}, {3, 1.6, 3})));
  ASSERT_EQ(world.bodies().size(), 2u);
  EXPECT_EQ(world.bodies()[0].from.size(), 3u);
  EXPECT_TRUE(world.bodies()[1].piece->rock);
  for (int i = 0; i < 120 * 30 && !world.all_at_rest(); ++i) world.step();
  EXPECT_TRUE(world.all_at_rest());
  EXPECT_LT(world.bodies()[0].position.y, 13);
}

}  // namespace
}  // namespace talus
