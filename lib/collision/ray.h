// Rays, and what they hit.
//
// A ray hits a triangle from either side. Whatever it meets at the very start or the very end
// counts; a triangle it runs along, in the triangle's own plane, does not. Hits are decided by the
// watertight test of Woop, Benthin and Wald (2013): a ray at an edge or a vertex that triangles
// share hits at least one of them. Directions may have zero components.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "core/vec.h"

namespace talus {

struct Ray {
  Vec3 origin{0};                                          // metres, at most kFarthestRay from 0
  Vec3 direction{0, -1, 0};                                // of any length but 0
  double reach = std::numeric_limits<double>::infinity();  // metres, >= 0
};

inline constexpr double kFarthestRay = 1e12;

struct TriangleHit {
  double distance = 0;         // metres along the ray, never below 0
  std::uint32_t triangle = 0;  // by the numbers of the tree that was asked
  Vec3 normal{0};              // unit, out of the triangle's counter-clockwise side
  bool operator==(const TriangleHit&) const = default;
};

/// A ray made ready for trees: its direction at unit length, and what the triangle test needs, once
/// for all triangles. The axis `kz` is the direction's longest; the other two follow it in order.
struct RayFrame {
  Vec3 origin{0}, direction{0};
  double reach = 0;
  int kz = 2;
  float shear_x = 0, shear_y = 0, shear_z = 1;
  /// 1 / direction, but never beyond 1e20: a zero component takes planes the ray lies beyond to far
  /// outside every interval, and no product is ever NaN.
  std::array<float, 3> inverse{};
  /// The origin on the grid of kVertexGrid metres, to the cell and within it.
  std::array<std::int64_t, 3> grid_cell{};
  std::array<float, 3> grid_fraction{};
};

/// The grid on which trees of chunks keep their vertices, metres: the meshers' grid for steps of 1
/// m.
inline constexpr double kVertexGrid = 1.0 / 1024;

/// Nothing where the direction is zero, where anything is not a number, or out of range.
std::optional<RayFrame> make_ray_frame(const Ray& ray);

/// A hit as the fast test knows it: `t` in units of the tree.
struct NearHit {
  float t = std::numeric_limits<float>::infinity();
  std::uint32_t triangle = 0;
};

/// The hit on a triangle that a tree's test found, told exactly: the same test in double. Corners
/// are relative to the ray's origin, metres; `about` is the distance found.
TriangleHit exact_hit(const RayFrame& ray, const std::array<Vec3, 3>& corners, double about,
                      std::uint32_t triangle);

}  // namespace talus
