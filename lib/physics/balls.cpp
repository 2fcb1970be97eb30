#include "physics/balls.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/ball_bodies.h"
#include "physics/ball_meeting.h"
#include "physics/ball_order.h"
#include "physics/ball_rests.h"
#include "physics/ball_sleep.h"
#include "physics/ball_way.h"
#include "physics/motion.h"

namespace talus {

namespace {

/// A resting ball is held this far off what it lies on, metres, so that it can slide along it.
constexpr double kLift = 1e-7;
/// Closing speeds that are rest whatever the ball would do with them, m/s.
constexpr double kStill = 1e-9, kStillWhenDamped = 1e-3;
/// Balls in a row that each wait for the next one's step.
constexpr std::size_t kMostWaiting = 64;
/// Sleepers stand still for impulses that would give them less than this, m/s.
constexpr double kWakingSpeed = 0.002;
/// Of a ball that is held: kg/m3, far more than anything.
constexpr double kImmovable = 1e12;
/// How squarely what holds a ball must face what pushes it, as a cosine.
constexpr double kHolding = 0.2;
/// The same for walkers, who are pushed over from half above.
constexpr double kHeldWalker = 0.5;

}  // namespace

struct BallStepper::Memory {
  BallWayMemory way;
  BallOrder order;
  double widest = 1e-3;             // radius of any ball so far
  std::vector<Box> changed;         // of what stands, since the last step
  std::vector<std::uint8_t> moved;  // by ball: it has begun its step
  std::vector<std::uint32_t> near;
};

namespace {

// ---- one step

struct Mover {
  std::span<Ball> balls;
  const BallSurroundings& around;
  const BallSettings& settings;
  double dt;
  BallStepper::Memory& memory;
  BallGrid& grid = memory.way.grid;
  double widest = memory.widest;  // radius
  BallSleep sleep{balls, grid, widest};
  BallWay way{balls, around, memory.way, BodiesOnTheWay(around.bodies, around.before)};
  std::vector<std::uint8_t>& lies = memory.way.lies;
  std::vector<std::uint8_t>& moved = memory.moved;
  std::size_t waiting = 0;  // balls that let others go first
  std::vector<std::pair<std::uint32_t, Vec3>>
      holds{};  // normals of what balls beside bodies lie on
  std::vector<BallImpact> impacts{};

  // ---- impulses

  /// Who takes part; a sleeper that would hardly notice stands still instead.
  Partner partner_of(const Ball& ball, const Meeting& met, double closing_impulse) {
    Partner partner;
    if (met.other != BallImpact::kNone) {
      Ball& other = balls[met.other];
      if (other.asleep && closing_impulse / mass(other) < kWakingSpeed) return {};
      partner.ball = &other;
      if (other.asleep) sleep.wake_around(met.other);
    } else if (met.body != BallImpact::kNone) {
      Body& body = around.bodies[met.body];
      const bool rolls_on_it = glm::length(ball.velocity) > settings.still_speed &&
                               mass(ball) * body.inverse_mass > 0.01;
      const bool noticed = closing_impulse * body.inverse_mass > kWakingSpeed || rolls_on_it;
      if (body.asleep && !noticed) return {};
      partner = body_partner(body, met.hit.point);
    } else if (met.walker != BallImpact::kNone) {
      WalkerBall& walker = around.walkers[met.walker];
      if (!walker.held_along(met.hit.normal)) partner.ball = &walker.ball;
    }
    return partner;
  }

  /// The ball that was met, whether it yields or not.
  const Ball* met_ball(const Meeting& met) const {
    if (met.other != BallImpact::kNone) return &balls[met.other];
    if (met.walker != BallImpact::kNone) return &around.walkers[met.walker].ball;
    return nullptr;
  }

  enum class Answer { Bounce, Rest, Break };

  Answer answer(std::uint32_t self, const Meeting& met, double left) {
    Ball& ball = balls[self];
    const Vec3 n = met.hit.normal;
    const double own = std::max(0.0, -glm::dot(ball.velocity, n)) * mass(ball);
    const Partner partner = partner_of(ball, met, own);
    const Ball* other = met_ball(met);
    const double e = ball.restitution * (other ? other->restitution : around.restitution);
    const double closing = std::max(0.0, -glm::dot(slip(ball, partner, n), n));
    const double weight = std::max(0.0, settings.gravity * n.y);
    const bool rest = closing <= kStill ||
                      (e < 1 && (2 * e * closing < weight * dt || closing < kStillWhenDamped));
    const double inverse = yield(ball, partner, n, n);
    const double impulse = (rest ? 1 : 1 + e) * closing / inverse;
    BallImpact impact{self,          met.other, met.body, met.walker, met.block,
                      met.hit.point, n,         closing,  impulse,    false};
    if (!rest && around.breaks && met.block != kNoBlock) {
      if (const auto taken = around.breaks(impact)) {
        exchange(ball, partner, n, std::min(*taken, closing / inverse) * n);
        impact.broke = true;
        impacts.push_back(impact);
        return Answer::Break;
      }
    }
    exchange(ball, partner, n, impulse * n);
    const double grip = std::min(ball.friction, other ? other->friction : around.friction);
    rub(ball, partner, n, grip * (impulse + (rest ? weight * left / inverse : 0)));
    if (!rest) {
      impacts.push_back(impact);
      return Answer::Bounce;
    }
    roll(ball, n, weight * left);
    return Answer::Rest;
  }

