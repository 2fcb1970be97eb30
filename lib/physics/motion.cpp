#include "physics/motion.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace talus {

namespace {

constexpr float kSlow = 0.1F;  // rad/s: precession that nobody sees
constexpr double kTumble =
    0.01;  // rad: the most that one step of tumbling turns, where there is time

}  // namespace

int substep_count(double rate, double dt) {
  return static_cast<int>(std::clamp(std::round(rate * dt), 1.0, 1000.0));
}

Quat turned(const Quat& orientation, Vec3 turn) {
  return normalized(rotation_by(turn) * orientation);
}

double angle_between(const Quat& a, const Quat& b) {
  const Quat d = a * Quat(b.w, -b.x, -b.y, -b.z);
  return 2 * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

namespace {

/// Turns a body about its centre, its angular momentum held, by `steps` of the midpoint rule.
void tumble(Body& body, int steps, double dt) {
  const double h = dt / steps;
  const auto spin_of = [&](const Quat& orientation, Vec3 momentum) {
    const Mat3 r = rotation_matrix(orientation);
    return r * (body.inverse_inertia * (glm::transpose(r) * momentum));
  };
  const Mat3 r = rotation_matrix(body.orientation);
  const Vec3 momentum = r * (body.piece->inertia * (glm::transpose(r) * body.spin));
  for (int i = 0; i < steps; ++i) {
    const Quat middle = turned(body.orientation, body.spin * (0.5 * h));
    body.orientation = turned(body.orientation, spin_of(middle, momentum) * h);
    body.spin = spin_of(body.orientation, momentum);
  }
}

}  // namespace

void fly(Body& body, double gravity, int substeps, double dt) {
  const double h = dt / substeps;
  for (int i = 0; i < substeps; ++i) {
    body.velocity.y -= gravity * h;
    body.position += body.velocity * h;
  }
  const double angle = dt * glm::length(body.spin);
  if (!(angle > 0)) return;
  if (turns_like_a_ball(body.piece->inertia)) {
    body.orientation = turned(body.orientation, body.spin * dt);
  } else {
    tumble(body, static_cast<int>(std::clamp(std::ceil(angle / kTumble), 1.0, 1.0 * substeps)), dt);
  }
}

bool turns_like_a_ball(const Mat3& inertia) {
  const double mean = (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 3;
  double most = 0;
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 3; ++k) {
      most = std::max(most, std::abs(inertia[c][k] - (c == k ? mean : 0.0)));
    }
  }
  return most < 1e-6 * mean;
}

void precess(const Gyroscope& g, float h, float (&spin)[4]) {
  if (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2] < kSlow * kSlow) return;
  Vec3f w = Vec3f(spin[0], spin[1], spin[2]) * g.axes;
  const Vec3f momentum = g.inertia * w;
  const Vec3f residual = h * glm::cross(w, momentum);
  const auto cross_matrix = [](Vec3f v) { return Mat3f(0, v.z, -v.y, -v.z, 0, v.x, v.y, -v.x, 0); };
  const Mat3f jacobian = g.inertia + h * (cross_matrix(w) * g.inertia - cross_matrix(momentum));
  w -= glm::inverse(jacobian) * residual;
  const Vec3f world = g.axes * w;
  spin[0] = world.x;
  spin[1] = world.y;
  spin[2] = world.z;
}

}  // namespace talus
