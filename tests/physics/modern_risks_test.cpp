// What the published failures of other engines do not cover, and a solver may still get wrong.
#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/rotation.h"
#include "physics/world.h"
#include "support/overlap.h"

namespace talus {
namespace {

const std::vector<Material> kMaterials{{"rock", 1000, 0}, {"heavy", 8900, 0}};

Block cube(IVec3 cell, int size, MaterialId material = 0) {
  return {cell, size, material, {}};
}

Block ball(MaterialId material) {
  Block block = cube({0, 0, 0}, 2, material);
  block.cuts = *named_cuts("ball");
  return block;
}

World make_world(const ModernSettings& modern = {}) {
  TerrainSpec spec;
  spec.preset = "flat";
  WorldSettings settings;
  settings.step_s = 1.0 / 60;
  return {Solids{Field(Terrain{make_preset(spec), {}}), {}}, kMaterials, make_modern_solver(modern),
          settings};
}

void run(World& world, double seconds) {
  for (int i = 0; i < static_cast<int>(std::lround(seconds * 60)); ++i) world.step();
}

std::size_t add(World& world, const std::vector<Block>& blocks, Vec3 velocity = Vec3(0),
                Vec3 spin = Vec3(0)) {
  return world.add_piece(blocks, velocity, spin);
}

std::vector<Block> box(IVec3 cell, IVec3 blocks, int size = 1) {
  std::vector<Block> all;
  for (int z = 0; z < blocks.z; ++z) {
    for (int y = 0; y < blocks.y; ++y) {
      for (int x = 0; x < blocks.x; ++x) all.push_back(cube(cell + IVec3(x, y, z) * size, size));
    }
  }
  return all;
}

Quat about_y(double angle) {
  return Quat(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
}

/// Whoever is held back by something that moves on must still hit it.
TEST(ModernRisks, WhatFallsFasterHitsWhatFallsBeforeIt) {
  for (const double slower : {-1.0, -3.0, -6.0, -10.0}) {
    for (const double gap : {0.04, 0.11, 0.23}) {
      SCOPED_TRACE(testing::Message() << slower << " m/s, " << gap << " m");
      World world = make_world();
      add(world, {cube({0, 0, 0}, 2)}, Vec3(0, slower, 0));
      add(world, {cube({0, 0, 0}, 2)}, Vec3(0, -15, 0));
      world.move_body(0, Vec3(0.5, 40, 0.5), kNoRotation);
      world.move_body(1, Vec3(0.5, 41 + gap, 0.5), kNoRotation);
      run(world, 0.15);
      const double below = world.bodies()[0].velocity.y, above = world.bodies()[1].velocity.y;
      EXPECT_GT(above, below - 0.1);
      EXPECT_LT(above, below + 1);
      // Who is held back for the rest of a step does not gain that much speed.
      EXPECT_NEAR(above + below, slower - 15 - 2 * 9.81 * 0.15, 2 * 9.81 / 60);
    }
  }
}

/// Where a sleeper is and how it is turned counts, not how it was built.
TEST(ModernRisks, WhatFallsPastATurnedSleeperIsNotHeldBack) {
  World world = make_world();
  add(world, {cube({0, 0, 0}, 2)});
  world.move_body(0, Vec3(0, 0.5, 0), about_y(0.7853981634));
  run(world, 2);
  ASSERT_TRUE(world.all_at_rest());
  // Beside its face, 5 cm away, where its corner would be if it were not turned.
  add(world, {cube({0, 0, 0}, 1)}, Vec3(0, -20, 0));
  const double beside = (0.5 + 0.25 + 0.05) * 0.7071067812;
  world.move_body(1, Vec3(beside, 4, beside), about_y(0.7853981634));
  run(world, 0.25);
  EXPECT_LT(world.bodies()[1].position.y, 0.4);
  EXPECT_NEAR(world.bodies()[1].velocity.y, 0, 1);
}

TEST(ModernRisks, TheTipOfASpinningBeamStopsAtAWall) {
  World world = make_world();
  // A wall half a metre thick, and a beam 3 m long that turns into it.
  ASSERT_FALSE(world.build(box({4, 0, -8}, {1, 6, 16})));
  add(world, box({-3, 4, 0}, {6, 1, 1}), Vec3(0), Vec3(0, 30, 0));
  world.move_body(0, Vec3(0.9, 2.25, 0.25), about_y(1.5707963));
  double across = -HUGE_VAL;
  for (int i = 0; i < 240; ++i) {
    world.step();
    across = std::max(across, world.bodies()[0].position.x);
    ASSERT_LT(measure_overlap(world).pair_m, 0.15) << i;
  }
  EXPECT_LT(across, 2);
  EXPECT_LT(measure_overlap(world).pair_m, 0.005);
}

// Long enough to be solved in parts: bricks across a cut are as much at rest as all others.
TEST(ModernRisks, NobodyInALongLoadedWallClosesOnAnybody) {
  ModernSettings settings;
  settings.sleeping = false;
  World world = make_world(settings);
  constexpr int kBricks = 80, kCourses = 8;
  for (int course = 0; course < kCourses; ++course) {
    const MaterialId material = course + 2 < kCourses ? 0 : 1;
    for (int i = 0; i < kBricks; ++i) {
      const IVec3 at(2 * i + course % 2, course, 0);
      add(world, {cube(at, 1, material), cube(at + IVec3(1, 0, 0), 1, material)});
    }
  }
  run(world, 1);
  for (int i = 0; i < 10; ++i) {
    world.step();
    for (const Body& body : world.bodies()) ASSERT_LT(body.closing_speed, 0.05);
  }
}

TEST(ModernRisks, NothingGoesThroughAWallWhateverItsTiltAndSpeed) {
  for (const double speed : {20.0, 80.0, 200.0}) {
    for (int tilt = 0; tilt < 4; ++tilt) {
      World world = make_world();
      ASSERT_FALSE(world.build(box({8, 0, -16}, {1, 12, 32})));
      add(world, {cube({0, 4, 0}, 1)}, Vec3(speed, 0, 0.1 * speed));
      world.move_body(0, Vec3(1, 2.5, 0), normalized(Quat(1, 0.3 * tilt, 0.2 * tilt, -0.1 * tilt)));
      for (int i = 0; i < 120; ++i) {
        world.step();
        ASSERT_LT(world.bodies()[0].position.x, 4.0) << speed << " " << tilt << " " << i;
      }
    }
  }
}

TEST(ModernRisks, TwoThatMeetAtSpeedDoNotSwapSides) {
  for (const double speed : {30.0, 100.0, 200.0}) {
    ModernSettings s;
    s.gravity = 0;
    World world = make_world(s);
    add(world, {cube({-20, 10, 0}, 1)}, Vec3(speed, 0, 0));
    add(world, {cube({20, 10, 0}, 1)}, Vec3(-speed, 0, 0));
    for (int i = 0; i < 60; ++i) {
      world.step();
      ASSERT_LT(world.bodies()[0].position.x, world.bodies()[1].position.x) << speed << " " << i;
    }
  }
}

TEST(ModernRisks, SlidersCatchOnNoSeamInAnyDirection) {
  ModernSettings s;
  s.friction = 0;
  for (int direction = 0; direction < 8; ++direction) {
    World world = make_world(s);
    ASSERT_FALSE(world.build(box({-40, -1, -40}, {80, 1, 80})));
    add(world, {cube({0, 0, 0}, 1)});
    const double angle = direction * 3.14159265358979 / 4 + 0.05;
    const Vec3 way(std::cos(angle), 0, std::sin(angle));
    world.push(0, way * 6.0);
    double highest = 0;
    for (int i = 0; i < 150; ++i) {
      world.step();
      highest = std::max(highest, world.bodies()[0].position.y);
    }
    EXPECT_LT(highest, 0.2515) << direction;
    EXPECT_LT(glm::distance(world.bodies()[0].position, Vec3(0.25, 0.25, 0.25) + way * 15.0), 0.02)
        << direction;
  }
}

TEST(ModernRisks, ASliderAlongAWallOfCellsKeepsItsSpeed) {
  ModernSettings s;
  s.friction = 0;
  World world = make_world(s);
  ASSERT_FALSE(world.build(box({-4, 0, -1}, {60, 2, 1})));
  add(world, {cube({0, 0, 0}, 1)}, Vec3(6, 0, -0.5));
  run(world, 3);
  EXPECT_NEAR(world.bodies()[0].position.x, 0.25 + 18, 0.05);
  // It met the wall at half a metre a second and leaves it at less than a centimetre a second.
  EXPECT_NEAR(world.bodies()[0].position.z, 0.25, 0.03);
}

TEST(ModernRisks, ASleepingBridgeFeelsWhatIsLaidOnIt) {
  World world = make_world();
  // A plank on two posts, asleep; then a weight on its overhang that must tip it.
  add(world, {cube({0, 0, 0}, 2)});
  add(world, {cube({6, 0, 0}, 2)});
  std::vector<Block> plank;
  plank.reserve(16);
  for (int x = 0; x < 16; ++x) plank.push_back(cube({x, 2, 0}, 1));
  add(world, plank);
  run(world, 3);
  ASSERT_TRUE(world.all_at_rest());
  add(world, {cube({14, 4, 0}, 2, 1)});
  world.move_body(3, Vec3(7.4, 1.5 + 0.5 + 0.001, 0.25), kNoRotation);
  run(world, 4);
  EXPECT_LT(world.bodies()[3].position.y, 1.2);
}

/// Sleepers in a row are driven by a hit on the first as if they were awake.
TEST(ModernRisks, AHitDrivesARowOfSleepers) {
  const auto speeds = [](bool sleeping) {
    ModernSettings modern;
    modern.sleeping = sleeping;
    World world = make_world(modern);
    for (int i = 0; i < 5; ++i) add(world, {cube({4 * i, 0, 0}, 4)});
    run(world, 2);
    EXPECT_EQ(world.all_at_rest(), sleeping);
    add(world, {cube({0, 0, 0}, 4, 1)}, Vec3(10, 0, 0));
    world.move_body(5, Vec3(-1.5, 1, 1), kNoRotation);
    run(world, 0.2);
    std::vector<double> all;
    for (const Body& body : world.bodies()) all.push_back(body.velocity.x);
    return all;
  };
  const std::vector<double> awake = speeds(false), asleep = speeds(true);
  for (std::size_t i = 0; i < awake.size(); ++i) {
    EXPECT_GT(awake[i], 3);
    EXPECT_NEAR(asleep[i], awake[i], 0.3) << "body " << i;
  }
}

TEST(ModernRisks, DiggingUnderASleeperWakesIt) {
  World world = make_world();
  add(world, {cube({0, 0, 0}, 2)});
  run(world, 2);
  ASSERT_TRUE(world.all_at_rest());
  Brush brush;
  brush.center = Vec3(0.5, -1, 0.5);
  brush.half_size = Vec3(3, 2, 3);
  brush.shape = Brush::Shape::Box;
  world.edit_ground(brush);
  run(world, 1.0 / 30);
  EXPECT_LT(world.bodies()[0].velocity.y, -0.2);
  run(world, 4);
  EXPECT_NEAR(world.bodies()[0].position.y, -2.5, 0.05);
}

TEST(ModernRisks, AnExplosionWakesSleepers) {
  World world = make_world();
  add(world, {cube({0, 0, 0}, 2)});
  run(world, 2);
  ASSERT_TRUE(world.all_at_rest());
  world.explode({Vec3(-0.5, 0.5, 0.5), 2, 5});
  EXPECT_TRUE(world.bodies()[0].moving());
  run(world, 3);
  EXPECT_GT(world.bodies()[0].position.x, 0.7);
}

TEST(ModernRisks, ABallRollsAndABoxBesideItDoesNot) {
  World world = make_world();
  add(world, {ball(0)}, Vec3(4, 0, 0));
  add(world, {cube({0, 0, 8}, 2)}, Vec3(4, 0, 0));
  run(world, 1);
  EXPECT_GT(world.bodies()[0].position.x, 3);
  EXPECT_NEAR(world.bodies()[0].position.y, 0.5, 0.005);
  EXPECT_LT(world.bodies()[0].spin.z, -3);
  EXPECT_LT(world.bodies()[1].position.x, 2);
}

/// Of speed and height, and of turning.
double energy_of(const World& world) {
  double sum = 0;
  for (const Body& body : world.bodies()) {
    const glm::dmat3 axes = rotation_matrix(body.orientation);
    const Vec3 momentum = axes * (body.piece->inertia * (body.spin * axes));
    sum +=
        body.piece->mass * (0.5 * glm::dot(body.velocity, body.velocity) + 9.81 * body.position.y) +
        0.5 * glm::dot(body.spin, momentum);
  }
  return sum;
}

/// What is light and lies between a heavy ball and what holds it must not be shot away by what the
/// hit needed, nor shoot the ball back. What pushes overlaps apart may leave a little.
TEST(ModernRisks, NoHitThroughALightPlankGivesEnergy) {
  for (const double speed : {8.0, 13.0, 18.0}) {
    for (int tilt = 0; tilt < 8; ++tilt) {
      SCOPED_TRACE(testing::Message() << speed << " m/s, tilt " << tilt);
      World world = make_world();
      add(world, box({0, 0, 0}, {6, 1, 1}), Vec3(0), Vec3(0, 0, 4));
      add(world, {ball(1)}, Vec3(0.3, -speed, 0));
      world.move_body(0, Vec3(0, 0.9, 0), rotation_by({0.07 * tilt, 0.2 * tilt, 0.15 * tilt}));
      world.move_body(1, Vec3(-0.6 + 0.1 * tilt, 2.4, 0.1), kNoRotation);
      double energy = energy_of(world);
      for (int i = 0; i < 60; ++i) {
        world.step();
        const double now = energy_of(world);
        EXPECT_LT(now, energy + 3000) << "step " << i;
        energy = now;
      }
    }
  }
}

/// In a crease both flanks bear it. Asked for its nearest place alone, it hops from one to the
/// other.
TEST(ModernRisks, ABallComesToRestInACrease) {
  TerrainSpec spec;
  spec.preset = "hills";
  spec.seed = 20261114;
  World world(Solids{Field(Terrain{make_preset(spec), {}}), {}}, kMaterials, make_modern_solver({}),
              {});
  add(world, {ball(1)});
  world.move_body(0, Vec3(392.2, -34.37, 172.18), kNoRotation);
  double fastest = 0;
  for (int i = 0; i < 120 * 20 && !world.all_at_rest(); ++i) {
    world.step();
    if (i > 120 * 5) fastest = std::max(fastest, std::abs(world.bodies()[0].velocity.y));
  }
  EXPECT_TRUE(world.all_at_rest());
  EXPECT_LT(fastest, 0.05);
}

TEST(ModernRisks, CutBlocksRestOnTheirFaces) {
  for (const char* shape : {"ramp", "wedge roof", "pillar", "dome"}) {
    World world = make_world();
    ASSERT_FALSE(world.build(box({-4, 0, -4}, {10, 1, 10})));
    Block block = cube({0, 2, 0}, 2);
    block.cuts = *named_cuts(shape);
    add(world, {block});
    add(world, {cube({0, 8, 0}, 2)});
    run(world, 8);
    EXPECT_TRUE(world.all_at_rest()) << shape;
    EXPECT_GT(world.bodies()[0].position.y, 0.6) << shape;
    EXPECT_GT(world.bodies()[1].position.y, 0.4) << shape;
  }
}

TEST(ModernRisks, ThingsAtRestAreWithinTwoMillimetresOfTheirGround) {
  World world = make_world();
  for (int i = 0; i < 12; ++i) {
    const Quat q = normalized(Quat(1, 0.3 * (i % 3), 0.5 * (i % 4), 0.2 * (i % 5)));
    add(world, box({0, 0, 0}, {1 + i % 3, 1, 1 + i % 2}));
    world.move_body(static_cast<std::size_t>(i), Vec3(4 * i, 2, 0), q);
  }
  run(world, 8);
  ASSERT_TRUE(world.all_at_rest());
  for (const Body& body : world.bodies()) {
    double lowest = HUGE_VAL;
    for (const Vec3& p : body.piece->contact_points) lowest = std::min(lowest, to_world(body, p).y);
    EXPECT_LT(std::abs(lowest), 0.002);
  }
}

}  // namespace
}  // namespace talus
