#include "physics/ball_sleep.h"

#include <algorithm>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/ball_bodies.h"

namespace talus {

namespace {

/// How near to something that wakes a ball has to be to hear it, metres.
constexpr double kHears = 0.01;

}  // namespace

bool BallSleep::wake(std::uint32_t ball) {
  if (balls[ball].lost) return false;
  balls[ball].still_s = 0;
  return std::exchange(balls[ball].asleep, false);
}

void BallSleep::wake_around(std::uint32_t first) {
  if (!wake(first)) return;
  std::vector<std::uint32_t> woken{first}, touching;
  while (!woken.empty()) {
    const Ball& ball = balls[woken.back()];
    woken.pop_back();
    const Vec3 reach(ball.radius + widest + kHears);
    grid.near({ball.position - reach, ball.position + reach}, touching);
    for (const std::uint32_t i : touching) {
      const double apart = glm::distance(balls[i].position, ball.position);
      if (apart < balls[i].radius + ball.radius + kHears && wake(i)) woken.push_back(i);
    }
  }
}

void BallSleep::wake_near(std::span<const Box> changed, std::span<const Body> bodies) {
  if (std::none_of(balls.begin(), balls.end(), [](const Ball& b) { return b.asleep; })) return;
  for (const Box& box : changed) wake_in(box);
  for (const Body& body : bodies) {
    if (body.moving()) wake_in(bounds(body));
  }
}

void BallSleep::wake_in(const Box& box) {
  std::vector<std::uint32_t> found;
  grid.near({box.lo - Vec3(widest), box.hi + Vec3(widest)}, found);
  for (const std::uint32_t i : found) {
    const Vec3 p = balls[i].position, q = glm::clamp(p, box.lo, box.hi);
    if (balls[i].asleep && glm::distance(p, q) < balls[i].radius + kHears) wake_around(i);
  }
}

void sleep_or_not(Ball& ball, bool rests, const BallSettings& settings, double dt) {
  const double speed = glm::length(ball.velocity) + ball.radius * glm::length(ball.spin);
  const bool still = settings.sleeping && rests && speed < settings.still_speed;
  ball.still_s = still ? ball.still_s + dt : 0;
  if (ball.still_s < settings.still_time) return;
  ball.asleep = true;
  ball.velocity = ball.spin = Vec3(0);
}

}  // namespace talus
