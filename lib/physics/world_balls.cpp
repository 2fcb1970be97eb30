// World: balls and walkers, which move after the pieces have.
#include <algorithm>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/world.h"

namespace talus {

std::size_t World::add_ball(const Ball& ball) {
  balls_.push_back(ball);
  ball_met_.push_back(0);
  return balls_.size() - 1;
}

std::optional<std::size_t> World::add_walker(const Walker& walker, const WalkerSettings& settings) {
  if (walker_depth(walker, {solids_, bodies_, balls_}, settings) > kWalkerSlack) {
    return std::nullopt;
  }
  walkers_.push_back(walker);
  walker_settings_.push_back(settings);
  return walkers_.size() - 1;
}

std::optional<std::size_t> World::walker_in_the_way(const Block& block) const {
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    if (in_the_way(walkers_[i], block, walker_settings_[i])) return i;
  }
  return std::nullopt;
}

double World::depth_of_walker(std::size_t walker) {
  return walker_depth(walkers_[walker], {solids_, bodies_, balls_}, walker_settings_[walker]);
}

void World::push_ball(std::size_t i, Vec3 velocity_change, Vec3 spin_change) {
  Ball& ball = balls_[i];
  if (ball.lost) return;
  if (ball.asleep) note(EventKind::Woke, Actor{Actor::Kind::Ball, i});
  ball.asleep = false;
  ball.still_s = 0;
  ball.velocity += velocity_change;
  ball.spin += spin_change;
}

TerrainTriangles& World::ball_ground() {
  if (!ball_ground_) ball_ground_.emplace(solids_.ground.terrain());
  return *ball_ground_;
}

void World::step_balls() {
  std::vector<std::uint8_t> slept;
  for (const Ball& ball : balls_) slept.push_back(ball.asleep);
  std::vector<WalkerBall> walkers;
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    for (const WalkerBall& part : walker_balls(walkers_[i], walker_settings_[i])) {
      walkers.push_back(part);
    }
  }
  BallSurroundings around;
  around.walkers = walkers;
  around.blocks = &solids_.blocks;
  around.ground = &ball_ground();
  around.bodies = bodies_;
  around.before = before_;
  if (settings_.break_on_impact) {
    around.breaks = [this](const BallImpact& impact) { return breaks(impact); };
  }
  BallSettings settings;
  settings.gravity = settings_.gravity;
  settings.sleeping = settings_.balls_sleep;
  const auto impacts = ball_stepper_.step(balls_, around, settings, settings_.step_s);
  note_ball_changes(impacts, slept);
  wake_hit_bodies(impacts);
  knock_walkers(impacts, walkers);
  apply_breaks();
}

void World::note_ball_changes(std::span<const BallImpact> impacts,
                              std::span<const std::uint8_t> slept) {
  const auto ball = [](std::size_t i) { return Actor{Actor::Kind::Ball, i}; };
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    if (slept[i] && !balls_[i].asleep) note(EventKind::Woke, ball(i));
  }
  for (const BallImpact& impact : impacts) {
    if (!std::exchange(ball_met_[impact.ball], std::uint8_t{1})) {
      note(EventKind::FirstContact, ball(impact.ball), impact.speed);
    }
    if (impact.speed > settings_.hit_speed) note(EventKind::Hit, ball(impact.ball), impact.speed);
  }
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    if (!slept[i] && balls_[i].asleep) note(EventKind::Rested, ball(i));
    if (balls_[i].lost || !out_of_reach(balls_[i].position, settings_.lost_below_m)) continue;
    balls_[i].lost = true;
    note(EventKind::Lost, ball(i));
  }
}

/// Balls change the velocities of bodies; the rest is done here.
void World::wake_hit_bodies(std::span<const BallImpact> impacts) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (!body.asleep || (body.velocity == Vec3(0) && body.spin == Vec3(0))) continue;
    wake(body);
    note(EventKind::Woke, i);
    solver_->pushed(i);
  }
  for (const BallImpact& impact : impacts) {
    if (impact.body == BallImpact::kNone) continue;
    if (!std::exchange(met_[impact.body], std::uint8_t{1})) {
      note(EventKind::FirstContact, impact.body, impact.speed);
    }
    if (!bodies_[impact.body].asleep) solver_->pushed(impact.body);
  }
}

/// Two parts a walker, in their order.
void World::knock_walkers(std::span<const BallImpact> impacts, std::span<const WalkerBall> parts) {
  std::vector<double> hardest(walkers_.size());
  for (const BallImpact& impact : impacts) {
    if (impact.walker == BallImpact::kNone) continue;
    double& impulse = hardest[impact.walker / 2];
    impulse = std::max(impulse, impact.impulse);
  }
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    Walker& walker = walkers_[i];
    const Vec3 before = walker.velocity;
    const bool was_crushed = walker.crushed;
    const Vec3 change =
        (parts[2 * i].ball.velocity - before) + (parts[2 * i + 1].ball.velocity - before);
    knock_walker(walker, change, hardest[i], walker_settings_[i]);
    if (walker.crushed && !was_crushed) note(EventKind::Crushed, Actor{Actor::Kind::Walker, i});
  }
}

void World::step_walkers() {
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    Walker& walker = walkers_[i];
    const Vec3 stood = walker.position;
    const bool was_crushed = walker.crushed;
    step_walker(walker, {solids_, bodies_, balls_}, walker_settings_[i], settings_.step_s);
    if (walker.crushed && !was_crushed) note(EventKind::Crushed, Actor{Actor::Kind::Walker, i});
    if (walker.moved) {
      // What leaned on it wakes.
      const double wide = walker_settings_[i].radius, high = walker_settings_[i].height;
      ball_stepper_.solids_changed({glm::min(stood, walker.position) - Vec3(wide, 0, wide),
                                    glm::max(stood, walker.position) + Vec3(wide, high, wide)});
    }
  }
}

}  // namespace talus
