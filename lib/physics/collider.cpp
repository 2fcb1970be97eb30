#include "physics/collider.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "voxel/shape.h"

namespace talus {

namespace {

/// Of a piece's size (the edge of a cube of its volume); of a ball's, which is made for rolling.
constexpr double kResistance = 0.1, kBallResistance = 0.05;
/// How far any of a body may stray and still count as where it was, metres.
constexpr double kStill = 1e-4;

/// No less than what going from one orientation to another moves any of a body: twice its radius
/// times the sine of half the angle, which is never over the chord between the unit quaternions.
double turning(const ColliderShape& shape, const Quat& from, const Quat& to) {
  const Quat d = to - from;
  return 2 * shape.radius * std::sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z);
}

bool is_still(const Collider& c, const Body& body) {
  const Vec3 shift = body.position - c.still.position;
  const Quat turn = body.orientation - c.still.orientation;
  // Half the chord between unit quaternions is the sine of a quarter of the angle.
  const double length2 = turn.w * turn.w + turn.x * turn.x + turn.y * turn.y + turn.z * turn.z;
  const double most = 0.5 * kStill, turned = 2 * static_cast<double>(c.shape.radius);
  return glm::dot(shift, shift) <= most * most && turned * turned * length2 <= most * most;
}

}  // namespace

ColliderShape make_collider_shape(const Piece& piece) {
  ColliderShape shape;
  double volume = 0;
  bool all_balls = true;
  for (const BoxPart& box : convex_parts(piece.blocks, cell_bounds(piece.blocks)).boxes) {
    shape.boxes.push_back({Vec3f(box.middle - piece.center), Vec3f(box.half), box.closed});
    shape.box_hulls.push_back(box_hull(Vec3f(box.half)));
    all_balls = false;
    volume += 8 * box.half.x * box.half.y * box.half.z;
    const Vec3 corner = glm::abs(box.middle - piece.center) + box.half;
    shape.radius = std::max(shape.radius, static_cast<float>(glm::length(corner)));
  }
  for (BlockId id = 0; id < piece.blocks.id_end(); ++id) {
    const Block& block = piece.blocks[id];
    if (block.cuts.none()) continue;
    CutPart part = make_cut_part(block);
    part.middle -= piece.center;
    all_balls = all_balls && part.ball > 0;
    volume += shape_mass(block.cuts).volume * block.half() * block.half() * block.half();
    for (const Vec3f& v : part.hull.vertices) {
      shape.radius = std::max(shape.radius, glm::length(Vec3f(part.middle) + v));
    }
    shape.cuts.push_back(std::move(part));
  }
  shape.rock = piece.rock != nullptr;
  for (const Vec3& p : piece.rock ? piece.contact_points : standing_points(piece.blocks)) {
    shape.points.push_back(Vec3f(p - piece.center));
    // The corners of rock stick out of its boxes.
    if (piece.rock) shape.radius = std::max(shape.radius, glm::length(shape.points.back()));
  }
  shape.resistance =
      static_cast<float>((all_balls ? kBallResistance : kResistance) * std::cbrt(volume));
  return shape;
}

void place(Collider& c, const Body& body, std::uint64_t step) {
  place(c, c.shape, body.position, body.orientation);
  c.turned += turning(c.shape, c.orientation, body.orientation);
  c.orientation = body.orientation;
  if (!is_still(c, body)) c.still = {body.position, body.orientation, step};
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
  posed.cuts.clear();
  for (const CutPart& part : shape.cuts) {
    const Vec3f center = axes * Vec3f(part.middle);
    posed.cuts.push_back(center);
    for (const Vec3f& v : part.hull.vertices) {
      const Vec3f at = part.ball > 0 ? center : center + axes * v;
      posed.lo = glm::min(posed.lo, at - Vec3f(part.ball));
      posed.hi = glm::max(posed.hi, at + Vec3f(part.ball));
    }
  }
}

}  // namespace talus
