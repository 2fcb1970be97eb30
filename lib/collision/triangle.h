// One triangle: the point of it that is nearest, and whether it meets a box.
#pragma once

#include <array>
#include <cstdint>

#include "core/box.h"

namespace talus {

using Triangle = std::array<Vec3, 3>;

/// The point of the triangle nearest to p (Ericson, "Real-Time Collision Detection", 2005, 5.1.5).
/// Degenerate triangles are segments or points.
Vec3 closest_point(const Triangle& triangle, Vec3 p);

/// Whether triangle and box, both closed, share a point: separating axes (Akenine-Moeller, "Fast 3D
/// triangle-box overlap testing", 2001).
bool overlaps(const Triangle& triangle, const Box& box);

/// The point of a surface nearest to another, as trees tell it.
struct NearestPoint {
  Vec3 point{0};
  double distance = 0;  // metres
  std::uint32_t triangle = 0;
};

}  // namespace talus
