#include "physics/walker.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <glm/geometric.hpp>

#include "voxel/block_distance.h"

namespace talus {

namespace {

constexpr int kPasses = 3;
constexpr double kLongestMove = 0.2;  // metres at once: half a radius, so nothing is passed through
constexpr double kFastest = 60;       // m/s
constexpr double kStepForward = 0.1;  // metres onto a step: where its edge can be stood on
constexpr double kLowering = 0.05;    // metres at once, down onto a step
constexpr double kFarthestPush = 1;   // metres: nobody comes out on top of a rock that covers them
constexpr double kStill = 1e-6;       // metres in a step: less is no motion
constexpr double kSidestep = 0.05;    // metres at once, out of what comes down
constexpr double kFarthestEscape = 0.9;  // metres: a little over its own width
constexpr double kSoftness = 0.2;        // restitution of what it is made of

struct Near : NearestSolid {
  std::size_t body = kNoBody;
};

/// The nearest surface of a piece, as nearest() tells it; its block counts as none.
void offer_body(const Body& body, std::size_t number, Vec3 point, double reach,
                std::optional<Near>& best) {
  const Vec3 from_center = point - body.position;
  const double bound = body.piece->radius + reach;
  if (body.lost || glm::dot(from_center, from_center) > bound * bound) return;
  const Mat3 turn = rotation_matrix(body.orientation);
  const Vec3 local = body.piece->center + from_center * turn;
  const Blocks& blocks = body.piece->blocks;
  const IBox cells{IVec3(glm::floor((local - reach) / kCell)),
                   IVec3(glm::floor((local + reach) / kCell)) + IVec3(1)};
  for (const BlockId id : blocks_in(blocks, cells)) {
    const Block& block = blocks[id];
    BlockDistance found = signed_distance(block, kAllSidesOpen, local);
    if (found.distance <= 0) found = signed_distance(block, open_sides(blocks, block), local);
    if (found.distance < (best ? best->distance : reach)) {
      best = Near{{found.distance, turn * found.normal, kNoBlock}, number};
    }
  }
}

void offer_ball(const Ball& ball, Vec3 point, double reach, std::optional<Near>& best) {
  if (ball.lost) return;
  const Vec3 away = point - ball.position;
  const double far = glm::length(away), distance = far - ball.radius;
  if (distance >= (best ? best->distance : reach)) return;
  best = Near{{distance, far > 0 ? away / far : Vec3(0, 1, 0), kNoBlock}};
}

std::optional<Near> nearest_of_all(const WalkerSurroundings& around, Vec3 point, double reach) {
  std::optional<Near> best;
  if (const auto found = nearest(around.solids, point, reach)) best = Near{*found};
  for (std::size_t i = 0; i < around.bodies.size(); ++i) {
    offer_body(around.bodies[i], i, point, reach, best);
  }
  for (const Ball& ball : around.balls) offer_ball(ball, point, reach, best);
  return best;
}

void brake(Vec3& velocity, double by) {
  const double speed = glm::length(velocity);
  velocity *= speed > by ? 1 - by / speed : 0;
}

std::array<Vec3, 2> centers(Vec3 position, const WalkerSettings& settings) {
  return {position + Vec3(0, settings.radius, 0),
          position + Vec3(0, settings.height - settings.radius, 0)};
}

struct Legs {
  Walker& walker;
  const WalkerSurroundings& around;
  const WalkerSettings& settings;
  bool was_grounded = false;  // when the step began

  double depth(Vec3 position) const {
    double deepest = -settings.radius;
    for (const Vec3 center : centers(position, settings)) {
      const auto found = nearest_of_all(around, center, settings.radius);
      if (found) deepest = std::max(deepest, settings.radius - found->distance);
    }
    return deepest;
  }
  bool free(Vec3 position) const { return depth(position) <= kWalkerSlack; }

