#include "scenario/watcher.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "physics/water.h"

namespace talus {

Watcher::Watcher(const Scenario& scenario, const Cast& cast, Vec3 site_m)
    : scenario_(scenario),
      cast_(cast),
      site_m_(site_m),
      watches_depth_(expects(Expectation::Kind::Penetration)),
      watches_walkers_(expects(Expectation::Kind::NeverInside)),
      results_(scenario.expect.size()),
      judged_(scenario.expect.size()) {
  observed_.nearest_m.assign(scenario.expect.size(), kNeverThere);
}

bool Watcher::expects(Expectation::Kind kind) const {
  return std::any_of(scenario_.expect.begin(), scenario_.expect.end(),
                     [kind](const Expectation& e) { return e.kind == kind; });
}

void Watcher::before_step(const World& world) {
  bodies_before_ = world.bodies().size();
  energy_before_ = energy_of(world, bodies_before_);
}

void Watcher::after_step(const World& world) {
  const double gain = energy_of(world, bodies_before_) - energy_before_;
  if (gain <= observed_.energy_gain_j) return;
  observed_.energy_gain_j = gain;
  observed_.energy_gain_s = world.time_s();
}

void Watcher::look(World& world) {
  for (std::size_t i = 0; i < world.bodies().size(); ++i) watch_body(world, i);
  for (std::size_t i = 0; i < world.balls().size(); ++i) watch_ball(world, i);
  for (std::size_t i = 0; i < world.walkers().size(); ++i) watch_walker(world, i);
  watch_who_arrives(world);
}

void Watcher::note_speed(const World& world, Actor who, Vec3 velocity) {
  const double speed = glm::length(velocity);
  if (speed <= observed_.fastest_m_s) return;
  observed_.fastest_m_s = speed;
  observed_.fastest_s = world.time_s();
  observed_.fastest_body = cast_.name_of(world, who);
}

void Watcher::note_depth(const World& world, Actor who, double depth) {
  if (depth <= observed_.deepest_m) return;
  observed_.deepest_m = depth;
  observed_.deepest_s = world.time_s();
  observed_.deepest_body = cast_.name_of(world, who);
}

void Watcher::watch_body(World& world, std::size_t i) {
  const Body& body = world.bodies()[i];
  const Actor who{Actor::Kind::Body, i};
  if (!body.moving()) return;
  note_speed(world, who, body.velocity);
  if (!watches_depth_ || body.touching == 0) return;
  for (const Vec3 point : body.piece->contact_points) {
    const auto surface = nearest(world.solids(), to_world(body, point), 0);
    if (surface) note_depth(world, who, -surface->distance);
  }
}

void Watcher::watch_ball(World& world, std::size_t i) {
  const Ball& ball = world.balls()[i];
  const Actor who{Actor::Kind::Ball, i};
  if (!ball.moving()) return;
  note_speed(world, who, ball.velocity);
  if (!watches_depth_) return;
  const auto surface = nearest(world.solids(), ball.position, ball.radius);
  // The ground that balls meet is made of triangles, and only nearly this one.
  if (surface && surface->block != kNoBlock)
    note_depth(world, who, ball.radius - surface->distance);
}

void Watcher::watch_walker(World& world, std::size_t i) {
  const double depth = watches_walkers_ ? world.depth_of_walker(i) : 0;
  if (depth <= observed_.deepest_walker_m) return;
  observed_.deepest_walker_m = depth;
  observed_.deepest_walker_s = world.time_s();
  observed_.deepest_walker = cast_.name_of(world, {Actor::Kind::Walker, i});
}

void Watcher::watch_who_arrives(const World& world) {
  for (std::size_t i = 0; i < scenario_.expect.size(); ++i) {
    const Expectation& e = scenario_.expect[i];
    if (e.kind != Expectation::Kind::Reaches || judged_[i]) continue;
    const auto who = find_actor(cast_.parts(world), e.name);
    if (!who) continue;
    const double away = glm::distance(place_of(world, *who) - site_m_, e.point);
    observed_.nearest_m[i] = std::min(observed_.nearest_m[i], away);
  }
}

double Watcher::energy_of(const Body& body) const {
  const double gravity = scenario_.settings.gravity();
  return kinetic_energy(body) + potential_energy(body, gravity) +
         water_energy(body, scenario_.water, gravity);
}

/// Of the balls, and of the first `bodies` bodies with all that was split from them.
double Watcher::energy_of(const World& world, std::size_t bodies) const {
  double sum = 0;
  for (std::size_t i = 0; i < world.bodies().size(); ++i) {
    std::size_t first = i;
    while (first >= bodies && world.bodies()[first].split_from != kNoBody) {
      first = world.bodies()[first].split_from;
    }
    if (first < bodies && !world.bodies()[i].lost) sum += energy_of(world.bodies()[i]);
  }
  for (const Ball& ball : world.balls()) {
    if (!ball.lost) sum += energy(ball, scenario_.settings.gravity());
  }
  return sum;
}

void Watcher::judge_due(const World& world, bool at_end) {
  for (std::size_t i = 0; i < judged_.size(); ++i) {
    const Expectation& e = scenario_.expect[i];
    const double half = scenario_.settings.world.step_s / 2;
    const bool due = at_end || (e.at_s && world.time_s() > *e.at_s - half);
    if (judged_[i] || !due) continue;
    results_[i] = judge(e, i, cast_.parts(world), observed_, site_m_);
    judged_[i] = 1;
  }
}

/// "At rest by" failed before it was known when all would be.
std::vector<ExpectationResult> Watcher::results(std::optional<double> rest_s) {
  for (std::size_t i = 0; i < results_.size() && rest_s; ++i) {
    const Expectation& e = scenario_.expect[i];
    ExpectationResult& result = results_[i];
    if (e.kind != Expectation::Kind::AtRest || !e.at_s || result.passed) continue;
    result.updates.push_back({"by_s", fmt::format("{}", *rest_s)});
  }
  return std::move(results_);
}

}  // namespace talus
