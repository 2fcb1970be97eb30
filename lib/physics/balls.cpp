#include "physics/balls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <glm/geometric.hpp>

#include "collision/sweep_world.h"
#include "voxel/block_distance.h"

namespace talus {

namespace {

/// A resting ball is held this far off what it lies on, metres, so that it can slide along it.
constexpr double kLift = 1e-7;
/// Closing speeds that are rest whatever the ball would do with them, m/s.
constexpr double kStill = 1e-9, kStillWhenDamped = 1e-3;
constexpr int kPushes = 4;
/// Balls in a row that each wait for the next one's step.
constexpr int kMostWaiting = 64;

// ---- who is near

/// Balls by the cell of their centre; cells as wide as the largest ball.
class BallGrid {
 public:
  explicit BallGrid(std::span<const Ball> balls) {
    for (const Ball& ball : balls) {
      widest_ = std::max(widest_, ball.radius);
    }
    for (std::uint32_t i = 0; i < balls.size(); ++i)
      cells_[key(cell(balls[i].position))].push_back(i);
    count_ = static_cast<std::uint32_t>(balls.size());
  }

  void move(std::uint32_t ball, Vec3 from, Vec3 to) {
    const std::uint64_t a = key(cell(from)), b = key(cell(to));
    if (a == b) return;
    std::erase(cells_[a], ball);
    cells_[b].push_back(ball);
  }

  /// Those whose centre may be within reach of the box, by rising number.
  void near(const Box& box, std::vector<std::uint32_t>& out) const {
    out.clear();
    const IVec3 lo = cell(box.lo - Vec3(widest_)), hi = cell(box.hi + Vec3(widest_));
    const Vec3 size = Vec3(hi - lo) + 1.0;
    if (size.x * size.y * size.z > count_) {
      for (std::uint32_t i = 0; i < count_; ++i) out.push_back(i);
      return;
    }
    for (int z = lo.z; z <= hi.z; ++z) {
      for (int y = lo.y; y <= hi.y; ++y) {
        for (int x = lo.x; x <= hi.x; ++x) {
          const auto found = cells_.find(key({x, y, z}));
          if (found != cells_.end())
            out.insert(out.end(), found->second.begin(), found->second.end());
        }
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

 private:
  IVec3 cell(Vec3 p) const { return IVec3(glm::floor(glm::clamp(p / (2 * widest_), -1e9, 1e9))); }
  /// Cells that share a key are only looked at in vain.
  static std::uint64_t key(IVec3 c) {
    constexpr std::uint64_t kMask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(c.x) & kMask) |
           (static_cast<std::uint64_t>(c.y) & kMask) << 21 |
           (static_cast<std::uint64_t>(c.z) & kMask) << 42;
  }

  double widest_ = 1e-3;
  std::uint32_t count_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

// ---- what the ball lies on

/// Directions that a resting ball must not move against.
struct Rests {
  std::array<Vec3, 8> normals;
  std::size_t count = 0;

  void add(Vec3 normal) {
    if (count < normals.size()) normals[count++] = normal;
  }
  bool allows(Vec3 v) const {
    const double slack = 1e-12 * glm::length(v);
    return std::all_of(normals.begin(), normals.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](Vec3 n) { return glm::dot(v, n) >= -slack; });
  }
  /// What is left of v: along one surface, along the crease of two, or nothing.
  Vec3 clip(Vec3 v) const {
    if (allows(v)) return v;
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 along = v - glm::dot(v, normals[i]) * normals[i];
      if (glm::dot(v, normals[i]) < 0 && allows(along)) return along;
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        const Vec3 crease = glm::cross(normals[i], normals[j]);
        const double length2 = glm::dot(crease, crease);
        if (length2 < 1e-12) continue;
        const Vec3 along = (glm::dot(v, crease) / length2) * crease;
        if (allows(along)) return along;
      }
    }
    return Vec3(0);
  }
};

// ---- one ball's step

struct Meeting {
  SweepHit hit;
  std::uint32_t other = BallImpact::kNoBall;
  BlockId block = kNoBlock;
};

struct Mover {
  std::span<Ball> balls;
  const BallSurroundings& around;
  const BallSettings& settings;
  double dt;
  BallGrid grid;
  std::vector<std::uint8_t> moved;  // by ball: it has begun its step
  int waiting = 0;                  // balls that let others go first
  std::vector<std::uint32_t> near;
  std::vector<BallImpact> impacts;

