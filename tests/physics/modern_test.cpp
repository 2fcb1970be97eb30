// What other engines get wrong with debris, each with its number.
#include <algorithm>
#include <cmath>
#include <memory>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "physics/world.h"
#include "support/debris.h"
#include "support/overlap.h"

namespace talus {
namespace {

const std::vector<Material> kMaterials{{"rock", 1000, 0}, {"light", 600, 0}, {"heavy", 8900, 0}};

Block cube(IVec3 cell, int size, MaterialId material = 0) {
  return {cell, size, material, {}};
}

struct Scene {
  World world;

  static Terrain ground(double slope_deg) {
    TerrainSpec spec;
    spec.preset = slope_deg == 0 ? "flat" : "slope";
    if (slope_deg != 0) spec.parameters = {{"rise_x_deg", slope_deg}};
    return {make_preset(spec), {}};
  }
  static WorldSettings settings() {
    WorldSettings s;
    s.step_s = 1.0 / 60;
    return s;
  }
  explicit Scene(const ModernSettings& modern = {}, double slope_deg = 0)
      : world(Solids{Field(ground(slope_deg)), {}}, kMaterials, make_modern_solver(modern),
              settings()) {}

  std::size_t add(const Block& block, Vec3 velocity = Vec3(0), Vec3 spin = Vec3(0)) {
    const std::vector<Block> blocks{block};
    return world.add_piece(blocks, velocity, spin);
  }
  void run(double seconds) {
    const auto steps = static_cast<int>(std::lround(seconds * 60));
    for (int i = 0; i < steps; ++i) world.step();
  }
  const Body& operator[](std::size_t i) const { return world.bodies()[i]; }
};

class BothWays : public testing::TestWithParam<bool> {
 protected:
  ModernSettings modern() const {
    ModernSettings s;
    s.sleeping = GetParam();
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(Sleeping, BothWays, testing::Bool(),
                         [](const auto& info) { return info.param ? "On" : "Off"; });

TEST_P(BothWays, TwentyCubesStand) {
  Scene scene(modern());
  for (int i = 0; i < 20; ++i) scene.add(cube({0, 2 * i, 0}, 2));
  scene.run(10);
  const Body& top = scene[19];
  EXPECT_NEAR(top.position.y, 19.5, 0.01);
  EXPECT_LT(std::hypot(top.position.x - 0.5, top.position.z - 0.5), 0.0025);
}

TEST_P(BothWays, LightUnderNineHeavyStands) {
  Scene scene(modern());
  scene.add(cube({0, 0, 0}, 2, 1));
  for (int i = 1; i < 10; ++i) scene.add(cube({0, 2 * i, 0}, 2, 2));
  scene.run(10);
  EXPECT_NEAR(scene[9].position.y, 9.5, 0.01);
  EXPECT_LT(measure_overlap(scene.world).pair_m, 0.01);
  EXPECT_LT(measure_overlap(scene.world).ground_m, 0.01);
}

TEST_P(BothWays, SmallLightUnderLargeHeavyStands) {
  Scene scene(modern());
  scene.add(cube({2, 0, 2}, 1, 1));
  const std::size_t top = scene.add(cube({0, 1, 0}, 4, 2));
  scene.world.move_body(top, Vec3(1.25, 1.5, 1.25), kNoRotation);
  scene.run(10);
  EXPECT_NEAR(scene[1].position.y, 1.5, 0.02);
  EXPECT_LT(measure_overlap(scene.world).pair_m, 0.02);
}

TEST(Modern, StackFallsOnceItsBaseIsGone) {
  Scene scene;
  ASSERT_FALSE(scene.world.build(std::vector<Block>{cube({0, 0, 0}, 2)}));
  for (int i = 1; i < 6; ++i) scene.add(cube({0, 2 * i, 0}, 2));
  scene.run(3);
  ASSERT_TRUE(scene.world.all_at_rest());
  scene.world.remove(std::vector<BlockId>{0});
  scene.run(1.0 / 60);
  EXPECT_LT(scene[0].velocity.y, -0.1);
  scene.run(5);
  EXPECT_NEAR(scene[0].position.y, 0.5, 0.01);
  EXPECT_NEAR(scene[4].position.y, 4.5, 0.02);
}

TEST(Modern, ShotAtTheGroundStops) {
  for (const double speed : {30.0, 60.0, 100.0, 150.0, 200.0}) {
    for (const bool tilted : {false, true}) {
      Scene scene;
      scene.add(cube({0, 10, 0}, 1), Vec3(0, -speed, 0));
      const Quat q = tilted ? normalized(Quat(0.9, 0.2, 0.1, 0.3)) : kNoRotation;
      scene.world.move_body(0, Vec3(0.25, 5.25, 0.25), q);
      double highest = -HUGE_VAL, lowest = HUGE_VAL;
      for (int i = 0; i < 600; ++i) {
        scene.world.step();
        if (scene[0].touching > 0 || highest > -HUGE_VAL) {
          highest = std::max(highest, scene[0].velocity.y);
        }
        lowest = std::min(lowest, scene[0].position.y);
      }
      if (!tilted) {
        EXPECT_LT(highest, 0.5) << speed;
      }
      EXPECT_GT(lowest, 0.2) << speed << tilted;
      EXPECT_LT(measure_overlap(scene.world).ground_m, 0.005) << speed << tilted;
      // A corner that hits at a hundred metres a second leaves a spin that takes long to die.
      if (!tilted || speed < 100) {
        EXPECT_TRUE(scene.world.all_at_rest()) << speed << tilted;
      }
    }
  }
}

TEST_P(BothWays, FrictionlessSliderMeetsNoSeam) {
  ModernSettings s = modern();
  s.friction = 0;
  for (const bool blocks : {false, true}) {
    Scene scene(s);
    if (blocks) {
      std::vector<Block> floor;
      for (int x = -4; x < 100; ++x) {
        for (int z = -4; z < 4; ++z) floor.push_back(cube({x, -1, z}, 1));
      }
      ASSERT_FALSE(scene.world.build(floor));
    }
    scene.add(cube({0, 0, 0}, 1), Vec3(8.06, 0, 0));
    double highest = 0;
    for (int i = 0; i < 300; ++i) {
      scene.world.step();
      highest = std::max(highest, scene[0].position.y);
    }
    EXPECT_NEAR(scene[0].position.x, 0.25 + 40.3, 0.02);
    EXPECT_LT(highest, 0.251);
  }
}

TEST_P(BothWays, HalfInsideOneAnotherPartGently) {
  Scene scene(modern());
  scene.add(cube({0, 0, 0}, 2));
  scene.add(cube({0, 0, 0}, 2));
  scene.world.move_body(1, Vec3(1.0, 0.5, 0.5), kNoRotation);
  double fastest = 0;
  for (int i = 0; i < 120; ++i) {
    scene.world.step();
    fastest = std::max({fastest, glm::length(scene[0].velocity), glm::length(scene[1].velocity)});
  }
  EXPECT_LT(fastest, 2);
  EXPECT_LT(measure_overlap(scene.world).pair_m, 0.005);
}

TEST(Modern, FreeFallIsSemiImplicitEuler) {
  Scene scene;
  scene.add(cube({0, 200, 0}, 2), Vec3(3, 4, 5));
  const double start = scene[0].position.y;
  scene.run(2);
  const double h = 1.0 / 960, n = 2 * 960;
  EXPECT_NEAR(scene[0].velocity.y, 4 - 9.81 * 2, 1e-9);
  EXPECT_NEAR(scene[0].position.y - start, 4 * 2 - 9.81 * h * h * n * (n + 1) / 2, 1e-9);
  EXPECT_NEAR(scene[0].position.x, 0.5 + 6, 1e-9);
}

TEST(Modern, TumblingTeeKeepsItsMomentumAndFlips) {
  ModernSettings s;
  s.gravity = 0;
  Scene scene(s);
  std::vector<Block> tee;
  for (int x = -2; x <= 2; ++x) tee.push_back(cube({x, 40, 0}, 1));
  tee.push_back(cube({0, 41, 0}, 1));
  tee.push_back(cube({0, 42, 0}, 1));
  scene.world.add_piece(tee, Vec3(0), Vec3(0.01, 5, 0.01));
  const auto momentum = [&] {
    const Mat3 r = rotation_matrix(scene[0].orientation);
    return r * (scene[0].piece->inertia * (glm::transpose(r) * scene[0].spin));
  };
  const Vec3 before = momentum();
  const double energy = kinetic_energy(scene[0]);
  scene.run(20);
  EXPECT_LT(glm::distance(momentum(), before), 1e-9 * glm::length(before));
  EXPECT_NEAR(kinetic_energy(scene[0]), energy, 0.005 * energy);
}

TEST(Modern, StoppingDistanceIsThatOfCoulomb) {
  ModernSettings s;
  s.friction = 0.4;
  Scene scene(s);
  scene.add(cube({0, 0, 0}, 2), Vec3(6, 0, 0));
  // Wide and low would not tip; a cube under friction below 1 does not either.
  scene.run(5);
  EXPECT_NEAR(scene[0].position.x - 0.5, 36 / (2 * 0.4 * 9.81), 0.03);
  EXPECT_TRUE(scene.world.all_at_rest());
}

TEST(Modern, AngleOfFrictionFromBothSides) {
  for (const double angle : {20.0, 25.0}) {
    ModernSettings s;
    s.friction = std::tan(22.5 * 3.14159265358979 / 180);
    Scene scene(s, angle);
    scene.add(cube({0, 0, 0}, 2));
    const double t = angle * 3.14159265358979 / 180;
    const Quat q(std::cos(t / 2), 0, 0, std::sin(t / 2));
    scene.world.move_body(0, rotation_matrix(q) * Vec3(0, 0.5, 0), q);
    scene.run(3);
    if (angle < 22.5) {
      EXPECT_LT(glm::length(scene[0].position - rotation_matrix(q) * Vec3(0, 0.5, 0)), 0.005);
    } else {
      EXPECT_LT(scene[0].position.x, -0.5);
    }
  }
}

TEST(Modern, RestitutionSetsTheHeightOfTheBounce) {
  for (const double e : {0.3, 0.6}) {
    ModernSettings s;
    s.restitution = e;
    Scene scene(s);
    scene.add(cube({0, 10, 0}, 2));
    bool up = false;
    double top = 0;
    for (int i = 0; i < 600 && !(up && scene[0].velocity.y < 0); ++i) {
      scene.world.step();
      up = up || scene[0].velocity.y > 0.5;
      if (up) top = std::max(top, scene[0].position.y);
    }
    EXPECT_NEAR(top - 0.5, e * e * 5, 0.15) << e;
  }
}

TEST(Modern, DebrisRestsInOrderly) {
  for (const Debris kind : {Debris::Cubes, Debris::Pieces}) {
    const auto world = make_debris(kind, TALUS_TEST_DATA "/debris", 0, make_modern_solver());
    for (int i = 0; i < 600; ++i) world->step();
    const Overlap overlap = measure_overlap(*world);
    EXPECT_LT(overlap.pair_m, 0.005);
    EXPECT_LT(overlap.ground_m, 0.005);
    EXPECT_EQ(overlap.below, 0);
  }
}

}  // namespace
}  // namespace talus
