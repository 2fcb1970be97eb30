#include "physics/ball_meeting.h"

#include <algorithm>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace talus {

namespace {

/// A solid ball's inertia is 2/5 m r2.
constexpr double kInverseInertia = 2.5;

/// Changes a ball by an impulse at the end of the radius `out`.
void push(Ball& ball, Vec3 out, Vec3 impulse) {
  ball.velocity += impulse / mass(ball);
  ball.spin += glm::cross(out, impulse) * (kInverseInertia / (mass(ball) * ball.radius));
}

}  // namespace

Partner body_partner(Body& body, Vec3 point) {
  const Mat3 axes = rotation_matrix(body.orientation);
  return {nullptr, &body, point - body.position,
          axes * body.inverse_inertia * glm::transpose(axes)};
}

Vec3 slip(const Ball& ball, const Partner& partner, Vec3 n) {
  Vec3 slip = ball.velocity - ball.radius * glm::cross(ball.spin, n);
  if (partner.ball) {
    slip -= partner.ball->velocity + partner.ball->radius * glm::cross(partner.ball->spin, n);
  }
  if (partner.body) slip -= partner.body->velocity + glm::cross(partner.body->spin, partner.arm);
  return slip;
}

double yield(const Ball& ball, const Partner& partner, Vec3 n, Vec3 direction) {
  const Vec3 turn = glm::cross(n, direction);
  const double balls = 1 + kInverseInertia * glm::dot(turn, turn);
  double all = balls / mass(ball);
  if (partner.ball) all += balls / mass(*partner.ball);
  if (partner.body) {
    const Vec3 lever = glm::cross(partner.arm, direction);
    all += partner.body->inverse_mass + glm::dot(lever, partner.inverse_inertia * lever);
  }
  return all;
}

void load(const Partner& partner, Vec3 n, Vec3 impulse) {
  if (partner.ball) push(*partner.ball, n, impulse);
  if (!partner.body) return;
  partner.body->velocity += impulse * partner.body->inverse_mass;
  partner.body->spin += partner.inverse_inertia * glm::cross(partner.arm, impulse);
}

void exchange(Ball& ball, const Partner& partner, Vec3 n, Vec3 impulse) {
  push(ball, -n, impulse);
  load(partner, n, -impulse);
}

void rub(Ball& ball, const Partner& partner, Vec3 n, double most) {
  Vec3 across = slip(ball, partner, n);
  across -= glm::dot(across, n) * n;
  const double speed = glm::length(across);
  if (most <= 0 || speed < 1e-12) return;
  const Vec3 direction = across / speed;
  const double stop = speed / yield(ball, partner, n, direction);
  exchange(ball, partner, n, -std::min(most, stop) * direction);
}

void roll(Ball& ball, Vec3 n, double loss) {
  const Vec3 along = ball.velocity - glm::dot(ball.velocity, n) * n;
  const double speed = std::max(glm::length(along), glm::length(ball.spin) * ball.radius);
  if (speed == 0) return;
  const double kept = std::max(0.0, 1 - ball.rolling * loss / speed);
  ball.velocity += (kept - 1) * along;
  ball.spin *= kept;
}

}  // namespace talus