  std::optional<Meeting> first_meeting(std::uint32_t self, const SphereSweep& sweep) {
    std::optional<Meeting> best;
    const auto before = [&] { return best ? best->hit.time : 2; };
    if (around.blocks) {
      if (const auto hit = sweep_blocks(*around.blocks, sweep)) {
        best = Meeting{hit->hit, BallImpact::kNoBall, hit->block};
      }
    }
    if (around.ground) {
      if (const auto hit = sweep_ground(*around.ground, sweep, before())) best = Meeting{*hit};
    }
    if (balls.size() < 2) return best;
    grid.near(bounds(sweep), near);
    for (const std::uint32_t other : near) {
      if (other == self) continue;
      const Ball& ball = balls[other];
      if (const auto hit = sweep_ball(sweep, ball.position, ball.radius, before())) {
        best = Meeting{*hit, other};
      }
    }
    return best;
  }

  /// Out of the block that its centre was put into; a lesser overlap is the first sweep's to tell.
  void push_out(Ball& ball) const {
    for (int i = 0; i < kPushes && around.blocks; ++i) {
      const BlockId id = around.blocks->at(IVec3(glm::floor(ball.position / kCell)));
      if (id == kNoBlock) return;
      const Block& block = (*around.blocks)[id];
      const auto way = signed_distance(block, open_sides(*around.blocks, block), ball.position);
      if (way.distance > 0) return;
      ball.position += (ball.radius - way.distance) * way.normal;
    }
  }

  /// The impulse of a meeting; true where it is rest. `share` of the step is left.
  bool answer(std::uint32_t self, const Meeting& met, double left) {
    Ball& ball = balls[self];
    Ball* other = met.other == BallImpact::kNoBall ? nullptr : &balls[met.other];
    const Vec3 n = met.hit.normal;
    const double e = ball.restitution * (other ? other->restitution : around.restitution);
    const double closing =
        std::max(0.0, -glm::dot(ball.velocity - (other ? other->velocity : Vec3(0)), n));
    const double weight = std::max(0.0, settings.gravity * n.y);
    const bool rest = closing <= kStill ||
                      (e < 1 && (2 * e * closing < weight * dt || closing < kStillWhenDamped));
    const double inverse = 1 / mass(ball) + (other ? 1 / mass(*other) : 0);
    const double impulse = (rest ? 1 : 1 + e) * closing / inverse;
    push(ball, other, impulse * n);
    const double grip = std::min(ball.friction, other ? other->friction : around.friction);
    rub(ball, other, n, grip * (impulse + (rest ? weight * left / inverse : 0)), inverse);
    if (rest) roll(ball, n, weight * left);
    if (!rest) {
      impacts.push_back({self, met.other, met.block, met.hit.point, n, closing, impulse});
    }
    return rest;
  }

  static void push(Ball& ball, Ball* other, Vec3 impulse) {
    ball.velocity += impulse / mass(ball);
    if (other) other->velocity -= impulse / mass(*other);
  }

