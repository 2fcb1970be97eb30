#include "physics/body.h"

#include <utility>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace talus {

Body make_body(std::shared_ptr<const Piece> piece, double born_s) {
  Body body;
  body.born_s = born_s;
  body.position = piece->center;
  body.inverse_mass = 1 / piece->mass;
  body.inverse_inertia = glm::inverse(piece->inertia);
  body.piece = std::move(piece);
  return body;
}

Vec3 to_world(const Body& body, Vec3 local) {
  return body.position + rotation_matrix(body.orientation) * (local - body.piece->center);
}

double kinetic_energy(const Body& body) {
  const Vec3 local_spin = glm::transpose(rotation_matrix(body.orientation)) * body.spin;
  return 0.5 * body.piece->mass * glm::dot(body.velocity, body.velocity) +
         0.5 * glm::dot(local_spin, body.piece->inertia * local_spin);
}

double potential_energy(const Body& body, double gravity) {
  return body.piece->mass * gravity * body.position.y;
}

void wake(Body& body) {
  body.asleep = false;
  body.still_s = 0;
  body.age_s = 0;
}

}  // namespace talus
