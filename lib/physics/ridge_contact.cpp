#include "physics/ridge_contact.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "voxel/block.h"

namespace talus {

namespace {

/// A face meets a ridge only where they look at one another at least so much (cosine).
constexpr float kFacing = 0.5F;
/// A crossing whose push agrees so well with the face's normal (cosine) is the face's.
constexpr float kFlatOn = 0.97F;
/// sin^2 of the angle under which an edge and a ridge count as parallel.
constexpr float kParallel = 1e-2F;
/// Rounding in cosines.
constexpr float kRounding = 1e-3F;

/// The part of the segment a + t (b - a) with |place| < half on one axis.
bool clip(float a, float b, float half, float& from, float& to) {
  const float d = b - a;
  if (d == 0) return std::abs(a) < half;
  const float t0 = (-half - a) / d, t1 = (half - a) / d;
  from = std::max(from, std::min(t0, t1));
  to = std::min(to, std::max(t0, t1));
  return from < to;
}

/// A ridge in the axes of a box, from its centre.
struct LocalRidge {
  Vec3f from, to, normal;
  float cone;
};

bool is_closed(const PosedBox& box, int axis, float direction) {
  return box.closed >> (2 * axis + (direction > 0 ? 1 : 0)) & 1;
}

/// The axis of the side that looks most against the ridge; 3 where none does enough or where it is
/// closed.
int facing_axis(const PosedBox& box, const LocalRidge& ridge) {
  int facing = 3;
  float most = kFacing;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(ridge.normal[axis]) <= most) continue;
    most = std::abs(ridge.normal[axis]);
    facing = axis;
  }
  return facing < 3 && is_closed(box, facing, -ridge.normal[facing]) ? 3 : facing;
}

/// Where the ridge crosses an edge of the box.
struct Crossing {
  Vec3f on_ridge;  // in the box's axes
  Vec3f out;       // of the ground, unit
  float gap;
};

/// The crossing with one of the four edges along an axis, the one that lies farthest into the
/// ground.
std::optional<Crossing> crossing_along(const PosedBox& box, int axis, const LocalRidge& ridge) {
  const Vec3f along = ridge.to - ridge.from;
  Vec3f edge(0);
  edge[axis] = 1;
  const Vec3f across = glm::cross(along, edge);
  const float length2 = glm::dot(across, across);
  if (length2 < kParallel * glm::dot(along, along)) return {};
  const Vec3f out = across / std::copysign(std::sqrt(length2), glm::dot(across, ridge.normal));
  // Only between the slopes on both sides does the ridge push.
  if (glm::dot(out, ridge.normal) < ridge.cone - kRounding) return {};
  Vec3f middle(0);
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    if (std::abs(out[k]) > kInto && is_closed(box, k, -out[k])) return {};
    middle[k] = out[k] < 0 ? box.half[k] : -box.half[k];
  }
  const Vec3f between = ridge.from - middle;
  const float on_ridge = -glm::dot(glm::cross(between, edge), across) / length2;
  const float on_edge = -glm::dot(glm::cross(between, along), across) / length2;
  if (on_ridge < 0 || on_ridge > 1 || std::abs(on_edge) > box.half[axis]) return {};
  // What is deeper than the middle is met from the other side.
  if (glm::dot(ridge.from, out) > 0) return {};
  return Crossing{ridge.from + on_ridge * along, out, -glm::dot(between, out)};
}

std::optional<Crossing> shallowest_crossing(const PosedBox& box, const LocalRidge& ridge) {
  std::optional<Crossing> best;
  for (int axis = 0; axis < 3; ++axis) {
    const auto found = crossing_along(box, axis, ridge);
    if (found && (!best || found->gap > best->gap)) best = found;
  }
  return best;
}

using Found = std::function<void(const TouchPoint&, Vec3f)>;

/// The ends of what lies over the face across `axis`.
void meet_face(const PosedBox& box, int axis, const LocalRidge& ridge, float margin,
               const Found& found) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  float t0 = 0, t1 = 1;
  if (!clip(ridge.from[u], ridge.to[u], box.half[u], t0, t1)) return;
  if (!clip(ridge.from[v], ridge.to[v], box.half[v], t0, t1)) return;
  const float sign = ridge.normal[axis] < 0 ? 1 : -1;
  const Vec3f normal = box.axes[axis] * sign;
  for (const float t : {t0, t1}) {
    const Vec3f local = ridge.from + t * (ridge.to - ridge.from);
    const float gap = sign * local[axis] - box.half[axis];
    // What is deeper than the middle is met from the other side.
    if (gap > margin || gap < -box.half[axis]) continue;
    found({box.center + box.axes * local - normal * (0.5F * gap), gap}, normal);
  }
}

void meet(const PosedBox& box, const LocalRidge& ridge, float margin, const Found& found) {
  const int axis = facing_axis(box, ridge);
  const auto crossing = shallowest_crossing(box, ridge);
  if (!crossing || (axis < 3 && std::abs(crossing->out[axis]) > kFlatOn)) {
    if (axis < 3) meet_face(box, axis, ridge, margin, found);
  } else if (crossing->gap <= margin) {
    const Vec3f half_way = crossing->on_ridge + 0.5F * crossing->gap * crossing->out;
    found({box.center + box.axes * half_way, crossing->gap}, -(box.axes * crossing->out));
  }
}

}  // namespace

float meet_ridges(const Collider& a, float margin, const Found& found) {
  if (a.shape.rock) return HUGE_VALF;
  float nearest = HUGE_VALF;
  const Vec3f offset(a.around.ridge_origin() - a.position);
  for (const RidgeEdge& ridge : a.around.ridges()) {
    const Vec3f lo = glm::min(ridge.a, ridge.b) + offset;
    const Vec3f hi = glm::max(ridge.a, ridge.b) + offset;
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      const PosedBox& box = a.boxes[i];
      const Vec3f gaps = glm::max(lo - box.center - a.reach[i], box.center - a.reach[i] - hi);
      const float gap = std::max({gaps.x, gaps.y, gaps.z});
      nearest = std::min(nearest, gap > margin ? gap : 0);
      if (gap > margin) continue;
      const LocalRidge local{(ridge.a + offset - box.center) * box.axes,
                             (ridge.b + offset - box.center) * box.axes, ridge.normal * box.axes,
                             ridge.cone};
      meet(box, local, margin, found);
    }
  }
  return nearest;
}

}  // namespace talus
