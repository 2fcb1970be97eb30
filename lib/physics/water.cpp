#include "physics/water.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "physics/motion.h"

namespace talus {

namespace {

constexpr double kCellHalf = 0.5 * kCell;

// Drag of a face, all by the water's density and the face's area. A 1 m cube has 6 m2 of faces, of
// which one meets the stream: 0.0875 of all six is its drag coefficient of 1.05, halved.
constexpr double kDrag = 0.0875;   // at 1 m/s
constexpr double kWaves = 0.5;     // m/s, of what is half under water
constexpr double kViscous = 0.05;  // m/s

/// The share of a cell that is under water, by the height of its middle over the surface.
double share_under(double height) {
  return std::clamp(0.5 - height / (2 * kCellHalf), 0.0, 1.0);
}
/// The integral of share_under from `height` up.
double depth_under(double height) {
  if (height >= kCellHalf) return 0;
  if (height <= -kCellHalf) return -height;
  return (kCellHalf - height) * (kCellHalf - height) / (4 * kCellHalf);
}

/// Rows of a symmetric 6 x 6 matrix; of it and of vectors: motion first, then turning.
using Vector6 = std::array<double, 6>;
using Matrix6 = std::array<Vector6, 6>;

/// x of m x = b for a symmetric positive definite m (Cholesky).
Vector6 solve(Matrix6 m, Vector6 b) {
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = m[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= m[i][k] * m[j][k];
      m[i][j] = i == j ? std::sqrt(sum) : sum / m[j][j];
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= m[i][k] * b[k];
    b[i] /= m[i][i];
  }
  for (std::size_t i = 6; i-- > 0;) {
    for (std::size_t k = i + 1; k < 6; ++k) b[i] -= m[k][i] * b[k];
    b[i] /= m[i][i];
  }
  return b;
}

/// What pushes a body, and how its motion brakes it.
struct Forces {
  Vec3 force{0}, torque{0};
  Matrix6 braking{};  // force and torque lost for each m/s and rad/s

  void brake(Vec3 arm, double by) {
    const Mat3 cross(Vec3(0, arm.z, -arm.y), Vec3(-arm.z, 0, arm.x), Vec3(arm.y, -arm.x, 0));
    const double square = glm::dot(arm, arm);
    for (int i = 0; i < 3; ++i) {
      const auto row = static_cast<std::size_t>(i);
      braking[row][row] += by;
      for (int k = 0; k < 3; ++k) {
        const auto column = static_cast<std::size_t>(k);
        const double moment = by * cross[k][i];  // of arm x motion
        braking[row + 3][column] += moment;
        braking[column][row + 3] += moment;
        braking[row + 3][column + 3] += by * ((i == k ? square : 0) - arm[i] * arm[k]);
      }
    }
  }
};

}  // namespace

WaterPush push_of_water(const Body& body, const Water& water, double gravity, double dt) {
  WaterPush push;
  if (!body.float_cells) return push;
  // Where it will be in the middle of the step: there the lift does the work that its energy loses.
  const Mat3 axes = rotation_matrix(turned(body.orientation, 0.5 * dt * body.spin));
  const Vec3 center = body.position + 0.5 * dt * body.velocity;
  Forces forces;
  for (const FloatCell& cell : *body.float_cells) {
    const Vec3 arm = axes * cell.middle, at = center + arm;
    const double share = share_under(at.y - water_surface(water, at));
    if (share == 0) continue;
    const double volume = share * cell.volume;
    push.submerged += volume;
    const Vec3 lift(0, kWaterDensity * gravity * volume, 0);
    forces.force += lift;
    forces.torque += glm::cross(arm, lift);
    const double speed = glm::length(body.velocity + glm::cross(body.spin, arm));
    const double drag = share * (kDrag * speed + kViscous) + 4 * share * (1 - share) * kWaves;
    forces.brake(arm, kWaterDensity * cell.face * drag);
  }
  if (push.submerged == 0) return push;

  // (mass + dt braking) change = dt (forces - braking motion)
  const Mat3 inertia = axes * body.piece->inertia * glm::transpose(axes);
  const Vec3 force = forces.force - Vec3(0, body.piece->mass * gravity, 0);
  Vector6 motion, wanted;
  Matrix6 mass = forces.braking;
  for (int i = 0; i < 3; ++i) {
    const auto a = static_cast<std::size_t>(i), b = a + 3;
    motion[a] = body.velocity[i];
    motion[b] = body.spin[i];
    wanted[a] = force[i];
    wanted[b] = forces.torque[i];
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      wanted[i] -= forces.braking[i][k] * motion[k];
      mass[i][k] *= dt;
      if (i < 3 && k == i) mass[i][k] += body.piece->mass;
      if (i >= 3 && k >= 3) {
        mass[i][k] += inertia[static_cast<int>(k) - 3][static_cast<int>(i) - 3];
      }
    }
  }
  const Vector6 change = solve(mass, wanted);
  push.acceleration = Vec3(change[0], change[1] + gravity, change[2]);
  push.turning = Vec3(change[3], change[4], change[5]);
  return push;
}

double water_energy(const Body& body, const Water& water, double gravity) {
  if (!body.float_cells || body.lost) return 0;
  if (body.position.y - body.piece->radius - kCell > highest_surface(water)) return 0;
  const Mat3 axes = rotation_matrix(body.orientation);
  double energy = 0;
  for (const FloatCell& cell : *body.float_cells) {
    const Vec3 at = body.position + axes * cell.middle;
    const double surface = water_surface(water, at);
    if (surface > kNoWater) energy += cell.volume * depth_under(at.y - surface);
  }
  return energy * kWaterDensity * gravity;
}

bool floats(const Body& body) {
  const double mass = body.piece->mass;
  return kWaterDensity * body.float_volume > mass && kWaterDensity * body.submerged_m3 > 0.5 * mass;
}

}  // namespace talus
