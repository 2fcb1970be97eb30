#include "physics/collider.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

namespace {

/// Of a piece's size (the edge of a cube of its volume).
constexpr double kResistance = 0.1;

}  // namespace

ColliderShape make_collider_shape(const Piece& piece) {
  ColliderShape shape;
  double volume = 0;
  for (const BoxPart& box : convex_parts(piece.blocks, cell_bounds(piece.blocks)).boxes) {
    shape.boxes.push_back({Vec3f(box.middle - piece.center), Vec3f(box.half), box.closed});
    volume += 8 * box.half.x * box.half.y * box.half.z;
    const Vec3 corner = glm::abs(box.middle - piece.center) + box.half;
    shape.radius = std::max(shape.radius, static_cast<float>(glm::length(corner)));
  }
  for (const Vec3& p : standing_points(piece.blocks)) {
    shape.points.push_back(Vec3f(p - piece.center));
  }
  shape.resistance = static_cast<float>(kResistance * std::cbrt(volume));
  return shape;
}

void place(Collider& c, const Body& body) {
  place(c, body.position, body.orientation);
  c.velocity = Vec3f(body.velocity);
  c.spin = Vec3f(body.spin);
  c.tip_speed = c.shape.radius * glm::length(c.spin);
}

void place(Collider& c, Vec3 position, const Quat& orientation) {
  c.position = position;
  c.axes = Mat3f(rotation_matrix(orientation));
  const Mat3f reach(glm::abs(c.axes[0]), glm::abs(c.axes[1]), glm::abs(c.axes[2]));
  c.boxes.clear();
  c.reach.clear();
  c.lo = Vec3f(HUGE_VALF);
  c.hi = Vec3f(-HUGE_VALF);
  for (const ColliderShape::Part& part : c.shape.boxes) {
    const Vec3f center = c.axes * part.middle, half = reach * part.half;
    c.boxes.push_back({center, c.axes, part.half, part.closed});
    c.reach.push_back(half);
    c.lo = glm::min(c.lo, center - half);
    c.hi = glm::max(c.hi, center + half);
  }
}

}  // namespace talus
