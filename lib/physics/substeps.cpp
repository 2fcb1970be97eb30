#include "physics/substeps.h"

#include <algorithm>

#include <glm/matrix.hpp>

namespace talus {

namespace {

/// Lever of the resistance of what stands still: that of whatever rolls on it counts.
constexpr float kAnyResistance = 1e6F;
/// The points of a manifold need a few rounds to agree on how they bounce.
constexpr int kBounceRounds = 8;

SolverMass mass_of(const Body& body, const Collider& collider, bool like_a_ball) {
  Mat3f inertia(body.inverse_inertia);
  if (!like_a_ball) inertia = collider.axes * inertia * glm::transpose(collider.axes);
  SolverMass mass;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) mass.rows[r][c] = inertia[c][r];
  }
  mass.rows[0][3] = static_cast<float>(body.inverse_mass);
  mass.rows[1][3] = collider.shape.resistance;
  return mass;
}

}  // namespace

void Substeps::clear(std::size_t parts) {
  part_count_ = parts;
  if (parts_.size() < parts) parts_.resize(parts);
  for (Part& part : parts_) {
    part.first = part.end = 1;
    part.contacts.clear();
    part.gyroscopes.clear();
    part.pushes.clear();
  }
  across_.contacts.clear();
  numbers_.assign(1, 0);
  part_of_.assign(1, 0);
  masses_.assign(1, {});
  masses_[0].rows[1][3] = kAnyResistance;
  moving_.assign(1, {});
}

std::uint32_t Substeps::add(std::uint32_t number, const Body& body, const Collider& collider,
                            bool like_a_ball, std::uint32_t part_number) {
  const std::uint32_t entry = entries();
  Part& part = parts_[part_number];
  if (part.first == part.end) part.first = entry;
  part.end = entry + 1;
  numbers_.push_back(number);
  part_of_.push_back(part_number);
  masses_.push_back(mass_of(body, collider, like_a_ball));
  if (!like_a_ball) part.gyroscopes.push_back({entry, collider.axes, Mat3f(body.piece->inertia)});
  SolverBody moving;
  for (int k = 0; k < 3; ++k) {
    moving.velocity[k] = static_cast<float>(body.velocity[k]);
    moving.spin[k] = static_cast<float>(body.spin[k]);
  }
  moving_.push_back(moving);
  return entry;
}

void Substeps::add(const SolverContact& contact) {
  const std::uint32_t a = part_of_[contact.a == 0 ? contact.b : contact.a];
  const std::uint32_t b = part_of_[contact.b == 0 ? contact.a : contact.b];
  (a == b ? parts_[a] : across_).contacts.push_back(contact);
}

void Substeps::push(std::uint32_t entry, Vec3 acceleration, Vec3 turning) {
  parts_[part_of_[entry]].pushes.push_back({entry, Vec3f(acceleration), Vec3f(turning)});
}

void Substeps::run(const ModernSettings& s, double dt, Team& team) {
  const int substeps = substep_count(s.substep_rate, dt);
  const auto h = static_cast<float>(dt / substeps);
  const auto gravity = static_cast<float>(s.gravity);
  Softness softness =
      make_softness(h, static_cast<float>(s.stiffness) / h, static_cast<float>(s.damping_ratio));
  softness.push_speed = static_cast<float>(s.push_speed);
  before_contacts_.resize(moving_.size());
  SolverBody* const bodies = moving_.data();

  // Before anything moves: rows note how fast their points close when the step begins.
  build(across_);
  on_parts(team, [&](Part& part) {
    build(part);
    for (const Gyroscope& g : part.gyroscopes) {
      precess(g, static_cast<float>(dt), moving_[g.entry].spin);
    }
    integrate_velocities(part, h, gravity, true);
    warm_start(part.groups.groups(), bodies);
  });
  warm_start(across_.groups.groups(), bodies);
  for (int left = substeps; left > 0; --left) {
    solve_biased(across_.groups.groups(), softness, bodies);
    on_parts(team, [&](Part& part) {
      solve_biased(part.groups.groups(), softness, bodies);
      move(part, h);
    });
    solve_relaxed(across_.groups.groups(), softness, bodies);
    on_parts(team, [&](Part& part) {
      solve_relaxed(part.groups.groups(), softness, bodies);
      if (left > 1) integrate_velocities(part, h, gravity, false);
    });
  }
  if (s.restitution > 0) bounce_apart(s, team);
  on_parts(team, [](Part& part) { part.groups.store(); });
  across_.groups.store();
}

void Substeps::bounce_apart(const ModernSettings& s, Team& team) {
  const auto bounce_lot = [&](Lot& lot) {
    bounce(lot.groups.groups(), static_cast<float>(s.restitution),
           static_cast<float>(s.bounce_speed), moving_.data());
  };
  for (int round = 0; round < kBounceRounds; ++round) {
    bounce_lot(across_);
    on_parts(team, bounce_lot);
  }
}

void Substeps::move(const Part& part, float h) {
  move_bodies(std::span(moving_).subspan(part.first, part.end - part.first), h);
}

/// Gravity and water, and what contacts did in the last substep.
void Substeps::integrate_velocities(const Part& part, float h, float gravity, bool first) {
  push_again(std::span(moving_).subspan(part.first, part.end - part.first),
             before_contacts_.data() + part.first, gravity * h, first);
  for (const Push& push : part.pushes) {
    for (int k = 0; k < 3; ++k) {
      before_contacts_[push.entry].velocity[k] += h * push.acceleration[k];
      before_contacts_[push.entry].spin[k] += h * push.turning[k];
      moving_[push.entry].velocity[k] += h * push.acceleration[k];
      moving_[push.entry].spin[k] += h * push.turning[k];
    }
  }
}

void Substeps::report(std::span<Body> bodies, Team& team) const {
  team.run(part_count_, [&](std::size_t i) { report(parts_[i], bodies); });
  report(across_, bodies);
}

void Substeps::report(const Lot& lot, std::span<Body> bodies) const {
  for (const ContactGroup& g : lot.groups.groups()) {
    for (std::size_t l = 0; l < g.lanes; ++l) {
      for (int k = 0; k < g.points; ++k) {
        if (!(g.point[k].peak[l] > 0)) continue;
        for (const std::uint32_t entry : {g.a[l], g.b[l]}) {
          if (entry == 0) continue;
          Body& body = bodies[numbers_[entry]];
          ++body.touching;
          body.closing_speed = std::max<double>(body.closing_speed, g.point[k].closing[l]);
        }
      }
    }
  }
}

}  // namespace talus
