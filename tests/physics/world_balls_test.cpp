// Balls and walkers in a world with pieces.
#include <algorithm>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "physics/world.h"
#include "terrain/preset.h"

namespace talus {
namespace {

World flat_world(const WorldSettings& settings = {}) {
  TerrainSpec spec;
  spec.preset = "flat";
  return World(Solids{Field(Terrain{make_preset(spec), {}}), {}}, default_materials(),
               make_modern_solver(), settings);
}

/// size^3 m of stone in one block, its least corner there.
std::vector<Block> cube(IVec3 cell, int size = 2, MaterialId material = 0) {
  return {{cell, size, material, {}}};
}

Ball iron(Vec3 position, Vec3 velocity, double radius = 0.3) {
  return {.position = position, .velocity = velocity, .radius = radius, .density = 7800};
}

void run(World& world, int steps) {
  for (int i = 0; i < steps; ++i) {
    world.step();
    ASSERT_TRUE(world.counts().conserved());
    ASSERT_FALSE(world.first_broken());
  }
}

std::size_t count(const std::vector<Event>& events, EventKind kind, Actor::Kind who) {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) {
    return e.kind == kind && e.who.kind == who;
  }));
}

TEST(WorldBalls, ABallThatHitsAPieceInFlightKeepsTheirMomentumAndTurnsIt) {
  World world = flat_world();
  const double mass_of_cube = 2600;
  world.add_piece(cube({0, 200, 0}), Vec3(0), Vec3(0));
  world.add_ball(iron({0.9, 100.5, -6}, {0, 0, 40}));
  const auto momentum = [&] {
    // Gravity takes the same from all: left out by looking across it.
    const Vec3 p = mass(world.balls()[0]) * world.balls()[0].velocity +
                   mass_of_cube * world.bodies()[0].velocity;
    return Vec3(p.x, 0, p.z);
  };
  const Vec3 before = momentum();
  run(world, 30);
  EXPECT_LT(glm::distance(momentum(), before), 1e-6 * glm::length(before));
  EXPECT_GT(world.bodies()[0].velocity.z, 3);
  EXPECT_LT(world.balls()[0].velocity.z, 30);
  EXPECT_LT(world.bodies()[0].spin.y, -1);  // hit on the side of +x
}

TEST(WorldBalls, AHitWakesASleepingPiece) {
  World world = flat_world();
  world.add_piece(cube({0, 0, 0}), Vec3(0), Vec3(0));
  run(world, 200);
  ASSERT_TRUE(world.all_at_rest());
  world.take_events();
  world.add_ball(iron({-3, 0.5, 0.5}, {15, 0, 0}));
  EXPECT_FALSE(world.all_at_rest());
  run(world, 60);
  const auto events = world.take_events();
  EXPECT_EQ(count(events, EventKind::Woke, Actor::Kind::Body), 1u);
  EXPECT_EQ(count(events, EventKind::FirstContact, Actor::Kind::Ball), 1u);
  EXPECT_GE(count(events, EventKind::Hit, Actor::Kind::Ball), 1u);
  EXPECT_GT(world.bodies()[0].position.x, 0.6);
}

TEST(WorldBalls, HoweverFastNeitherBallNorPieceGoesThroughTheOther) {
  for (const double speed : {20.0, 200.0, 5000.0}) {
    World world = flat_world();
    world.add_piece(cube({0, 200, 0}), Vec3(0), Vec3(0.3, 0.2, 0.1));
    world.add_ball(iron({0.5, 100.5, -6}, {0, 0, speed}, 0.1));
    run(world, 60);
    EXPECT_LT(world.balls()[0].position.z, world.bodies()[0].position.z - 0.5) << speed;
  }
  for (const double speed : {20.0, 150.0}) {
    World world = flat_world();
    world.add_piece(cube({0, 200, 0}), Vec3(0, 0, -speed), Vec3(0));
    world.add_ball(iron({0.5, 100.5, -6}, {0, 0, 0}, 0.1));
    run(world, 60);
    EXPECT_LT(world.balls()[0].position.z, world.bodies()[0].position.z - 0.5) << speed;
  }
}