  /// Its weight for the rest of the step, on the body that it lies on.
  void lie_on(const Ball& ball, const Meeting& met, double left) const {
    Body& body = around.bodies[met.body];
    const double weight = std::max(0.0, settings.gravity * met.hit.normal.y);
    if (body.moving()) {
      load(body_partner(body, met.hit.point), met.hit.normal,
           -(mass(ball) * weight * left) * met.hit.normal);
    }
  }

  Rests::Rest rest_on(const Meeting& met) const {
    const Vec3 n = met.hit.normal;
    if (met.other != BallImpact::kNone) {
      // It goes along with one that falls; pushing is left to impulses, which add no energy.
      const double speed = std::min(0.0, glm::dot(balls[met.other].velocity, n));
      return {n, lies[met.other] ? 0 : speed, false};
    }
    if (met.walker != BallImpact::kNone) {
      const Vec3 velocity = around.walkers[met.walker].ball.velocity;
      return {n, std::min(0.0, glm::dot(velocity, n)), false};
    }
    return {n, 0, met.body != BallImpact::kNone && around.bodies[met.body].moving()};
  }

  // ---- turns

  /// Tells the others where it is.
  void place(std::uint32_t self) { grid.move(self, balls[self].position); }

  /// What is in the way, but is about to go, goes first.
  bool let_go_first(std::uint32_t self, const Meeting& met) {
    if (met.other == BallImpact::kNone || moved[met.other] || balls[met.other].asleep) return false;
    if (glm::dot(balls[met.other].velocity, met.hit.normal) >= 0 || waiting == kMostWaiting) {
      return false;
    }
    grid.move(self, balls[self].position);
    ++waiting;
    step(met.other);
    --waiting;
    way.look_again(waiting);
    return true;
  }

  bool parting(std::uint32_t self, const Meeting& met) const {
    if (met.other == BallImpact::kNone) return false;
    return glm::dot(balls[self].velocity - balls[met.other].velocity, met.hit.normal) > kStill;
  }

  /// A ball's step so far.
  struct Turn {
    double left;          // seconds
    Rests rests{};        // on what it lies
    bool calm = true;     // and that lies still
    bool weighs = false;  // on a body
  };

  void step(std::uint32_t self) {
    if (moved[self] || !balls[self].moving()) return;
    moved[self] = 1;
    way.look_again(waiting);
    Ball& ball = balls[self];
    way.push_out(ball);
    Turn turn{dt};
    for (int hits = 0; turn.left > 0; ++hits) {
      const auto met = go(self, turn);
      if (!met || hits == settings.most_hits || parting(self, *met)) break;
      if (!meet(self, *met, turn)) break;
    }
    if (!around.bodies.empty() && way.bodies.any_near(ball)) {
      for (std::size_t i = 0; i < turn.rests.count; ++i) {
        if (!turn.rests.all[i].body) holds.emplace_back(self, turn.rests.all[i].normal);
      }
    }
    if (ball.spin != Vec3(0)) ball.orientation = turned(ball.orientation, ball.spin * dt);
    grid.move(self, ball.position);
    lies[self] = turn.rests.count > 0 ? 1 : 0;
    sleep_or_not(ball, turn.calm && turn.rests.count > 0, settings, dt);
  }

  /// To the first thing on its way, or to the end of the step.
  std::optional<Meeting> go(std::uint32_t self, Turn& turn) {
    Ball& ball = balls[self];
    const double left = turn.left, from = 1 - left / dt;
    const Vec3 pull = turn.rests.clip(Vec3(0, -settings.gravity, 0), Rests::Of::Pull);
    const Vec3 bend = 0.5 * left * left * pull;
    const SphereSweep sweep{ball.position, ball.position + left * ball.velocity + bend, ball.radius,
                            bend};
    auto met = way.first_meeting(self, sweep, from, waiting);
    while (met && let_go_first(self, *met)) met = way.first_meeting(self, sweep, from, waiting);
    const double share = met ? met->hit.time : 1;
    ball.position = met ? center_at(sweep, share) : sweep.end;
    ball.velocity += share * left * pull;
    turn.left -= share * left;
    return met;
  }

