#include "physics/breaking.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/hash.h"
#include "physics/world.h"
#include "terrain/preset.h"

namespace talus {
namespace {

constexpr double kStep = 1.0 / 120;
constexpr MaterialId kBricks = 1, kCopper = 5;

Blocks row(int length) {
  Blocks blocks;
  for (int x = 0; x < length; ++x) blocks.place({{x, 0, 0}, 1, kBricks, {}});
  return blocks;
}

/// What one bond of bricks bears in pull.
double bond_impulse() {
  return default_materials()[kBricks].strength_n_m2 * kCell * kCell * kStep;
}

TEST(Breaking, ABondBreaksOverItsStrengthAndNotBelow) {
  const Blocks blocks = row(3);
  const auto materials = default_materials();
  const HitStructure held{blocks, materials, kStep, [](BlockId id) { return id == 0; }};
  for (const double share : {0.5, 0.98}) {
    const std::vector<BlockImpulse> hit{{2, Vec3(0, -share * bond_impulse(), 0)}};
    EXPECT_TRUE(break_bonds(held, hit).fragments.empty()) << share;
  }
  const std::vector<BlockImpulse> hit{{2, Vec3(0, -1.02 * bond_impulse(), 0)}};
  const Breakage found = break_bonds(held, hit);
  EXPECT_FALSE(found.fragments.empty());
  EXPECT_NEAR(found.taken, bond_impulse(), 1e-9 * bond_impulse());
}

TEST(Breaking, PressureIsBorneTenTimesAsWellAsPull) {
  const Blocks blocks = row(3);
  const auto materials = default_materials();
  const HitStructure held{blocks, materials, kStep, [](BlockId id) { return id == 0; }};
  const auto breaks = [&](double along) {
    const std::vector<BlockImpulse> hit{{2, Vec3(along * bond_impulse(), 0, 0)}};
    return !break_bonds(held, hit).fragments.empty();
  };
  EXPECT_FALSE(breaks(0.98));
  EXPECT_TRUE(breaks(1.02));
  EXPECT_FALSE(breaks(-9.8));
  EXPECT_TRUE(breaks(-10.2));
}

TEST(Breaking, TheWeakestBondOnTheWayGivesWay) {
  Blocks blocks;
  blocks.place({{0, 0, 0}, 1, kCopper, {}});
  blocks.place({{1, 0, 0}, 1, kCopper, {}});
  blocks.place({{2, 0, 0}, 1, kBricks, {}});  // between copper
  blocks.place({{3, 0, 0}, 1, kCopper, {}});
  blocks.place({{4, 0, 0}, 1, kCopper, {}});
  const auto materials = default_materials();
  const HitStructure held{blocks, materials, kStep, [](BlockId id) { return id == 0; }};
  const std::vector<BlockImpulse> hit{{4, Vec3(0, 2 * bond_impulse(), 0)}};
  const Breakage found = break_bonds(held, hit);
  ASSERT_EQ(found.fragments.size(), 2u);
  EXPECT_EQ(found.fragments[0], (Component{2}));
  EXPECT_EQ(found.fragments[1], (Component{3, 4}));
}

TEST(Breaking, WhatFliesBreaksWhereItsMassPulls) {
  // Held back at one end, the other nine blocks pull at the first bond.
  const Blocks blocks = row(10);
  const auto materials = default_materials();
  const HitStructure flying{blocks, materials, kStep, {}};
  const auto hits = [&](double impulse) {
    std::vector<BlockImpulse> all{{0, Vec3(-impulse, 0, 0)}};
    for (BlockId id = 0; id < 10; ++id) all.push_back({id, Vec3(impulse / 10, 0, 0)});
    return all;
  };
  EXPECT_TRUE(break_bonds(flying, hits(1.09 * bond_impulse())).fragments.empty());
  const Breakage found = break_bonds(flying, hits(1.13 * bond_impulse()));
  ASSERT_EQ(found.fragments.size(), 1u);
  EXPECT_EQ(found.fragments[0], (Component{0}));
}

World flat_world(bool breaks, double gravity = 9.81) {
  TerrainSpec spec;
  spec.preset = "flat";
  WorldSettings settings;
  settings.break_on_impact = breaks;
  settings.gravity = gravity;
  return World(Solids{Field(Terrain{make_preset(spec), {}}), {}}, default_materials(),
               make_modern_solver({.gravity = gravity}), settings);
}

std::vector<Block> wall() {
  std::vector<Block> blocks;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 21; ++x) blocks.push_back({{x, y, 0}, 1, kBricks, {}});
  }
  return blocks;
}

Ball wrecker() {
  return {.position = {5.25, 1.5, -4},
          .velocity = {0, 2, 14},
          .radius = 0.5,
          .density = 7800,
          .restitution = 0.1};
}

