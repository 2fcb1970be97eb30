#include "physics/ball_way.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "collision/sweep_world.h"
#include "voxel/block_distance.h"

namespace talus {

namespace {

constexpr int kPushes = 4;
/// Of its radius: so much farther than it goes a ball looks for others.
constexpr double kLookAround = 0.25;

}  // namespace

std::optional<Meeting> BallWay::first_meeting(std::uint32_t self, const SphereSweep& sweep,
                                              double from, std::size_t turn) const {
  std::optional<Meeting> best;
  const auto before = [&] { return best ? best->hit.time : 2; };
  if (around.blocks) {
    if (const auto hit = sweep_blocks(*around.blocks, sweep)) {
      best = Meeting{.hit = hit->hit, .block = hit->block};
    }
  }
  if (around.ground) {
    if (const auto hit =
            memory.ground.sweep(*around.ground, sweep, memory.places[self], before())) {
      best = Meeting{.hit = *hit};
    }
  }
  if (const auto hit = bodies.first_hit(sweep, from, before())) {
    best = Meeting{.hit = hit->hit, .body = hit->body, .block = hit->block};
  }
  for (std::uint32_t k = 0; k < around.walkers.size(); ++k) {
    const Ball& ball = around.walkers[k].ball;
    if (ball.lost) continue;
    if (const auto hit = sweep_ball(sweep, ball.position, ball.radius, before())) {
      best = Meeting{.hit = *hit, .walker = k};
    }
  }
  if (balls.size() < 2) return best;
  for (const NearBall& other : neighbours_of(self, sweep, turn)) {
    if (const auto hit = sweep_ball(sweep, other.center, other.radius, before())) {
      best = Meeting{.hit = *hit, .other = other.ball};
    }
  }
  return best;
}

/// The balls that the ball may touch on its way; where it lay on something, it will ask again, and
/// some more come at once.
std::span<const NearBall> BallWay::neighbours_of(std::uint32_t self, const SphereSweep& sweep,
                                                 std::size_t turn) const {
  BallWayMemory::Neighbours& known = memory.neighbours[turn];
  const Vec3 middle = 0.5 * (sweep.start + sweep.end);
  const double half = glm::length(sweep.end - middle) + glm::length(sweep.bend) + sweep.radius;
  const double needed = half + 1e-12 * (half + glm::length(middle));
  if (glm::distance(middle, known.middle) + needed > known.reach) {
    known.middle = middle;
    known.reach =
        needed + (memory.lies[self] ? half - sweep.radius + kLookAround * sweep.radius : 0);
    memory.grid.near(known.middle, known.reach, self, known.balls);
    std::erase_if(known.balls, [&](const NearBall& n) { return balls[n.ball].lost; });
  }
  return known.balls;
}

void BallWay::push_out(Ball& ball) const {
  if (!around.bodies.empty()) bodies.push_out(ball);
  for (int i = 0; i < kPushes && around.blocks; ++i) {
    const BlockId id = around.blocks->at(IVec3(glm::floor(ball.position / kCell)));
    if (id == kNoBlock) return;
    const Block& block = (*around.blocks)[id];
    const auto way = signed_distance(block, open_sides(*around.blocks, block), ball.position);
    if (way.distance > 0) return;
    ball.position += (ball.radius - way.distance) * way.normal;
  }
}

}  // namespace talus
