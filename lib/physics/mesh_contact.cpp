#include "physics/mesh_contact.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "voxel/block.h"

namespace talus {

namespace {

/// A face meets an edge only where they look at one another at least so much (cosine).
constexpr float kFacing = 0.5F;

/// The part of the segment a + t (b - a) with |place| < half on one axis.
bool clip(float a, float b, float half, float& from, float& to) {
  const float d = b - a;
  if (d == 0) return std::abs(a) < half;
  const float t0 = (-half - a) / d, t1 = (half - a) / d;
  from = std::max(from, std::min(t0, t1));
  to = std::min(to, std::max(t0, t1));
  return from < to;
}

/// The side of a box that looks most against a direction in its axes; kSides where none does enough
/// or where it is closed.
int facing_side(const PosedBox& box, Vec3f direction) {
  int side = kSides;
  float most = kFacing;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(direction[axis]) <= most) continue;
    most = std::abs(direction[axis]);
    side = 2 * axis + (direction[axis] < 0 ? 1 : 0);
  }
  return side < kSides && (box.closed >> side & 1) ? kSides : side;
}

}  // namespace

void meet_ridges(const Collider& a, const GroundPatch& patch, float margin,
                 const std::function<void(const TouchPoint&, Vec3f)>& found) {
  if (a.shape.rock) return;
  const Vec3f offset(patch.origin() - a.position);
  for (const RidgeEdge& ridge : patch.ridges()) {
    const Vec3f lo = glm::min(ridge.a, ridge.b) + offset - Vec3f(margin);
    const Vec3f hi = glm::max(ridge.a, ridge.b) + offset + Vec3f(margin);
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      const PosedBox& box = a.boxes[i];
      const Vec3f apart = glm::max(lo - box.center - a.reach[i], box.center - a.reach[i] - hi);
      if (apart.x > 0 || apart.y > 0 || apart.z > 0) continue;
      const int side = facing_side(box, ridge.normal * box.axes);
      if (side == kSides) continue;
      const Vec3f from = (ridge.a + offset - box.center) * box.axes;
      const Vec3f to = (ridge.b + offset - box.center) * box.axes;
      const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
      float t0 = 0, t1 = 1;
      if (!clip(from[u], to[u], box.half[u], t0, t1)) continue;
      if (!clip(from[v], to[v], box.half[v], t0, t1)) continue;
      const float sign = side % 2 ? 1 : -1;
      const Vec3f normal = box.axes[axis] * sign;
      for (const float t : {t0, t1}) {
        const Vec3f local = from + t * (to - from);
        const float gap = sign * local[axis] - box.half[axis];
        // What is deeper than the middle is met from the other side.
        if (gap > margin || gap < -box.half[axis]) continue;
        found({box.center + box.axes * local - normal * (0.5F * gap), gap}, normal);
      }
    }
  }
}

}  // namespace talus