  /// False where its step ends there.
  bool meet(std::uint32_t self, const Meeting& met, Turn& turn) {
    Ball& ball = balls[self];
    const Vec3 normal = met.hit.normal;
    ball.position += met.hit.depth * normal;
    const Answer answered = answer(self, met, turn.left);
    turn.calm = turn.calm && answered == Answer::Rest && lies_still(met);
    if (answered != Answer::Rest) return answered == Answer::Bounce;
    if (met.body != BallImpact::kNone && !std::exchange(turn.weighs, true)) {
      lie_on(ball, met, turn.left);
    }
    turn.rests.add(rest_on(met));
    ball.velocity = turn.rests.clip(ball.velocity, Rests::Of::Velocity);
    ball.position += kLift * normal;
    return true;
  }

  // ---- bodies that balls are in the way of

  /// A ball that cannot yield to a body: the body does, and stops against it.
  void make_way() {
    for (std::uint32_t number = 0; number < around.bodies.size(); ++number) {
      Body& body = around.bodies[number];
      if (!body.moving()) continue;
      const Box box = bounds(body);
      grid.near({box.lo - Vec3(widest), box.hi + Vec3(widest)}, memory.near);
      for (const std::uint32_t i : memory.near) {
        if (!balls[i].lost) make_way(body, number, i);
      }
    }
  }

  void make_way(Body& body, std::uint32_t number, std::uint32_t i) {
    const auto found = overlap(body, number, balls[i]);
    if (!found || found->hit.depth <= kLift) return;
    const Vec3 n = found->hit.normal;
    body.position -= found->hit.depth * n;
    Ball still = balls[i];
    if (still.asleep || is_held(i, n)) still.density = kImmovable;
    const Partner partner = body_partner(body, found->hit.point);
    const double closing = -glm::dot(slip(still, partner, n), n);
    if (closing <= 0) return;
    exchange(still, partner, n, closing / yield(still, partner, n, n) * n);
    balls[i].velocity = still.velocity;
  }

  /// Something keeps the ball from going along n.
  bool is_held(std::uint32_t i, Vec3 n) const {
    return std::any_of(holds.begin(), holds.end(), [&](const auto& hold) {
      return hold.first == i && glm::dot(hold.second, n) < -kHolding;
    });
  }

  // ---- sleep

  bool lies_still(const Meeting& met) const {
    if (met.body != BallImpact::kNone) return !around.bodies[met.body].moving();
    if (met.walker != BallImpact::kNone) return !around.walkers[met.walker].moves;
    if (met.other == BallImpact::kNone) return true;
    return balls[met.other].asleep || balls[met.other].still_s > 0;
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

bool WalkerBall::held_along(Vec3 n) const {
  return (grounded && n.y > kHeldWalker) || glm::dot(wall, n) > kHeldWalker;
}

BallStepper::BallStepper() : memory_(std::make_unique<Memory>()) {}
BallStepper::~BallStepper() = default;
BallStepper::BallStepper(BallStepper&&) noexcept = default;
BallStepper& BallStepper::operator=(BallStepper&&) noexcept = default;

std::vector<BallImpact> BallStepper::step(std::span<Ball> balls, const BallSurroundings& around,
                                          const BallSettings& settings, double dt) {
  Memory& memory = *memory_;
  for (const Ball& ball : balls) memory.widest = std::max(memory.widest, ball.radius);
  const auto order = memory.order.sorted(balls);
  memory.way.grid.fill(balls, order, memory.widest);
  memory.way.lies.resize(balls.size());
  memory.way.places.resize(balls.size());
  memory.moved.assign(balls.size(), 0);
  memory.way.neighbours.resize(kMostWaiting + 1);
  Mover mover{balls, around, settings, dt, memory};
  mover.sleep.wake_near(memory.changed, around.bodies);
  memory.changed.clear();
  for (const std::uint32_t i : order) mover.step(i);
  mover.make_way();
  return std::move(mover.impacts);
}

void BallStepper::solids_changed(const Box& where) {
  memory_->changed.push_back(where);
}

std::vector<BallImpact> step_balls(std::span<Ball> balls, const BallSurroundings& around,
                                   const BallSettings& settings, double dt) {
  return BallStepper().step(balls, around, settings, dt);
}

}  // namespace talus
