#include "physics/water.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "physics/world.h"

namespace talus {
namespace {

constexpr MaterialId kStone = 0, kBricks = 1, kPlanks = 2;

/// A sea 20 m deep.
struct Sea {
  World world;

  explicit Sea(const ModernSettings& modern = {}, Water water = {0.0, {}})
      : world(Solids{Field(bottom()), {}, std::move(water)}, default_materials(),
              make_modern_solver(modern)) {}
  static Terrain bottom() {
    TerrainSpec spec;
    spec.preset = "flat";
    spec.parameters = {{"level_m", -20}};
    return {make_preset(spec), {}};
  }
  std::size_t add(const std::vector<Block>& blocks, Vec3 velocity = Vec3(0), Vec3 spin = Vec3(0)) {
    return world.add_piece(blocks, velocity, spin);
  }
  const Body& operator[](std::size_t i) const { return world.bodies()[i]; }
  double energy() const {
    double sum = 0;
    for (const Body& b : world.bodies()) {
      sum += kinetic_energy(b) + potential_energy(b, 9.81) + water_energy(b, Water{0.0, {}}, 9.81);
    }
    return sum;
  }
  /// The most that energy grew in a step, J.
  double run(double seconds) {
    double growth = 0, before = energy();
    for (int i = 0; i < seconds * 120; ++i) {
      world.step();
      const double now = energy();
      growth = std::max(growth, now - before);
      before = now;
    }
    return growth;
  }
};

std::vector<Block> plate(IVec3 cell, IVec3 cells, MaterialId material, int size = 1,
                         Cuts cuts = {}) {
  std::vector<Block> blocks;
  for (int z = 0; z < cells.z; ++z) {
    for (int y = 0; y < cells.y; ++y) {
      for (int x = 0; x < cells.x; ++x) {
        blocks.push_back({cell + size * IVec3(x, y, z), size, material, cuts});
      }
    }
  }
  return blocks;
}

TEST(Water, PlanksFloatSixTenthsDeep) {
  for (const int size : {1, 2, 4}) {
    Sea sea;
    sea.add(plate({0, 1, 0}, {4, 1, 3}, kPlanks, size));
    sea.run(60);
    const double thick = kCell * size;
    EXPECT_TRUE(sea[0].asleep) << size;
    EXPECT_NEAR(0.5 * thick - sea[0].position.y, 0.6 * thick, 0.02 * 0.6 * thick) << size;
    EXPECT_NEAR(sea[0].submerged_m3, 0.6 * 12 * thick * thick * thick, 0.02 * 12);
  }
}

TEST(Water, StoneSinks) {
  Sea sea;
  sea.add(plate({0, 1, 0}, {2, 2, 2}, kStone));
  sea.run(20);
  EXPECT_TRUE(sea[0].asleep);
  EXPECT_NEAR(sea[0].position.y, -19.5, 0.005);
}

TEST(Water, OnlyCellsDisplaceAHollowBoxFillsUp) {
  std::vector<Block> box = plate({0, 0, 0}, {5, 5, 5}, kPlanks);
  std::erase_if(box, [](const Block& b) {
    return b.cell.x > 0 && b.cell.x < 4 && b.cell.y > 0 && b.cell.y < 4 && b.cell.z > 0 &&
           b.cell.z < 4;
  });
  ASSERT_EQ(box.size(), 98u);
  Sea sea;
  for (Block& b : box) b.cell.y -= 20;
  sea.add(box);
  sea.world.step();
  EXPECT_NEAR(sea[0].submerged_m3, 98 * 0.125, 1e-12);
  sea.run(40);
  EXPECT_NEAR(sea[0].submerged_m3, 0.6 * 98 * 0.125, 0.02 * 98 * 0.125);
}

TEST(Water, CellsOfCutBlocksAddUpToTheirVolume) {
  const Cuts ball = *named_cuts("ball");
  for (const int size : {1, 2, 5}) {
    const std::vector<Block> blocks{{{0, 0, 0}, size, kPlanks, ball}};
    const Piece piece = make_piece(blocks, default_materials(), InertiaRule::Shape);
    double volume = 0;
    Vec3 moment(0);
    for (const FloatCell& cell : float_cells(piece)) {
      volume += cell.volume;
      moment += cell.volume * cell.middle;
    }
    const double radius = 0.5 * kCell * size;
    EXPECT_NEAR(volume / (4 * std::numbers::pi / 3 * radius * radius * radius), 1, 0.005);
    EXPECT_LT(glm::length(moment) / volume, 0.01 * radius);
  }
}

TEST(Water, WhatFallsInSplashesFloatsAndRests) {
  Sea sea;
  sea.add(plate({0, 10, 0}, {4, 1, 4}, kPlanks));
  sea.run(20);
  std::vector<EventKind> kinds;
  double speed = 0;
  for (const Event& e : sea.world.take_events()) {
    kinds.push_back(e.kind);
    if (e.kind == EventKind::Splashed) speed = e.speed;
  }
  EXPECT_EQ(kinds,
            (std::vector<EventKind>{EventKind::Splashed, EventKind::Floats, EventKind::Rested}));
  EXPECT_NEAR(speed, std::sqrt(2 * 9.81 * 5), 0.2);
}

std::vector<EventKind> events_of(World& world) {
  std::vector<EventKind> kinds;
  for (const Event& e : world.take_events()) kinds.push_back(e.kind);
  return kinds;
}
bool holds(const std::vector<EventKind>& kinds, EventKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Water carries more than half of sunken bricks.
TEST(Water, WhatLiesOnTheBottomDoesNotFloat) {
  Sea sea;
  sea.add(plate({0, 1, 0}, {2, 2, 2}, kBricks));
  sea.run(20);
  ASSERT_TRUE(sea[0].asleep);
  const std::vector<EventKind> kinds = events_of(sea.world);
  EXPECT_TRUE(holds(kinds, EventKind::Splashed));
  EXPECT_TRUE(holds(kinds, EventKind::Rested));
  EXPECT_FALSE(holds(kinds, EventKind::Floats));
}

TEST(Water, WhatBreaksOffUnderWaterDoesNotSplash) {
  Sea sea;
  const std::vector<Block> tower = plate({0, -40, 0}, {1, 6, 1}, kStone);
  ASSERT_FALSE(sea.world.build(tower));
  sea.world.remove(std::vector<BlockId>{1});
  sea.run(1);
  ASSERT_EQ(sea.world.bodies().size(), 1u);
  EXPECT_GT(sea[0].submerged_m3, 0);
  EXPECT_FALSE(holds(events_of(sea.world), EventKind::Splashed));
  // What comes out and falls in again does.
  sea.world.move_body(0, {0, 4, 0}, kNoRotation);
  sea.run(2);
  EXPECT_TRUE(holds(events_of(sea.world), EventKind::Splashed));
}

TEST(Water, EnergyNeverGrows) {
  for (const bool sleeping : {true, false}) {
    ModernSettings modern;
    modern.sleeping = sleeping;
    Sea sea(modern);
    sea.add(plate({0, -20, 0}, {5, 2, 3}, kPlanks), Vec3(1, 0, 2), Vec3(1, 2, 3));
    sea.add(plate({0, 40, 60}, {6, 1, 6}, kPlanks), Vec3(0, -20, 0), Vec3(0.3, 0, 0));
    sea.add(plate({60, 10, 0}, {1, 1, 8}, kStone), Vec3(0), Vec3(0, 0, 9));
    sea.add({{{60, 4, 60}, 3, kPlanks, *named_cuts("ball")}}, Vec3(3, 0, 0), Vec3(0, 0, 5));
    EXPECT_LT(sea.run(30), 1e-3 * 75) << sleeping;
  }
}

TEST(Water, TheFasterItHitsTheMoreItIsBraked) {
  double last = 0;
  for (const double speed : {5.0, 20.0, 80.0, 200.0}) {
    Sea sea;
    sea.add(plate({0, 0, 0}, {2, 2, 2}, kPlanks), Vec3(0, -speed, 0));
    sea.run(0.25);
    const double now = glm::length(sea[0].velocity);
    EXPECT_LT(now / speed, last == 0 ? 1 : last) << speed;
    last = now / speed;
  }
}

TEST(Water, LoadsOnARaftPressItDown) {
  Sea sea;
  sea.add(plate({-4, 0, -4}, {8, 2, 8}, kPlanks));
  sea.run(20);
  const double before = sea[0].position.y;
  sea.add(plate({-1, 3, -1}, {2, 2, 2}, kStone));
  sea.run(20);
  EXPECT_TRUE(sea.world.all_at_rest());
  EXPECT_NEAR(before - sea[0].position.y, 2600.0 / 16000, 0.01);
  EXPECT_NEAR(sea[1].position.y - sea[0].position.y, 1, 0.01);
}

TEST(Water, APoolEndsAtItsSides) {
  Brush box;
  box.shape = Brush::Shape::Box;
  box.half_size = Vec3(4, 2, 4);
  const Water water{std::nullopt, {{box, 1.0}}};
  EXPECT_EQ(water_surface(water, {0, 0, 0}), 1);
  EXPECT_EQ(water_surface(water, {0, 30, 0}), 1);
  EXPECT_EQ(water_surface(water, {4.1, 0, 0}), kNoWater);
  EXPECT_EQ(water_surface(water, {0, -2.1, 0}), kNoWater);
  EXPECT_EQ(highest_surface(water), 1);
  EXPECT_EQ(highest_surface({std::nullopt, {{box, {}}}}), 2);
  EXPECT_EQ(highest_surface({5.0, {{box, {}}}}), 5);
  EXPECT_EQ(highest_surface({}), kNoWater);

  Sea sea({}, water);
  sea.add(plate({0, 3, 0}, {2, 1, 2}, kPlanks));
  sea.add(plate({20, 3, 0}, {2, 1, 2}, kPlanks));
  sea.run(20);
  EXPECT_NEAR(sea[0].position.y, 1 + 0.25 - 0.3, 0.01);
  EXPECT_NEAR(sea[1].position.y, -19.75, 0.01);
}

TEST(Water, ADryWorldRunsToTheSameBits) {
  const auto fall = [](Water water) {
    Sea sea({}, std::move(water));
    sea.add(plate({0, 10, 0}, {3, 1, 2}, kStone), Vec3(1, 0, 0), Vec3(1, 2, 3));
    sea.run(8);
    return sea[0].position;
  };
  EXPECT_EQ(fall({}), fall({-1000.0, {}}));
}

}  // namespace
}  // namespace talus