TEST(Breaking, AWreckingBallGoesThroughAWallThatStandsOtherwise) {
  for (const bool breaks : {false, true}) {
    World world = flat_world(breaks);
    ASSERT_FALSE(world.build(wall()));
    world.add_ball(wrecker());
    double fastest = 0;
    for (int i = 0; i < 240; ++i) {
      world.step();
      ASSERT_TRUE(world.counts().conserved());
      fastest = std::max(fastest, glm::length(world.balls()[0].velocity));
    }
    EXPECT_EQ(world.balls()[0].position.z > 1, breaks);
    EXPECT_EQ(world.counts().standing < 168, breaks);
    EXPECT_GT(world.counts().standing, 130);
    EXPECT_EQ(world.bodies().empty(), !breaks);
    EXPECT_LT(fastest, 14.2);
  }
}

TEST(Breaking, WhatBreaksOutGetsTheMomentumThatTheBallLoses) {
  World world = flat_world(true);
  ASSERT_FALSE(world.build(wall()));
  world.add_ball(wrecker());
  while (world.bodies().empty() && world.steps() < 100) world.step();
  const double ball = mass(world.balls()[0]), lost = ball * (14 - world.balls()[0].velocity.z);
  double gained = 0;
  for (const Body& body : world.bodies()) gained += body.piece->mass * body.velocity.z;
  EXPECT_GT(gained, 0.3 * ball);
  EXPECT_LE(gained, lost * (1 + 1e-9));
  // The rest is what the bonds around took.
  EXPECT_LT(lost - gained, 24 * bond_impulse());
}

std::uint64_t dropped_beam(MaterialId material, bool breaks, std::size_t& bodies) {
  World world = flat_world(breaks);
  std::vector<Block> beam;
  beam.reserve(12);
  for (int x = 0; x < 12; ++x) beam.push_back({{x, 20, 0}, 1, material, {}});
  // An anvil that one end of it falls on.
  EXPECT_FALSE(world.build(std::vector<Block>{{{0, 0, 0}, 1, 0, {}}, {{0, 1, 0}, 1, 0, {}}}));
  world.add_piece(beam, Vec3(0), Vec3(0));
  Hash64 hash;
  bool split = false;
  for (int i = 0; i < 400; ++i) {
    world.step();
    EXPECT_TRUE(world.counts().conserved());
    for (const Event& e : world.take_events()) split = split || e.kind == EventKind::Split;
    for (const Body& b : world.bodies()) hash.add(b.position).add(b.orientation);
  }
  bodies = 0;
  double mass = 0;
  for (const Body& body : world.bodies()) {
    if (body.split) continue;
    ++bodies;
    mass += body.piece->mass;
  }
  EXPECT_NEAR(mass, 12 * default_materials()[material].density_kg_m3 / 8, 1e-6);
  EXPECT_EQ(split, bodies > 1);
  return hash.value();
}

TEST(Breaking, ABeamOfBricksThatFallsOnAnAnvilSplitsAndOneOfCopperDoesNot) {
  std::size_t bodies = 0;
  dropped_beam(kBricks, false, bodies);
  EXPECT_EQ(bodies, 1u);
  dropped_beam(kCopper, true, bodies);
  EXPECT_EQ(bodies, 1u);
  const std::uint64_t first = dropped_beam(kBricks, true, bodies);
  EXPECT_GT(bodies, 1u);
  EXPECT_EQ(dropped_beam(kBricks, true, bodies), first);
}

TEST(Breaking, ASplitKeepsMomentum) {
  World world = flat_world(true, 0);
  std::vector<Block> beam;
  beam.reserve(12);
  for (int x = 0; x < 12; ++x) beam.push_back({{x, 200, 0}, 1, kBricks, {}});
  world.add_piece(beam, Vec3(0), Vec3(0));
  Ball ball = wrecker();
  ball.position = {0.25, 100.3, -4};
  ball.velocity = {0, 0, 30};
  world.add_ball(ball);
  const auto momentum = [&] {
    Vec3 p = mass(ball) * world.balls()[0].velocity;
    for (const Body& b : world.bodies()) p += b.lost ? Vec3(0) : b.piece->mass * b.velocity;
    return p;
  };
  while (world.bodies().size() < 2 && world.steps() < 60) world.step();
  ASSERT_GT(world.bodies().size(), 1u);
  EXPECT_TRUE(world.bodies()[0].split);
  for (int i = 0; i < 5; ++i) world.step();
  const Vec3 p = momentum();
  EXPECT_NEAR(p.z, 30 * mass(ball), 1e-6 * p.z);
  EXPECT_NEAR(p.x, 0, 1e-6 * p.z);
}

}  // namespace
}  // namespace talus
