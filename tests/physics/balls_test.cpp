#include "physics/balls.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/random.h"
#include "voxel/block_distance.h"

namespace talus {
namespace {

constexpr double kStep = 1.0 / 120;
constexpr double kGravity = 9.81;

/// A room of `inside` cells with walls of one cell around it, from (0, 0, 0) up; open above if
/// told.
Blocks room(IVec3 inside, bool open_above = false) {
  Blocks blocks;
  for (int z = -1; z <= inside.z; ++z) {
    for (int y = -1; y <= inside.y; ++y) {
      for (int x = -1; x <= inside.x; ++x) {
        const bool air = x >= 0 && y >= 0 && z >= 0 && x < inside.x && y < inside.y && z < inside.z;
        if (!air && !(open_above && y == inside.y)) blocks.place({{x, y, z}, 1, 0, {}});
      }
    }
  }
  return blocks;
}

Ball frictionless(Vec3 position, Vec3 velocity, double restitution) {
  return {.position = position,
          .velocity = velocity,
          .restitution = restitution,
          .friction = 0,
          .rolling = 0};
}

double depth_in_blocks(const Blocks& blocks, const Ball& ball) {
  double deepest = -1e9;
  const Vec3 reach(ball.radius + kCell);
  const IBox cells{IVec3(glm::floor((ball.position - reach) / kCell)),
                   IVec3(glm::ceil((ball.position + reach) / kCell))};
  for (const BlockId id : blocks_in(blocks, cells)) {
    const double d = signed_distance(blocks[id], kAllSidesOpen, ball.position).distance;
    deepest = std::max(deepest, ball.radius - d);
  }
  return deepest;
}

TEST(Balls, WithoutLossEnergyStaysOverTenThousandBounces) {
  const Blocks box = room({4, 4, 4});
  std::vector<Ball> balls = {frictionless({1, 1.1, 0.9}, {31, 17, -23}, 1)};
  const double before = energy(balls[0], kGravity);
  std::size_t bounces = 0;
  for (int i = 0; i < 100'000 && bounces < 10'000; ++i) {
    bounces += step_balls(balls, {.blocks = &box}, {}, kStep).size();
  }
  EXPECT_GE(bounces, 10'000u);
  EXPECT_NEAR(energy(balls[0], kGravity) / before, 1, 1e-6);
}

TEST(Balls, HalvingItsSpeedItRestsAfterTheGeometricSeries) {
  const Blocks floor = room({8, 1, 8}, true);
  const double height = 2;
  std::vector<Ball> balls = {frictionless({2.2, 0.25 + height, 2.2}, {0, 0, 0}, 0.5)};
  double rested = -1;
  for (int i = 0; i < 600; ++i) {
    step_balls(balls, {.blocks = &floor}, {}, kStep);
    const bool rests = std::abs(balls[0].velocity.y) < 1e-6 && balls[0].position.y < 0.2501;
    if (rests && rested < 0) rested = (i + 1) * kStep;
    if (!rests) rested = -1;
  }
  EXPECT_NEAR(rested, 3 * std::sqrt(2 * height / kGravity), 3 * kStep);
  EXPECT_NEAR(balls[0].position.y, 0.25, 1e-6);
}

TEST(Balls, AtTenThousandMetresASecondItNeverLeavesTheBox) {
  const Blocks box = room({6, 6, 6});
  Mulberry32 random(3);
  for (int run = 0; run < 10; ++run) {
    const Vec3 way(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
    std::vector<Ball> balls = {frictionless({1.5, 1.5, 1.5}, 1e4 * glm::normalize(way), 1)};
    balls[0].radius = 0.02 + 0.4 * random.next();
    for (int i = 0; i < 500; ++i) {
      step_balls(balls, {.blocks = &box}, {}, kStep);
      ASSERT_LT(depth_in_blocks(box, balls[0]), 1e-9);
      for (int axis = 0; axis < 3; ++axis) {
        ASSERT_GT(balls[0].position[axis], 0);
        ASSERT_LT(balls[0].position[axis], 3);
      }
    }
  }
}

/// How far two of them overlap at most.
double deepest_pair(std::vector<Ball> balls) {
  std::sort(balls.begin(), balls.end(),
            [](const Ball& a, const Ball& b) { return a.position.x < b.position.x; });
  double deepest = -1, widest = 0;
  for (const Ball& ball : balls) widest = std::max(widest, ball.radius);
  for (std::size_t a = 0; a < balls.size(); ++a) {
    for (std::size_t b = a + 1; b < balls.size(); ++b) {
      if (balls[b].position.x - balls[a].position.x > 2 * widest) break;
      deepest = std::max(deepest, balls[a].radius + balls[b].radius -
                                      glm::length(balls[a].position - balls[b].position));
    }
  }
  return deepest;
}

TEST(Balls, AThousandPouredIntoAPitStayOutOfItsWallsAndOfOneAnother) {
  const Blocks pit = room({5, 12, 5}, true);
  Mulberry32 random(4);
  std::vector<Ball> balls;
  double deepest = 0, closest = 0;
  for (int i = 0; i < 720; ++i) {
    for (int k = 0; k < 20 && i % 5 == 0 && balls.size() < 1000; ++k) {
      Ball ball;
      ball.radius = 0.05 + 0.04 * random.next();
      ball.position = {0.2 + 0.5 * (k % 5), 6.5,
                       0.2 + 0.6 * static_cast<int>(k / 5) + 0.1 * random.next()};
      ball.velocity = {0, -8, 0};
      balls.push_back(ball);
    }
    step_balls(balls, {.blocks = &pit, .restitution = 0.6}, {}, kStep);
    if (i % 6 != 5) continue;
    for (const Ball& ball : balls) deepest = std::max(deepest, depth_in_blocks(pit, ball));
    closest = std::max(closest, deepest_pair(balls));
  }
  EXPECT_LT(deepest, 0.002);
  EXPECT_LT(closest, 0.002);
  double total = 0;
  for (const Ball& ball : balls) {
    EXPECT_GT(ball.position.y, 0);
    total += glm::length(ball.velocity);
  }
  EXPECT_LT(total / 1000, 0.5);  // they lie in a heap, more or less
}

TEST(Balls, MomentumIsKeptWhereTwoMeet) {
  std::vector<Ball> balls(2);
  balls[0] = {.position = {0, 0, 0}, .velocity = {20, 0, 0}, .radius = 0.5};
  balls[1] = {.position = {3, 0.3, 0.1}, .velocity = {-5, 0, 0}, .radius = 0.25};
  const auto momentum = [&] {
    return mass(balls[0]) * balls[0].velocity + mass(balls[1]) * balls[1].velocity;
  };
  const Vec3 before = momentum();
  std::size_t impacts = 0;
  for (int i = 0; i < 30; ++i) impacts += step_balls(balls, {}, {.gravity = 0}, kStep).size();
  EXPECT_EQ(impacts, 1u);
  EXPECT_LT(glm::length(momentum() - before), 1e-9 * glm::length(before));
  EXPECT_GT(balls[1].velocity.x, balls[0].velocity.x);
  EXPECT_GT(glm::length(balls[0].spin), 0.1);
}

TEST(Balls, EqualBallsThatMeetHeadOnWithoutLossSwapTheirSpeeds) {
  std::vector<Ball> balls = {frictionless({0, 0, 0}, {3, 0, 0}, 1),
                             frictionless({1, 0, 0}, {-1, 0, 0}, 1)};
  for (int i = 0; i < 60; ++i) step_balls(balls, {}, {.gravity = 0}, kStep);
  EXPECT_NEAR(balls[0].velocity.x, -1, 1e-12);
  EXPECT_NEAR(balls[1].velocity.x, 3, 1e-12);
}

TEST(Balls, RollingOverARowOfBlocksItFeelsNoSeam) {
  const Blocks floor = room({60, 1, 8}, true);
  std::vector<Ball> balls = {frictionless({1, 0.26, 2.1}, {4, 0, 0}, 0)};
  for (int i = 0; i < 600; ++i) {
    step_balls(balls, {.blocks = &floor}, {}, kStep);
    ASSERT_NEAR(balls[0].position.y, 0.25, 0.0101);
    ASSERT_NEAR(balls[0].velocity.x, 4, 1e-6);
  }
}

TEST(Balls, ASlidingBallRollsAtFiveSeventhsOfItsSpeed) {
  const Blocks floor = room({80, 1, 8}, true);
  Ball ball{.position = {1, 0.25, 2.1}, .velocity = {7, 0, 0}, .restitution = 0, .rolling = 0};
  std::vector<Ball> balls = {ball};
  for (int i = 0; i < 400; ++i) step_balls(balls, {.blocks = &floor}, {}, kStep);
  EXPECT_NEAR(balls[0].velocity.x, 5, 0.01);
  EXPECT_NEAR(balls[0].spin.z, -5 / 0.25, 0.05);
}

TEST(Balls, WhatStartsInsideABlockIsPushedOutFirst) {
  const Blocks floor = room({8, 1, 8}, true);
  std::vector<Ball> balls = {frictionless({2.2, -0.1, 2.2}, {0, 0, 0}, 0)};
  step_balls(balls, {.blocks = &floor}, {}, kStep);
  EXPECT_LT(depth_in_blocks(floor, balls[0]), 1e-9);
  EXPECT_GT(balls[0].position.y, 0.24);
}

}  // namespace
}  // namespace talus