  /// Pushes both balls out of what is nearest, at most kPasses times. True where a wall pushed.
  bool push_out() {
    bool walled = false;
    for (int pass = 0; pass < kPasses; ++pass) {
      bool pushed = false;
      for (std::size_t i = 0; i < 2; ++i) {
        const Vec3 center = centers(walker.position, settings)[i];
        const auto found = nearest_of_all(around, center, settings.radius);
        const double by = found ? settings.radius - found->distance : 0;
        if (!found || by > kFarthestPush || covers(*found)) continue;
        pushed = true;
        if (found->normal.y > settings.steepest_normal) {
          stand(*found, by);
        } else {
          lean(*found, by);
          walled = true;
        }
      }
      if (!pushed) break;
    }
    return walled;
  }

  void stand(const Near& on, double by) {
    walker.position.y += on.distance < 0 ? by : by / on.normal.y;
    walker.velocity.y = std::max(0.0, walker.velocity.y);
    walker.grounded = true;
    walker.stands_on = on.block;
    walker.stands_on_body = on.body;
  }

  /// Nobody comes out on top of a piece that has come down on them.
  bool covers(const Near& found) const {
    return found.body != kNoBody && found.distance < 0 && found.normal.y > settings.steepest_normal;
  }

  void lean(const Near& on, double by) {
    walker.position += by * on.normal;
    walker.velocity -= std::min(0.0, glm::dot(walker.velocity, on.normal)) * on.normal;
    walker.knock -= std::min(0.0, glm::dot(walker.knock, on.normal)) * on.normal;
    walker.wall = on.normal;
  }

  /// A short move; not taken where it ends deeper in something than it began.
  void move(Vec3 by) {
    const Walker before = walker;
    walker.position += by;
    const bool walled = push_out();
    const double now = depth(walker.position);
    if (now > kWalkerSlack && now >= depth(before.position)) {
      const bool grounded = walker.grounded;
      walker = before;
      walker.grounded = grounded;
      walker.velocity = walker.knock = Vec3(0);
    }
    if (walled && (was_grounded || walker.grounded)) climb(before, by);
  }

  /// Out of what has come down on it: sideways from where it stood to the nearest place that is
  /// free.
  void escape(Vec3 stood) {
    constexpr double kDiagonal = 0.70710678118654752, kLong = 0.92387953251128674,
                     kShort = 0.38268343236508977;
    constexpr std::array<double, 17> kCos = {
        1,      kLong,      kDiagonal, kShort, 0,      -kShort,   -kDiagonal, -kLong, -1,
        -kLong, -kDiagonal, -kShort,   0,      kShort, kDiagonal, kLong,      1};
    for (double far = kSidestep; far <= kFarthestEscape; far += kSidestep) {
      for (std::size_t i = 0; i < 16; ++i) {
        const Vec3 way(kCos[i], 0, kCos[(i + 12) % 16]);
        if (!free(stood + far * way)) continue;
        walker.position = stood + far * way;
        return;
      }
    }
  }

