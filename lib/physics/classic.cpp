// Preset `classic`. The order of operations is part of its definition: it fixes the results.
#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "physics/solver.h"

namespace talus {

namespace {

/// One direction in which a contact point pushes.
struct Row {
  Vec3 direction;
  Vec3 turn;         // arm x direction
  Vec3 turn_effect;  // world inverse inertia * turn
  double effective_mass;
  double target = 0;   // speed along the direction, m/s
  double impulse = 0;  // sum so far
};

struct Contact {
  Row normal, first, second;
};

class Classic : public Solver {
 public:
  explicit Classic(const ClassicSettings& settings) : s_(settings) {}

  InertiaRule inertia_rule() const override { return InertiaRule::Cube; }
  void step(std::span<Body> bodies, Solids& solids, double dt) override;
  void solids_changed(const Box&, std::span<Body>) override {}  // what rests stays
  void pushed(std::size_t) override {}

 private:
  void step(Body& body, Solids& solids, double dt);
  void find_contacts(Body& body, const Mat3& rotation, Solids& solids, double dt);
  void solve(Body& body);
  void come_to_rest(Body& body, double dt) const;

  ClassicSettings s_;
  std::vector<Contact> contacts_;
};

Row make_row(const Body& body, const Mat3& inverse_inertia, Vec3 arm, Vec3 direction) {
  Row row{};
  row.direction = direction;
  row.turn = glm::cross(arm, direction);
  row.turn_effect = inverse_inertia * row.turn;
  row.effective_mass = 1 / (body.inverse_mass + glm::dot(row.turn, row.turn_effect));
  return row;
}

double speed_along(const Body& body, const Row& row) {
  return glm::dot(body.velocity, row.direction) + glm::dot(body.spin, row.turn);
}

/// Brings the speed along the row to its target as far as the sum of impulses may go.
void solve_row(Body& body, Row& row, double least, double most) {
  const double wanted = row.impulse + (row.target - speed_along(body, row)) * row.effective_mass;
  const double sum = std::clamp(wanted, least, most);
  const double change = sum - row.impulse;
  row.impulse = sum;
  body.velocity += row.direction * (change * body.inverse_mass);
  body.spin += row.turn_effect * change;
}

void move(Body& body, double dt) {
  body.position += body.velocity * dt;
  const Quat& q = body.orientation;
  const Vec3 w = body.spin * (0.5 * dt);
  body.orientation = normalized(
      Quat(q.w - w.x * q.x - w.y * q.y - w.z * q.z, q.x + w.x * q.w + w.y * q.z - w.z * q.y,
           q.y + w.y * q.w + w.z * q.x - w.x * q.z, q.z + w.z * q.w + w.x * q.y - w.y * q.x));
}

void Classic::find_contacts(Body& body, const Mat3& rotation, Solids& solids, double dt) {
  contacts_.clear();
  body.closing_speed = 0;
  const Mat3 inverse_inertia = rotation * body.inverse_inertia * glm::transpose(rotation);
  for (const Vec3& local : body.piece->contact_points) {
    const Vec3 arm = rotation * (local - body.piece->center);
    const auto surface = nearest(solids, body.position + arm, s_.touch_distance);
    if (!surface) continue;
    const Vec3 n = surface->normal;
    const Vec3 across = std::abs(n.y) < 0.9 ? Vec3(0, 1, 0) : Vec3(1, 0, 0);
    const Vec3 t1 = glm::normalize(glm::cross(n, across));
    const Vec3 t2 = glm::cross(n, t1);
    Contact contact{make_row(body, inverse_inertia, arm, n),
                    make_row(body, inverse_inertia, arm, t1),
                    make_row(body, inverse_inertia, arm, t2)};
    const double closing = -speed_along(body, contact.normal);
    const double bounce = closing > s_.bounce_speed ? s_.bounce * closing : 0;
    const double depth = -surface->distance;
    const double push =
        std::min(s_.push_share * std::max(depth - s_.slop, 0.0) / dt, s_.push_speed);
    contact.normal.target = std::max(bounce, push);
    body.closing_speed = std::max(body.closing_speed, closing);
    contacts_.push_back(contact);
  }
  body.touching = static_cast<int>(contacts_.size());
}

void Classic::solve(Body& body) {
  for (int pass = 0; pass < s_.passes; ++pass) {
    for (Contact& contact : contacts_) {
      solve_row(body, contact.normal, 0, HUGE_VAL);
      const double most = s_.friction * contact.normal.impulse;
      solve_row(body, contact.first, -most, most);
      solve_row(body, contact.second, -most, most);
    }
  }
}

void Classic::come_to_rest(Body& body, double dt) const {
  const bool touches = body.touching > 0;
  if (touches) body.spin *= 1 - s_.spin_damping * dt;
  const bool slow =
      glm::length(body.velocity) < s_.still_speed && glm::length(body.spin) < s_.still_spin;
  body.still_s = touches && slow ? body.still_s + dt : 0;
  body.age_s += dt;
  if (body.still_s >= s_.still_time || body.age_s >= s_.oldest) {
    body.asleep = true;
    body.velocity = body.spin = Vec3(0);
  }
}

void Classic::step(Body& body, Solids& solids, double dt) {
  body.velocity.y -= s_.gravity * dt;
  find_contacts(body, rotation_matrix(body.orientation), solids, dt);
  solve(body);
  move(body, dt);
  come_to_rest(body, dt);
}

void Classic::step(std::span<Body> bodies, Solids& solids, double dt) {
  for (Body& body : bodies) {
    if (body.moving()) {
      step(body, solids, dt);
    } else {
      body.touching = 0;
      body.closing_speed = 0;
    }
  }
}

}  // namespace

std::unique_ptr<Solver> make_classic_solver(const ClassicSettings& settings) {
  return std::make_unique<Classic>(settings);
}

}  // namespace talus