TEST(WorldBalls, APieceComesToRestOnABall) {
  World world = flat_world();
  world.add_ball(iron({0.5, 0.5, 0.5}, {0, 0, 0}, 0.5));
  world.add_piece(cube({-1, 4, -1}, 4, 2), Vec3(0), Vec3(0));
  double deepest = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    const Ball& ball = world.balls()[0];
    ASSERT_GT(ball.position.y, 0.48) << i;
    const Body& body = world.bodies()[0];
    const Vec3 local =
        glm::transpose(rotation_matrix(body.orientation)) * (ball.position - body.position);
    const Vec3 out = glm::max(glm::abs(local) - Vec3(1), Vec3(0));
    deepest = std::max(deepest, 0.5 - glm::length(out));
  }
  EXPECT_LT(deepest, 0.02);
  EXPECT_GT(world.bodies()[0].position.y, 0.9);
}

TEST(WorldBalls, DiggingUnderARestingBallLetsItFall) {
  World world = flat_world();
  world.add_ball(iron({0.5, 0.3, 0.5}, {0, 0, 0}));
  run(world, 120);
  ASSERT_TRUE(world.all_at_rest());
  Brush hole;
  hole.center = Vec3(0.5, 0, 0.5);
  hole.radius = 3;
  world.edit_ground(hole);
  run(world, 60);
  EXPECT_LT(world.balls()[0].position.y, -0.5);
}

TEST(WorldBalls, RemovingTheBlockUnderARestingBallLetsItFall) {
  World world = flat_world();
  ASSERT_FALSE(world.build(cube({0, 0, 0}, 4)));
  world.add_ball(iron({1, 2.3, 1}, {0, 0, 0}));
  run(world, 120);
  ASSERT_TRUE(world.all_at_rest());
  world.remove(std::vector<BlockId>{0});
  run(world, 400);
  EXPECT_LT(world.balls()[0].position.y, 0.4);
}

TEST(WorldBalls, WhatRestsOnAMovedPieceWakes) {
  World world = flat_world();
  world.add_piece(cube({0, 0, 0}), Vec3(0), Vec3(0));
  run(world, 120);
  world.add_ball(iron({0.5, 1.3, 0.5}, {0, 0, 0}));
  run(world, 200);
  ASSERT_TRUE(world.all_at_rest());
  EXPECT_NEAR(world.balls()[0].position.y, 1.3, 0.02);
  world.push(0, Vec3(12, 0, 0));
  run(world, 120);
  EXPECT_LT(world.balls()[0].position.y, 1.2);
}

TEST(WorldBalls, WhatFallsOutOfTheWorldIsLost) {
  World world = flat_world({.lost_below_m = -20});
  world.add_ball(iron({0, -19, 0}, {0, -100, 0}));
  run(world, 5);
  EXPECT_TRUE(world.balls()[0].lost);
  EXPECT_EQ(count(world.take_events(), EventKind::Lost, Actor::Kind::Ball), 1u);
  EXPECT_TRUE(world.all_at_rest());
}

TEST(WorldWalkers, NoBlockIsPlacedInsideOneAndNoneStartsInsideABlock) {
  World world = flat_world();
  Walker walker;
  ASSERT_TRUE(world.add_walker(walker));
  const BlockCounts before = world.counts();
  EXPECT_EQ(world.place({{-1, 0, -1}, 2, 0, {}}), kNoBlock);
  EXPECT_TRUE(world.walker_in_the_way({{-1, 0, -1}, 2, 0, {}}));
  EXPECT_EQ(world.counts().built, before.built);
  EXPECT_NE(world.place({{2, 0, 0}, 2, 0, {}}), kNoBlock);
  walker.position = {1.5, 0, 0.5};
  EXPECT_FALSE(world.add_walker(walker));
}

TEST(WorldWalkers, WhatFallsOnItsFeetMovesIt) {
  World world = flat_world();
  Walker walker;
  walker.position = {0.9, 0, 0.5};
  ASSERT_TRUE(world.add_walker(walker));
  world.add_piece(cube({0, 8, 0}, 2, 2), Vec3(0), Vec3(0));
  for (int i = 0; i < 240; ++i) {
    world.step();
    ASSERT_LE(world.depth_of_walker(0), 0.02) << i;
  }
  EXPECT_GT(world.walkers()[0].position.x, 1.3);
  EXPECT_FALSE(world.walkers()[0].crushed);
}

