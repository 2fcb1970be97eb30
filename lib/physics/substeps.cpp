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

void Substeps::clear() {
  contacts_.clear();
  numbers_.assign(1, 0);
  masses_.assign(1, {});
  masses_[0].rows[1][3] = kAnyResistance;
  moving_.assign(1, {});
  gyroscopes_.clear();
  pushes_.clear();
}

std::uint32_t Substeps::add(std::uint32_t number, const Body& body, const Collider& collider,
                            bool like_a_ball) {
  const std::uint32_t entry = entries();
  numbers_.push_back(number);
  masses_.push_back(mass_of(body, collider, like_a_ball));
  if (!like_a_ball) gyroscopes_.push_back({entry, collider.axes, Mat3f(body.piece->inertia)});
  SolverBody moving;
  for (int k = 0; k < 3; ++k) {
    moving.velocity[k] = static_cast<float>(body.velocity[k]);
    moving.spin[k] = static_cast<float>(body.spin[k]);
  }
  moving_.push_back(moving);
  return entry;
}

void Substeps::push(std::uint32_t entry, Vec3 acceleration, Vec3 turning) {
  pushes_.push_back({entry, Vec3f(acceleration), Vec3f(turning)});
}

void Substeps::run(const ModernSettings& s, double dt) {
  groups_.build(contacts_, masses_, moving_, s.threads);
  const int substeps = substep_count(s.substep_rate, dt);
  const auto h = static_cast<float>(dt / substeps);
  Softness softness =
      make_softness(h, static_cast<float>(s.stiffness) / h, static_cast<float>(s.damping_ratio));
  softness.push_speed = static_cast<float>(s.push_speed);
  before_contacts_.resize(moving_.size());
  for (int i = 0; i < substeps; ++i) {
    substep(h, static_cast<float>(s.gravity), softness, i == 0);
  }
  if (s.restitution > 0) {
    for (int round = 0; round < kBounceRounds; ++round) {
      bounce(groups_.groups(), static_cast<float>(s.restitution),
             static_cast<float>(s.bounce_speed), moving_.data());
    }
  }
  groups_.store();
}

void Substeps::substep(float h, float gravity, const Softness& softness, bool first) {
  integrate_velocities(h, gravity, first);
  if (first) warm_start(groups_.groups(), moving_.data());
  solve_biased(groups_.groups(), softness, moving_.data());
  move_bodies(moving_, h);
  solve_relaxed(groups_.groups(), softness, moving_.data());
}

/// Gravity, water and precession, and what contacts did in the last substep.
void Substeps::integrate_velocities(float h, float gravity, bool first) {
  // Precession turns a spin without contacts: apart from what contacts will do again.
  spins_.clear();
  for (const Gyroscope& gyroscope : gyroscopes_) {
    const SolverBody& m = moving_[gyroscope.entry];
    const Velocities& before = before_contacts_[gyroscope.entry];
    PrecessedSpin spin;
    for (int k = 0; k < 4; ++k) {
      spin.freely[k] = m.spin[k];
      spin.push[k] = first ? 0 : m.spin[k] - before.spin[k];
    }
    precess(gyroscope, h, spin.freely);
    spins_.push_back(spin);
  }
  push_again(moving_, before_contacts_.data(), gravity * h, first);
  for (std::size_t i = 0; i < gyroscopes_.size(); ++i) {
    const std::uint32_t entry = gyroscopes_[i].entry;
    for (int k = 0; k < 4; ++k) {
      before_contacts_[entry].spin[k] = spins_[i].freely[k];
      moving_[entry].spin[k] = spins_[i].freely[k] + spins_[i].push[k];
    }
  }
  for (const Push& push : pushes_) {
    for (int k = 0; k < 3; ++k) {
      before_contacts_[push.entry].velocity[k] += h * push.acceleration[k];
      before_contacts_[push.entry].spin[k] += h * push.turning[k];
      moving_[push.entry].velocity[k] += h * push.acceleration[k];
      moving_[push.entry].spin[k] += h * push.turning[k];
    }
  }
}

void Substeps::report(std::span<Body> bodies) const {
  for (const ContactGroup& g : groups_.groups()) {
    for (std::size_t l = 0; l < kLanes; ++l) {
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
