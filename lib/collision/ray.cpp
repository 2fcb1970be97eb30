#include "collision/ray.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace talus {

std::optional<RayFrame> make_ray_frame(const Ray& ray) {
  constexpr double kSteepest = 1e20;
  // Scaled first, so that no square runs over or under.
  const double largest =
      std::max({std::abs(ray.direction.x), std::abs(ray.direction.y), std::abs(ray.direction.z)});
  if (!std::isfinite(largest) || !(largest > 0) || !(ray.reach >= 0)) return {};
  RayFrame frame;
  frame.direction = glm::normalize(ray.direction / largest) + 0.0;  // no "-0"
  frame.origin = ray.origin;
  frame.reach = ray.reach;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isnan(frame.direction[axis])) return {};
    if (!(std::abs(ray.origin[axis]) <= kFarthestRay)) return {};
    const auto a = static_cast<std::size_t>(axis);
    const double component = frame.direction[axis];
    frame.inverse[a] = static_cast<float>(
        std::abs(component) * kSteepest > 1 ? 1 / component : std::copysign(kSteepest, component));
    const double on_grid = ray.origin[axis] / kVertexGrid, cell = std::floor(on_grid);
    frame.grid_cell[a] = static_cast<std::int64_t>(cell);
    frame.grid_fraction[a] = static_cast<float>(on_grid - cell);
    if (std::abs(component) > std::abs(frame.direction[frame.kz])) frame.kz = axis;
  }
  const Vec3 d = frame.direction;
  const int kx = (frame.kz + 1) % 3, ky = (frame.kz + 2) % 3;
  frame.shear_x = static_cast<float>(d[kx] / d[frame.kz]);
  frame.shear_y = static_cast<float>(d[ky] / d[frame.kz]);
  frame.shear_z = static_cast<float>(1 / d[frame.kz]);
  return frame;
}

TriangleHit exact_hit(const RayFrame& ray, const std::array<Vec3, 3>& corners, double about,
                      std::uint32_t triangle) {
  const Vec3 d = ray.direction;
  const int kx = (ray.kz + 1) % 3, ky = (ray.kz + 2) % 3;
  const auto sheared = [&](const Vec3& p) {
    const double z = p[ray.kz] / d[ray.kz];
    return Vec3(p[kx] - d[kx] * z, p[ky] - d[ky] * z, z);
  };
  const Vec3 a = sheared(corners[0]), b = sheared(corners[1]), c = sheared(corners[2]);
  const double u = b.x * c.y - b.y * c.x, v = c.x * a.y - c.y * a.x, w = a.x * b.y - a.y * b.x;
  double distance = (u * a.z + v * b.z + w * c.z) / (u + v + w);
  // Where the ray grazes the triangle the test in float may know better.
  if (!(std::abs(distance - about) <= 1e-5 * (1 + about))) distance = about;
  const Vec3 normal = glm::cross(corners[1] - corners[0], corners[2] - corners[0]);
  return {std::clamp(distance, 0.0, ray.reach) + 0.0, triangle, glm::normalize(normal) + 0.0};
}

}  // namespace talus
