// How a body moves on its own: flight, spin, turning.
#pragma once

#include <cstdint>

#include "physics/body.h"
#include "physics/collider.h"

namespace talus {

/// How many substeps a step has at this rate (1/s); at least 1.
int substep_count(double rate, double dt);

/// The orientation after a turn (radians, world axes).
Quat turned(const Quat& orientation, Vec3 turn);
/// The angle of the rotation between two orientations, for small ones: radians.
double angle_between(const Quat& a, const Quat& b);

/// Moves a body that touches nothing, by `substeps` of semi-implicit Euler; it turns by the
/// midpoint rule, in as many steps as its spin asks for, up to as many. Its angular momentum stays
/// what it is, to rounding.
void fly(Body& body, double gravity, int substeps, double dt);

/// What the gyroscopic term needs of a body, its axes fixed for a step.
struct Gyroscope {
  std::uint32_t entry = 0;  // whose it is, in the solver
  Mat3f axes{1};            // columns: the piece's axes in the world
  Mat3f inertia{0.0F};      // in them, about the centre, kg m2
};
/// True where the inertia is that of a ball or a cube: the term is zero.
bool turns_like_a_ball(const Mat3& inertia);
/// One implicit step of torque-free precession (Catto, "Numerical methods", 2015): unconditionally
/// stable. A spin under 0.1 rad/s, whose axis strays by less than 0.01 rad/s in a second, is left
/// as it is. `spin`: rad/s, world axes; the fourth number is left alone.
void precess(const Gyroscope& gyroscope, float h, float (&spin)[4]);

}  // namespace talus