  /// Friction against the slip where they touch, at most `most` N s. A solid ball's inertia is 2/5
  /// m r2, so an impulse changes the slip by 7/2 of what it does to the velocity.
  static void rub(Ball& ball, Ball* other, Vec3 n, double most, double inverse) {
    Vec3 slip = ball.velocity - ball.radius * glm::cross(ball.spin, n);
    if (other) slip -= other->velocity + other->radius * glm::cross(other->spin, n);
    slip -= glm::dot(slip, n) * n;
    const double speed = glm::length(slip);
    if (most <= 0 || speed < 1e-12) return;
    const Vec3 impulse = -std::min(most, speed / (3.5 * inverse)) / speed * slip;
    push(ball, other, impulse);
    const auto twist = [&](Ball& b) {
      b.spin -= glm::cross(n, impulse) * (2.5 / (mass(b) * b.radius));
    };
    twist(ball);
    if (other) twist(*other);
  }

  /// Rolling resistance: takes `loss` m/s, times the ball's coefficient, off what rolls.
  static void roll(Ball& ball, Vec3 n, double loss) {
    const Vec3 along = ball.velocity - glm::dot(ball.velocity, n) * n;
    const double speed = std::max(glm::length(along), glm::length(ball.spin) * ball.radius);
    if (speed == 0) return;
    const double kept = std::max(0.0, 1 - ball.rolling * loss / speed);
    ball.velocity += (kept - 1) * along;
    ball.spin *= kept;
  }

  /// What is in the way, but is about to go, goes first.
  bool let_go_first(const Meeting& met) {
    if (met.other == BallImpact::kNoBall || moved[met.other]) return false;
    if (glm::dot(balls[met.other].velocity, met.hit.normal) >= 0 || waiting == kMostWaiting) {
      return false;
    }
    ++waiting;
    step(met.other);
    --waiting;
    return true;
  }

  bool parting(std::uint32_t self, const Meeting& met) const {
    if (met.other == BallImpact::kNoBall) return false;
    return glm::dot(balls[self].velocity - balls[met.other].velocity, met.hit.normal) > kStill;
  }

  void step(std::uint32_t self) {
    if (moved[self]) return;
    moved[self] = 1;
    Ball& ball = balls[self];
    const Vec3 from = ball.position;
    push_out(ball);
    Rests rests;
    double left = dt;
    for (int hits = 0; left > 0; ++hits) {
      const Vec3 pull = rests.clip(Vec3(0, -settings.gravity, 0));
      const Vec3 bend = 0.5 * left * left * pull;
      const SphereSweep sweep{ball.position, ball.position + left * ball.velocity + bend,
                              ball.radius, bend};
      auto met = first_meeting(self, sweep);
      while (met && let_go_first(*met)) met = first_meeting(self, sweep);
      const double share = met ? met->hit.time : 1;
      ball.position = met ? center_at(sweep, share) : sweep.end;
      ball.velocity += share * left * pull;
      left -= share * left;
      if (!met || hits == settings.most_hits || parting(self, *met)) break;
      const Vec3 normal = met->hit.normal;
      ball.position += met->hit.depth * normal;
      if (answer(self, *met, left)) {
        rests.add(normal);
        ball.velocity = rests.clip(ball.velocity);
        ball.position += kLift * normal;
      }
    }
    grid.move(self, from, ball.position);
  }
};

}  // namespace

double mass(const Ball& ball) {
  constexpr double kPi = 3.14159265358979323846;
  return 4.0 / 3.0 * kPi * ball.radius * ball.radius * ball.radius * ball.density;
}

double energy(const Ball& ball, double gravity) {
  const double m = mass(ball), r = ball.radius;
  return m * (0.5 * glm::dot(ball.velocity, ball.velocity) +
              0.2 * r * r * glm::dot(ball.spin, ball.spin) + gravity * ball.position.y);
}

std::vector<BallImpact> step_balls(std::span<Ball> balls, const BallSurroundings& around,
                                   const BallSettings& settings, double dt) {
  Mover mover{balls, around, settings, dt, BallGrid(balls), std::vector<std::uint8_t>(balls.size()),
              0,     {},     {}};
  for (std::uint32_t i = 0; i < balls.size(); ++i) mover.step(i);
  return std::move(mover.impacts);
}

}  // namespace talus
