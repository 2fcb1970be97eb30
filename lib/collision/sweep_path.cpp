#include "collision/sweep_path.h"

#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

Path path_from(const SphereSweep& sweep, Vec3 origin) {
  const PairVec start = exact_difference(sweep.start, origin);
  const PairVec end = exact_difference(sweep.end, origin);
  const bool bent = sweep.bend != Vec3(0);
  Path path{};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    Polynomial& x = path[a];
    x.degree = bent ? 2 : 1;
    x.c[0] = start[a];
    x.c[bent ? 2 : 1] = end[a];
    if (!bent) continue;
    x.c[1] = scaled(start[a] + end[a] - Pair(sweep.bend[axis]), 0.5);
    x.tolerance =
        0x1p-98 * (std::abs(start[a].hi) + std::abs(end[a].hi) + std::abs(sweep.bend[axis]));
  }
  return path;
}

Polynomial along(const Path& path, const PairVec& direction) {
  return plus(plus(times(path[0], direction[0]), times(path[1], direction[1])),
              times(path[2], direction[2]));
}

Path across(const Path& path, const PairVec& edge) {
  const auto part = [&](std::size_t i, std::size_t j) {
    return plus(times(path[i], edge[j]), negative(times(path[j], edge[i])));
  };
  return {part(1, 2), part(2, 0), part(0, 1)};
}

Vec3 at(const Path& path, double time) {
  return {value(path[0], time).hi, value(path[1], time).hi, value(path[2], time).hi};
}

Vec3 rounded(const PairVec& v) {
  return {v[0].hi, v[1].hi, v[2].hi};
}

void add_touch(Conditions& conditions, const Polynomial& gap) {
  conditions.add(gap);
  conditions.add(slope(gap));
}

Vec3 unit_or_against(Vec3 away, const SphereSweep& sweep) {
  const double length = glm::length(away);
  if (length > 1e-9 * sweep.radius) return away / length;
  const Vec3 motion = sweep.end - sweep.start;
  const double far = glm::length(motion);
  return far > 0 ? -motion / far : Vec3(0, 1, 0);
}

SweepHit make_hit(const SphereSweep& sweep, double time, Vec3 nearest, Vec3 away,
                  SweepFeature feature, Vec3 normal) {
  const double overlap = sweep.radius - glm::length(away);
  const double depth = time == 0 && overlap > 1e-12 * sweep.radius ? overlap : 0;
  return {time, nearest, normal, depth, feature};
}

bool misses(const Box& a, const Box& b) {
  return a.lo.x > b.hi.x || b.lo.x > a.hi.x || a.lo.y > b.hi.y || b.lo.y > a.hi.y ||
         a.lo.z > b.hi.z || b.lo.z > a.hi.z;
}

RoughCenters rough_centers(const SphereSweep& sweep, Vec3 origin) {
  const Vec3 start = sweep.start - origin, end = sweep.end - origin;
  return {start, 0.5 * (start + end - sweep.bend), end};
}

double rough_size(const RoughCenters& p, Vec3 bend) {
  const Vec3 most = glm::abs(p[0]) + glm::abs(p[2]) + glm::abs(bend);
  return most.x + most.y + most.z;
}

bool stays_off(const RoughCenters& p, double reach, double size) {
  const double across = glm::length(p[1]), least = across * (reach + 1e-12 * size);
  const double q1 = glm::dot(p[0], p[1]), q3 = glm::dot(p[1], p[2]), c = across * across;
  if (q1 > least && c > least && q3 > least) return true;
  // The distance squared by its Bernstein coefficients.
  const double q0 = glm::dot(p[0], p[0]), q4 = glm::dot(p[2], p[2]);
  const double q2 = (glm::dot(p[0], p[2]) + 2 * c) / 3;
  const double slack = 1e-12 * size * size, far = reach * reach + slack;
  if (q0 > far && q1 > far && q2 > far && q3 > far && q4 > far) return true;
  return q1 - q0 > slack && q2 - q1 > slack && q3 - q2 > slack && q4 - q3 > slack;
}

}  // namespace talus
