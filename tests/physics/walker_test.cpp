#include "physics/walker.h"

#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/random.h"
#include "terrain/preset.h"

namespace talus {
namespace {

constexpr double kStep = 1.0 / 60;

/// A plain at y = 0.
Solids plain() {
  TerrainSpec flat;
  flat.preset = "flat";
  flat.parameters = {{"level_m", 0.0}};
  return {Field({make_preset(flat), {}}), {}};
}

void put(Solids& solids, IVec3 cell, Cuts cuts = {}) {
  solids.blocks.place({cell, 1, 0, cuts});
}

Walker walker_at(Vec3 position, std::vector<WalkerGoal> goals = {}) {
  Walker walker;
  walker.position = position;
  walker.goals = std::move(goals);
  return walker;
}

WalkerGoal walk_to(double x, double z) {
  return {WalkerGoal::Kind::WalkTo, {x, 0, z}, 0};
}

/// Steps until the goals are done, or the time is up; never inside anything.
void live(Walker& walker, const WalkerSurroundings& around, double seconds) {
  for (double t = 0; t < seconds && !(walker.done() && !walker.goals.empty()); t += kStep) {
    step_walker(walker, around, {}, kStep);
    ASSERT_LE(walker_depth(walker, around), kWalkerSlack);
  }
}

TEST(Walker, ItWalksAtItsSpeedAndArrives) {
  Solids solids = plain();
  Walker walker = walker_at({0, 0, 0}, {walk_to(6, -8)});
  live(walker, {solids}, 3.2);
  EXPECT_FALSE(walker.done());
  live(walker, {solids}, 0.4);
  EXPECT_TRUE(walker.done());
  EXPECT_NEAR(walker.position.x, 6, 0.2);
  EXPECT_NEAR(walker.position.z, -8, 0.2);
  EXPECT_NEAR(walker.position.y, 0, 0.01);
}

TEST(Walker, StairsOfOneCellAreClimbed) {
  Solids solids = plain();
  for (int i = 0; i < 6; ++i) {
    for (int y = 0; y <= i; ++y) {
      for (int z = -3; z < 3; ++z) {
        put(solids, {4 + 2 * i, y, z});
        put(solids, {5 + 2 * i, y, z});
      }
    }
  }
  Walker walker = walker_at({0, 0, 0.1}, {walk_to(7.6, 0.1)});
  live(walker, {solids}, 6);
  EXPECT_TRUE(walker.done());
  EXPECT_NEAR(walker.position.y, 3, 0.01);
  EXPECT_NE(walker.stands_on, kNoBlock);
}

TEST(Walker, AWallOfTwoCellsIsNotClimbed) {
  Solids solids = plain();
  for (int z = -8; z < 8; ++z) {
    for (int y = 0; y < 2; ++y) put(solids, {4, y, z});
  }
  Walker walker = walker_at({0, 0, 0.1}, {walk_to(6, 0.1)});
  live(walker, {solids}, 6);
  EXPECT_FALSE(walker.done());
  EXPECT_NEAR(walker.position.x, 1.6, 0.05);
  EXPECT_NEAR(walker.position.y, 0, 0.01);
}

TEST(Walker, UnderABeamAtItsHeadNoStepIsClimbed) {
  Solids solids = plain();
  for (int z = -8; z < 8; ++z) {
    put(solids, {4, 0, z});
    for (int x = 2; x < 7; ++x) put(solids, {x, 4, z});
  }
  Walker walker = walker_at({0, 0, 0.1}, {walk_to(6, 0.1)});
  live(walker, {solids}, 4);
  EXPECT_NEAR(walker.position.y, 0, 0.01);
  EXPECT_LT(walker.position.x, 1.7);
}

TEST(Walker, OnASlopeItCanStandOnItDoesNotSlide) {
  Solids solids = plain();
  const Cuts ramp = *named_cuts("ramp");
  for (int i = 0; i < 6; ++i) {
    for (int z = -3; z < 3; ++z) {
      for (int y = 0; y < i; ++y) put(solids, {i, y, z});
      put(solids, {i, i, z}, ramp);
    }
  }
  Walker walker = walker_at({1.6, 3.2, 0.1});
  live(walker, {solids}, 1);
  EXPECT_TRUE(walker.grounded);
  const Vec3 stood = walker.position;
  live(walker, {solids}, 10);
  EXPECT_LT(glm::length(walker.position - stood), 1e-3);
  walker.goals = {walk_to(2.6, 0.1)};
  live(walker, {solids}, 3);
  EXPECT_TRUE(walker.done());
  EXPECT_GT(walker.position.y, stood.y + 0.5);
}

TEST(Walker, OnSlopingGroundItStandsUpToItsLimitAndWalksUpIt) {
  for (const double degrees : {20.0, 40.0, 50.0}) {
    TerrainSpec slope;
    slope.preset = "slope";
    slope.parameters = {{"rise_x_deg", degrees}};
    Solids solids{Field({make_preset(slope), {}}), {}};
    Walker walker = walker_at({0.3, 0.8, 0.1});
    live(walker, {solids}, 2);
    ASSERT_TRUE(walker.grounded);
    const Vec3 stood = walker.position;
    live(walker, {solids}, 20);
    EXPECT_LT(glm::length(walker.position - stood), 1e-3) << degrees;
    walker.goals = {walk_to(3, 0.1)};
    live(walker, {solids}, 3);
    EXPECT_TRUE(walker.done()) << degrees;
    EXPECT_GT(walker.position.y, stood.y + 1.5 * std::tan(degrees * 3.14159 / 180)) << degrees;
  }
}

TEST(Walker, AJumpRisesAsHighAsItsSpeedSays) {
  Solids solids = plain();
  Walker walker = walker_at({0, 0, 0}, {{WalkerGoal::Kind::Wait, {}, 0.1},
                                        {WalkerGoal::Kind::Jump, {}, 0},
                                        {WalkerGoal::Kind::Wait, {}, 2}});
  double highest = 0;
  for (int i = 0; i < 120; ++i) {
    step_walker(walker, {solids}, {}, kStep);
    highest = std::max(highest, walker.position.y);
  }
  EXPECT_NEAR(highest, 4.5 * 4.5 / (2 * 9.81), 0.05);
  EXPECT_TRUE(walker.grounded);
}

TEST(Walker, OffATowersEdgeItFallsAndLands) {
  Solids solids = plain();
  for (int y = 0; y < 12; ++y) {
    for (int x = -2; x < 2; ++x) {
      for (int z = -2; z < 2; ++z) put(solids, {x, y, z});
    }
  }
  Walker walker = walker_at({0, 6, 0}, {walk_to(4, 0), {WalkerGoal::Kind::Wait, {}, 1}});
  live(walker, {solids}, 6);
  EXPECT_NEAR(walker.position.y, 0, 0.01);
  EXPECT_TRUE(walker.grounded);
}

TEST(Walker, ABlockThatLandsOnItsFeetPushesItOutTheNearestWay) {
  Solids solids = plain();
  Walker walker = walker_at({0, 0, 0});
  live(walker, {solids}, 0.2);
  const Block block{{0, 0, -1}, 1, 0, {}};
  EXPECT_TRUE(in_the_way(walker, block));
  EXPECT_FALSE(in_the_way(walker, {{1, 0, -1}, 1, 0, {}}));
  EXPECT_TRUE(in_the_way(walker, {{0, 1, 0}, 2, 0, {}}));
  solids.blocks.place(block);
  for (int i = 0; i < 30; ++i) step_walker(walker, {solids}, {}, kStep);
  EXPECT_LE(walker_depth(walker, {solids}), kWalkerSlack);
  EXPECT_FALSE(walker.crushed);
  EXPECT_LT(glm::length(walker.position), 1.2);
}

TEST(Walker, UnderASlabTooLowToCrouchUnderItIsCrushed) {
  Solids solids = plain();
  Walker walker = walker_at({0, 0, 0});
  for (int x = -10; x < 10; ++x) {
    for (int y = 2; y < 8; ++y) {
      for (int z = -10; z < 10; ++z) put(solids, {x, y, z});
    }
  }
  for (int i = 0; i < 20; ++i) step_walker(walker, {solids}, {}, kStep);
  EXPECT_FALSE(walker.crushed);
  for (int i = 0; i < 20; ++i) step_walker(walker, {solids}, {}, kStep);
  EXPECT_TRUE(walker.crushed);
}

TEST(Walker, ItStandsOnRubble) {
  Solids solids = plain();
  const std::vector<Block> blocks = {{{0, 0, 0}, 2, 0, {}}};
  const auto piece =
      std::make_shared<const Piece>(make_piece(blocks, default_materials(), InertiaRule::Shape));
  Body body = make_body(piece, 0);
  body.orientation = rotation_by({0, 0.3, 0});
  const std::vector<Body> bodies = {body};
  Walker walker = walker_at({0.5, 2, 0.5});
  live(walker, {solids, bodies}, 2);
  EXPECT_TRUE(walker.grounded);
  EXPECT_NEAR(walker.position.y, 1, 0.01);
}

TEST(Walker, TenThousandRandomWalksNeverEndAStepInsideASolid) {
  Mulberry32 random(9);
  const std::vector<Block> blocks = {{{0, 0, 0}, 2, 0, {}}};
  const auto stone =
      std::make_shared<const Piece>(make_piece(blocks, default_materials(), InertiaRule::Shape));
  int walks = 0, steps = 0, arrived = 0;
  for (int town = 0; walks < 10'000; ++town) {
    Solids solids = plain();
    for (int i = 0; i < 120; ++i) {
      const IVec3 cell(static_cast<int>(random.next() * 24) - 12,
                       static_cast<int>(random.next() * 5),
                       static_cast<int>(random.next() * 24) - 12);
      solids.blocks.place({cell, 1 + static_cast<int>(random.next() * 3), 0,
                           random.next() < 0.2 ? *named_cuts("ramp") : Cuts{}});
    }
    std::vector<Body> rubble;
    for (int i = 0; i < 6; ++i) {
      Body body = make_body(stone, 0);
      body.position = Vec3(random.next() * 12 - 6, random.next() * 2, random.next() * 12 - 6);
      body.orientation = rotation_by({random.next(), random.next(), random.next()});
      rubble.push_back(body);
    }
    const WalkerSurroundings around{solids, rubble};
    for (int walk = 0; walk < 100; ++walk) {
      Walker walker = walker_at(
          Vec3(random.next() * 12 - 6, 0.001 + random.next() * 4, random.next() * 12 - 6));
      if (walker_depth(walker, around) > kWalkerSlack) continue;
      ++walks;
      walker.goals = {walk_to(random.next() * 12 - 6, random.next() * 12 - 6),
                      {WalkerGoal::Kind::Jump, {}, 0},
                      walk_to(random.next() * 12 - 6, random.next() * 12 - 6)};
      for (int i = 0; i < 40 && !walker.done(); ++i) {
        step_walker(walker, around, {}, 1.0 / 30);
        ++steps;
        ASSERT_LE(walker_depth(walker, around), kWalkerSlack) << town << " " << walk << " " << i;
      }
      arrived += walker.goal > 0;
    }
  }
  EXPECT_GT(steps, 100'000);
  EXPECT_GT(arrived, 1000);
}

}  // namespace
}  // namespace talus
