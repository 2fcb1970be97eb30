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
  place(c, c.shape, body.position, body.orientation);
  c.velocity = Vec3f(body.velocity);
  c.spin = Vec3f(body.spin);
  c.tip_speed = c.shape.radius * glm::length(c.spin);
}

void place(PosedShape& posed, const ColliderShape& shape, Vec3 position, const Quat& orientation) {
  posed.position = position;
  posed.axes = Mat3f(rotation_matrix(orientation));
  const Mat3f& axes = posed.axes;
  const Mat3f reach(glm::abs(axes[0]), glm::abs(axes[1]), glm::abs(axes[2]));
  posed.boxes.clear();
  posed.reach.clear();
  posed.lo = Vec3f(HUGE_VALF);
  posed.hi = Vec3f(-HUGE_VALF);
  for (const ColliderShape::Part& part : shape.boxes) {
    const Vec3f center = axes * part.middle, half = reach * part.half;
    posed.boxes.push_back({center, axes, part.half, part.closed});
    posed.reach.push_back(half);
    posed.lo = glm::min(posed.lo, center - half);
    posed.hi = glm::max(posed.hi, center + half);
  }
}

}  // namespace talus