  /// Up, forward and down again, where a wall no higher than a step stopped it.
  void climb(const Walker& before, Vec3 by) {
    const Vec3 way(by.x, 0, by.z);
    const double length = glm::length(way);
    if (length == 0) return;
    const Vec3 forward = way * (std::max(kStepForward, length) / length);
    const Walker blocked = walker;
    if (glm::dot(walker.position - before.position, way) > 0.5 * length * length) return;
    walker.position = blocked.position + Vec3(0, 0.5 * settings.step_height, 0);
    bool fits = free(walker.position);
    walker.position.y = blocked.position.y + settings.step_height;
    fits = fits && free(walker.position) && free(walker.position + forward);
    if (!fits) {
      walker = blocked;
      return;
    }
    walker.position += forward;
    while (walker.position.y > blocked.position.y && free(walker.position)) {
      walker.position.y -= kLowering;
    }
    walker.grounded = false;
    push_out();
    const bool climbed = walker.grounded && free(walker.position) &&
                         walker.position.y > blocked.position.y + kWalkerSlack;
    if (!climbed) walker = blocked;
  }
};

/// Sets the velocity that its goal asks for; goes on to the next goal where this one is done.
void pursue(Walker& walker, const WalkerSettings& settings, double dt) {
  Vec3 wanted(0);
  bool next = walker.done();
  if (!walker.done()) {
    const WalkerGoal& goal = walker.goals[walker.goal];
    walker.goal_time_s += dt;
    if (goal.kind == WalkerGoal::Kind::Wait) next = walker.goal_time_s >= goal.seconds;
    if (goal.kind == WalkerGoal::Kind::Jump && walker.grounded) {
      walker.velocity.y = settings.jump_speed;
      next = true;
    }
    if (goal.kind == WalkerGoal::Kind::WalkTo) {
      const Vec3 way(goal.target.x - walker.position.x, 0, goal.target.z - walker.position.z);
      const double far = glm::length(way);
      next = far <= settings.arrival || (goal.seconds > 0 && walker.goal_time_s >= goal.seconds);
      if (!next) wanted = way * (std::min(settings.walk_speed, far / dt) / far);
    }
  }
  // In the air it keeps its way, but can still take one up.
  if (walker.grounded || glm::length(wanted) > 0) {
    walker.velocity.x = wanted.x + walker.knock.x;
    walker.velocity.z = wanted.z + walker.knock.z;
  }
  if (next && !walker.done()) {
    ++walker.goal;
    walker.goal_time_s = 0;
  }
}

}  // namespace

double walker_depth(const Walker& walker, const WalkerSurroundings& around,
                    const WalkerSettings& settings) {
  Walker copy = walker;
  return Legs{copy, around, settings}.depth(walker.position);
}

bool in_the_way(const Walker& walker, const Block& block, const WalkerSettings& settings) {
  const double r = settings.radius;
  for (const double y : {r, 0.5 * settings.height, settings.height - r}) {
    const Vec3 center = walker.position + Vec3(0, y, 0);
    if (signed_distance(block, kAllSidesOpen, center).distance < r - kWalkerSlack) return true;
  }
  return false;
}

std::array<WalkerBall, 2> walker_balls(const Walker& walker, const WalkerSettings& settings) {
  WalkerBall part;
  part.ball.velocity = walker.velocity;
  part.ball.radius = settings.radius;
  part.ball.restitution = kSoftness;
  part.ball.density = 1;
  part.ball.density = settings.mass / mass(part.ball);
  part.ball.lost = walker.crushed;
  part.grounded = walker.grounded;
  part.wall = walker.wall;
  part.moves = walker.moving();
  std::array<WalkerBall, 2> parts{part, part};
  const auto where = centers(walker.position, settings);
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i].ball.position = where[i];
  return parts;
}

void knock_walker(Walker& walker, Vec3 velocity_change, double impulse,
                  const WalkerSettings& settings) {
  walker.velocity += velocity_change;
  walker.knock += Vec3(velocity_change.x, 0, velocity_change.z);
  walker.crushed = walker.crushed || impulse > settings.mass * settings.crush_speed;
}

void step_walker(Walker& walker, const WalkerSurroundings& around, const WalkerSettings& settings,
                 double dt) {
  if (walker.crushed) return;
  const Vec3 start = walker.position;
  pursue(walker, settings, dt);
  if (walker.grounded) brake(walker.knock, settings.grip * dt);
  walker.velocity.y -= settings.gravity * dt;
  const double speed = glm::length(walker.velocity);
  if (speed > kFastest) walker.velocity *= kFastest / speed;
  const int moves =
      std::max(1, static_cast<int>(std::ceil(glm::length(walker.velocity) * dt / kLongestMove)));
  Legs legs{walker, around, settings, walker.grounded};
  walker.grounded = false;
  walker.wall = Vec3(0);
  walker.stands_on = kNoBlock;
  walker.stands_on_body = kNoBody;
  for (int i = 0; i < moves; ++i) legs.move(walker.velocity * (dt / moves));
  if (!legs.free(walker.position)) legs.escape(start);
  const bool inside = !legs.free(walker.position);
  walker.stuck_s = inside ? walker.stuck_s + dt : 0;
  walker.moved = glm::distance(walker.position, start) > kStill;
  walker.crushed = walker.stuck_s > settings.crush_time_s;
}

}  // namespace talus
