#include "terrain/brush.h"

#include <algorithm>
#include <cmath>

#include "terrain/sample_set.h"

namespace talus {

namespace {

double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
double length(Vec3 a) {
  return std::sqrt(dot(a, a));
}

double box_distance(Vec3 half, Vec3 p) {
  const Vec3 q(std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z);
  const Vec3 outside(std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0));
  return length(outside) + std::min(0.0, std::max({q.x, q.y, q.z}));
}

double capsule_distance(const Brush& brush, Vec3 point) {
  const Vec3 axis = brush.end - brush.center, to = point - brush.center;
  const double squared = dot(axis, axis);
  const double t = squared > 0 ? std::clamp(dot(to, axis) / squared, 0.0, 1.0) : 0.0;
  return length(to - t * axis) - brush.radius;
}

}  // namespace

double signed_distance(const Brush& brush, Vec3 point) {
  switch (brush.shape) {
    case Brush::Shape::Box:
      return box_distance(brush.half_size, point - brush.center);
    case Brush::Shape::Capsule:
      return capsule_distance(brush, point);
    case Brush::Shape::Samples: {
      const IVec3 nearest(std::lround(point.x), std::lround(point.y), std::lround(point.z));
      return brush.samples->has(nearest) ? -0.5 : kBrushReach + 1;
    }
    case Brush::Shape::Sphere:
      break;
  }
  return length(point - brush.center) - brush.radius;
}

Box reach(const Brush& brush) {
  if (brush.shape == Brush::Shape::Samples) {
    // The blend between a sample and the next one changes, too.
    const IBox box = brush.samples->box();
    return {Vec3(box.lo) - Vec3(1), Vec3(box.hi)};
  }
  const bool capsule = brush.shape == Brush::Shape::Capsule;
  const Vec3 other = capsule ? brush.end : brush.center;
  const Vec3 margin =
      (brush.shape == Brush::Shape::Box ? brush.half_size : Vec3(brush.radius)) + Vec3(kBrushReach);
  const auto lo = [](double a, double b) { return std::min(a, b); };
  const auto hi = [](double a, double b) { return std::max(a, b); };
  const Vec3& a = brush.center;
  return {Vec3(lo(a.x, other.x), lo(a.y, other.y), lo(a.z, other.z)) - margin,
          Vec3(hi(a.x, other.x), hi(a.y, other.y), hi(a.z, other.z)) + margin};
}

double apply(const Brush& brush, Vec3 point, double density) {
  const double distance = signed_distance(brush, point);
  if (distance > kBrushReach) return density;
  return brush.mode == Brush::Mode::Dig ? std::min(density, distance)
                                        : std::max(density, -distance);
}

}  // namespace talus