TEST(WorldWalkers, UnderASlabThatComesDownItIsCrushed) {
  World world = flat_world();
  ASSERT_TRUE(world.add_walker(Walker()));
  std::vector<Block> slab;
  for (int x = -12; x < 12; x += 4) {
    for (int z = -12; z < 12; z += 4) slab.push_back({{x, 12, z}, 4, 0, {}});
  }
  world.add_piece(slab, Vec3(0), Vec3(0));
  run(world, 400);
  EXPECT_TRUE(world.walkers()[0].crushed);
  EXPECT_EQ(count(world.take_events(), EventKind::Crushed, Actor::Kind::Walker), 1u);
}

TEST(WorldWalkers, UnderAThinSlabThatComesDownItIsCrushedAndNotOnTopOfIt) {
  for (const double speed : {0.0, 5.0, 40.0}) {
    World world = flat_world();
    ASSERT_TRUE(world.add_walker(Walker()));
    std::vector<Block> slab;
    for (int x = -8; x < 8; ++x) {
      for (int z = -8; z < 8; ++z) slab.push_back({{x, 8, z}, 1, 0, {}});
    }
    world.add_piece(slab, Vec3(0, -speed, 0), Vec3(0));
    run(world, 400);
    EXPECT_TRUE(world.walkers()[0].crushed) << speed;
    EXPECT_LT(world.walkers()[0].position.y, 0.1) << speed;
  }
}

TEST(WorldWalkers, ABallBouncesOffAndPushes) {
  for (const double speed : {3.0, 30.0, 100.0}) {
    World world = flat_world();
    ASSERT_TRUE(world.add_walker(Walker()));
    world.add_ball({.position = {-0.7, 1.4, 0}, .velocity = {speed, 0, 0}, .radius = 0.1});
    const double momentum = mass(world.balls()[0]) * speed;
    double fastest = 0;
    for (int i = 0; i < 360; ++i) {
      world.step();
      fastest = std::max(fastest, world.walkers()[0].velocity.x);
      ASSERT_LT(world.balls()[0].position.x, world.walkers()[0].position.x);
      ASSERT_LE(world.depth_of_walker(0), kWalkerSlack);
    }
    EXPECT_GT(80 * fastest, 0.7 * momentum) << speed;
    EXPECT_LT(80 * fastest, 1.2 * momentum) << speed;
    EXPECT_GT(world.walkers()[0].position.x, 0.001) << speed;
    EXPECT_EQ(world.walkers()[0].velocity, Vec3(0)) << speed;
    EXPECT_FALSE(world.walkers()[0].crushed) << speed;
  }
}

TEST(WorldWalkers, ABallAtFiveHundredMetresASecondCrushesOneAndIsNotMissed) {
  World world = flat_world();
  ASSERT_TRUE(world.add_walker(Walker()));
  world.add_ball({.position = {-3, 1.4, 0}, .velocity = {500, 0, 0}, .radius = 0.1});
  run(world, 3);
  EXPECT_TRUE(world.walkers()[0].crushed);
}

TEST(WorldWalkers, ABallPushesOneIntoAWallAndCrushesItThere) {
  World world = flat_world();
  ASSERT_FALSE(world.build(std::vector<Block>{{{1, 0, -4}, 8, 0, {}}}));
  Walker walker;
  walker.position = {-0.2, 0, 0};
  ASSERT_TRUE(world.add_walker(walker));
  world.add_ball({.position = {-4, 0.9, 0}, .velocity = {6, 1.5, 0}, .radius = 0.8});
  run(world, 240);
  EXPECT_TRUE(world.walkers()[0].crushed);
  EXPECT_EQ(count(world.take_events(), EventKind::Crushed, Actor::Kind::Walker), 1u);
}

TEST(WorldWalkers, ABallThatRestsOnOneFallsWhenItWalksOn) {
  World world = flat_world();
  Walker walker;
  walker.goals = {{WalkerGoal::Kind::Wait, {}, 4}, {WalkerGoal::Kind::WalkTo, {3, 0, 0}, 0}};
  ASSERT_TRUE(world.add_walker(walker));
  world.add_ball({.position = {0, 2.0, 0}, .radius = 0.1, .restitution = 0});
  run(world, 240);
  EXPECT_NEAR(world.balls()[0].position.y, 1.9, 0.01);
  run(world, 480);
  EXPECT_LT(world.balls()[0].position.y, 0.2);
  EXPECT_TRUE(world.all_at_rest());
}

}  // namespace
}  // namespace talus
