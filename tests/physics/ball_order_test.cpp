#include "physics/ball_order.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "core/random.h"

namespace talus {
namespace {

std::vector<std::uint32_t> order_of(BallOrder& order, const std::vector<Ball>& balls) {
  const auto sorted = order.sorted(balls);
  return {sorted.begin(), sorted.end()};
}

TEST(BallOrder, DependsOnWhereTheBallsAreAndNotOnWhereTheyWere) {
  Mulberry32 random(3);
  BallOrder kept;
  std::vector<Ball> balls;
  for (int step = 0; step < 60; ++step) {
    for (int k = 0; k < 20; ++k) balls.emplace_back();
    const double stir = step % 10 == 0 ? 50 : 0.5;  // now and then all go somewhere else
    for (Ball& ball : balls) {
      ball.position += stir * (Vec3(random.next(), random.next(), random.next()) - 0.5);
    }
    BallOrder fresh;
    const auto order = order_of(kept, balls);
    EXPECT_EQ(order, order_of(fresh, balls));
    auto numbers = order;
    std::sort(numbers.begin(), numbers.end());
    for (std::uint32_t i = 0; i < balls.size(); ++i) ASSERT_EQ(numbers[i], i);
  }
}

TEST(BallOrder, OverOneTileLowerBallsComeFirst) {
  std::vector<Ball> balls(3);
  balls[0].position = {0.5, 9, 0.5};
  balls[1].position = {1.5, -3, 0.5};
  balls[2].position = {0.5, 2, 1.5};
  BallOrder order;
  EXPECT_EQ(order_of(order, balls), (std::vector<std::uint32_t>{1, 2, 0}));
}

TEST(BallOrder, AnyPlaceHasOne) {
  std::vector<Ball> balls(3);
  balls[0].position = Vec3(1e300, -1e300, 1e9);
  balls[1].position = Vec3(-1e12);
  BallOrder order;
  EXPECT_EQ(order_of(order, balls).size(), 3u);
}

}  // namespace
}  // namespace talus
