#include "collision/triangle.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

namespace {

Vec3 closest_on_segment(Vec3 a, Vec3 b, Vec3 p) {
  const Vec3 along = b - a;
  const double length = glm::dot(along, along);
  if (!(length > 0)) return a;
  return a + std::clamp(glm::dot(p - a, along) / length, 0.0, 1.0) * along;
}

Vec3 closest_on_rim(const Triangle& t, Vec3 p) {
  Vec3 best = closest_on_segment(t[0], t[1], p);
  for (std::size_t i = 1; i < 3; ++i) {
    const Vec3 q = closest_on_segment(t[i], t[(i + 1) % 3], p);
    if (glm::dot(q - p, q - p) < glm::dot(best - p, best - p)) best = q;
  }
  return best;
}

/// Whether the projections on an axis leave a gap. `half` is the box's, corners are relative to its
/// middle.
bool parts(const Vec3& axis, const Triangle& corners, const Vec3& half) {
  const double a = glm::dot(axis, corners[0]), b = glm::dot(axis, corners[1]),
               c = glm::dot(axis, corners[2]);
  const double reach = glm::dot(half, glm::abs(axis));
  return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
}

}  // namespace

Vec3 closest_point(const Triangle& t, Vec3 p) {
  const Vec3 normal = glm::cross(t[1] - t[0], t[2] - t[0]);
  const double squared = glm::dot(normal, normal);
  if (!(squared > 0)) return closest_on_rim(t, p);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 inward = glm::cross(normal, t[(i + 1) % 3] - t[i]);
    if (glm::dot(inward, p - t[i]) < 0) return closest_on_rim(t, p);
  }
  return p - normal * (glm::dot(normal, p - t[0]) / squared);
}

bool overlaps(const Triangle& triangle, const Box& box) {
  for (int axis = 0; axis < 3; ++axis) {
    const double lo = std::min({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
    const double hi = std::max({triangle[0][axis], triangle[1][axis], triangle[2][axis]});
    if (!(box.lo[axis] <= hi && lo <= box.hi[axis] && box.lo[axis] <= box.hi[axis])) return false;
  }
  const Vec3 middle = 0.5 * (box.lo + box.hi), half = 0.5 * (box.hi - box.lo);
  const Triangle corners = {triangle[0] - middle, triangle[1] - middle, triangle[2] - middle};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = corners[(i + 1) % 3] - corners[i];
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 unit(0);
      unit[axis] = 1;
      if (parts(glm::cross(edge, unit), corners, half)) return false;
    }
  }
  return !parts(glm::cross(corners[1] - corners[0], corners[2] - corners[0]), corners, half);
}

}  // namespace talus
