// What a ball and what it meets do to one another: impulses at one point.
#pragma once

#include <cstdint>

#include "physics/balls.h"

namespace talus {

/// What was met: something that stands still, another ball, or a body at a point.
struct Partner {
  Ball* ball = nullptr;
  Body* body = nullptr;
  Vec3 arm{0};              // from the body's centre to the point
  Mat3 inverse_inertia{0};  // of the body, world axes
};
Partner body_partner(Body& body, Vec3 point);

/// Velocity of the ball's surface at the point, over that of the partner's; `n` leads from the
/// partner to the ball's centre.
Vec3 slip(const Ball& ball, const Partner& partner, Vec3 n);

/// How much a unit impulse along a direction changes that velocity along it, 1/kg.
double yield(const Ball& ball, const Partner& partner, Vec3 n, Vec3 direction);

/// The impulse on the ball, and its opposite on the partner.
void exchange(Ball& ball, const Partner& partner, Vec3 n, Vec3 impulse);
/// An impulse on the partner alone.
void load(const Partner& partner, Vec3 n, Vec3 impulse);

/// Friction against the slip, at most `most` N s.
void rub(Ball& ball, const Partner& partner, Vec3 n, double most);

/// Rolling resistance: takes `loss` m/s, times the ball's coefficient, off what rolls.
void roll(Ball& ball, Vec3 n, double loss);

}  // namespace talus
