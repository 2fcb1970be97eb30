// The gap of two boxes along any direction, in double, by the shadows of their corners.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <glm/geometric.hpp>

#include "core/rotation.h"

namespace talus {

using Corners = std::vector<Vec3>;

inline Corners box_corners(Vec3 middle, const Mat3& axes, Vec3 half) {
  Corners corners;
  for (int k = 0; k < 8; ++k) {
    const Vec3 side(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    corners.push_back(middle + axes * (side * half));
  }
  return corners;
}

/// `axis`: unit.
inline double plain_gap(Vec3 axis, const Corners& a, const Corners& b) {
  double a_lo = HUGE_VAL, a_hi = -HUGE_VAL, b_lo = HUGE_VAL, b_hi = -HUGE_VAL;
  for (const Vec3& c : a) {
    a_lo = std::min(a_lo, glm::dot(c, axis));
    a_hi = std::max(a_hi, glm::dot(c, axis));
  }
  for (const Vec3& c : b) {
    b_lo = std::min(b_lo, glm::dot(c, axis));
    b_hi = std::max(b_hi, glm::dot(c, axis));
  }
  return std::max(b_lo - a_hi, a_lo - b_hi);
}

}  // namespace talus
