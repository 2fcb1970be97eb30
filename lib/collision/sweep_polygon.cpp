// Sweeps past triangles and quadrilaterals.
#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "collision/sweep_path.h"
#include "collision/sweep_sphere.h"

namespace talus {

namespace {

/// Below this sine between its edges a polygon is a segment: its plane is rounding.
constexpr double kFlattest = 1e-20;

/// Which features of a polygon a ball surely stays off; relative to its first corner.
struct RoughPolygon {
  RoughCenters centers;
  std::array<Vec3, 4> corner, edge;
  std::size_t count;
  Vec3 normal;
  double radius, longest = 0, size;  // size: of all that is subtracted

  RoughPolygon(const SphereSweep& sweep, const SweepPolygon& polygon)
      : centers(rough_centers(sweep, polygon.corners[0])),
        count(static_cast<std::size_t>(polygon.count)),
        radius(sweep.radius) {
    for (std::size_t k = 0; k < count; ++k) {
      corner[k] = polygon.corners[k] - polygon.corners[0];
      edge[k] = polygon.corners[(k + 1) % count] - polygon.corners[k];
      longest = std::max(longest, std::abs(edge[k].x) + std::abs(edge[k].y) + std::abs(edge[k].z));
    }
    normal = glm::cross(edge[0], edge[1]);
    size = rough_size(centers, sweep.bend) + longest;
  }

  RoughCenters from(std::size_t k) const {
    return {centers[0] - corner[k], centers[1] - corner[k], centers[2] - corner[k]};
  }
  struct Range {
    double lo, hi;
  };
  static Range along(const RoughCenters& p, Vec3 direction) {
    const double a = glm::dot(p[0], direction), b = glm::dot(p[1], direction),
                 c = glm::dot(p[2], direction);
    return {std::min({a, b, c}), std::max({a, b, c})};
  }
  double edge_slack() const { return 1e-13 * size * longest; }
  double plane_slack() const { return edge_slack() * longest; }
  double side_slack() const { return plane_slack() * longest; }

  bool off_plane() const {
    const Range height = along(centers, normal);
    const double reach = glm::length(normal) * radius + plane_slack();
    return height.lo > reach || height.hi < -reach;
  }
  bool off_face() const {
    const double a = glm::dot(centers[0], normal), b = glm::dot(centers[1], normal),
                 c = glm::dot(centers[2], normal), slack = plane_slack();
    if (a > 0 && b - a > slack && c - b > slack) return true;
    if (a < 0 && b - a < -slack && c - b < -slack) return true;
    for (std::size_t k = 0; k < count; ++k) {
      if (along(from(k), glm::cross(edge[k], normal)).lo > side_slack()) return true;
    }
    return false;
  }
  bool off_edge(std::size_t k) const {
    const RoughCenters p = from(k);
    const double length2 = glm::dot(edge[k], edge[k]);
    if (length2 == 0) return true;
    const Range run = along(p, edge[k]);
    if (run.hi < -edge_slack() || run.lo > length2 + edge_slack()) return true;
    if (along(p, glm::cross(edge[k], normal)).hi < -side_slack()) return true;
    const auto across = [&](Vec3 v) { return v - (glm::dot(v, edge[k]) / length2) * edge[k]; };
    return stays_off({across(p[0]), across(p[1]), across(p[2])}, radius, size);
  }
  bool off_corner(std::size_t k) const {
    const RoughCenters p = from(k);
    if (along(p, edge[k]).lo > edge_slack()) return true;
    if (along(p, edge[(k + count - 1) % count]).hi < -edge_slack()) return true;
    return stays_off(p, radius, size);
  }
};

struct PolygonSweep {
  const SphereSweep& sweep;
  const SweepPolygon& polygon;
  std::size_t count;
  PairVec normal;
  bool plane;
  double before;
  std::optional<SweepHit> best{};

  PolygonSweep(const SphereSweep& of, const SweepPolygon& with, double until)
      : sweep(of), polygon(with), count(static_cast<std::size_t>(with.count)), before(until) {
    const PairVec first = edge(0), second = edge(1);
    normal = cross(first, second);
    plane = glm::length(rounded(normal)) >
            kFlattest * glm::length(rounded(first)) * glm::length(rounded(second));
  }

  PairVec edge(std::size_t k) const {
    return exact_difference(polygon.corners[(k + 1) % count], polygon.corners[k]);
  }
  Path path(std::size_t k) const { return path_from(sweep, polygon.corners[k]); }
  /// How far the centre is outside an edge, in the plane.
  Polynomial side(const Path& from_corner, const PairVec& edge) const {
    return along(from_corner, cross(edge, normal));
  }

  void offer_face(double sign) {
    const Path from_first = path(0);
    const Polynomial height = times(along(from_first, normal), Pair(sign));
    Conditions conditions;
    const Pair length = square_root(dot(normal, normal));
    add_touch(conditions, plus(height, -(length * Pair(sweep.radius))));
    conditions.add(negative(height));
    for (std::size_t k = 0; k < count && !conditions.never; ++k) {
      conditions.add(side(path(k), edge(k)));
    }
    const auto time = first_time(conditions, before);
    if (!time) return;
    const Vec3 n = sign * glm::normalize(rounded(normal));
    const Vec3 away = n * (value(height, *time).hi / length.hi);
    best = make_hit(sweep, *time, polygon.corners[0] + (at(from_first, *time) - away), away,
                    SweepFeature::Face, n);
    before = *time;
  }

  void offer_edge(std::size_t k) {
    const PairVec to_next = edge(k);
    const Pair length2 = dot(to_next, to_next);
    if (length2.hi == 0) return;
    const Path p = path(k);
    const Polynomial past_start = along(p, to_next);
    Conditions conditions;
    conditions.add(negative(past_start));
    conditions.add(plus(past_start, -length2));
    if (plane) conditions.add(negative(side(p, to_next)));
    if (polygon.one_sided) conditions.add(negative(along(p, normal)));
    if (conditions.never) return;
    const Path w = across(p, to_next);
    const Polynomial reach2 =
        plus(plus(product(w[0], w[0]), product(w[1], w[1])), product(w[2], w[2]));
    add_touch(conditions, plus(reach2, -(length2 * exact_product(sweep.radius, sweep.radius))));
    const auto time = first_time(conditions, before);
    if (!time) return;
    const Vec3 e = rounded(to_next);
    const double along_edge = value(past_start, *time).hi / length2.hi;
    const Vec3 away = at(p, *time) - along_edge * e;
    take(*time, polygon.corners[k] + std::clamp(along_edge, 0.0, 1.0) * e, away,
         SweepFeature::Edge);
  }

  void offer_corner(std::size_t k) {
    const Path p = path(k);
    Conditions conditions;
    conditions.add(along(p, edge(k)));
    conditions.add(negative(along(p, edge((k + count - 1) % count))));
    if (polygon.one_sided) conditions.add(negative(along(p, normal)));
    if (conditions.never) return;
    const Polynomial reach2 =
        plus(plus(product(p[0], p[0]), product(p[1], p[1])), product(p[2], p[2]));
    add_touch(conditions, plus(reach2, exact_product(sweep.radius, -sweep.radius)));
    const auto time = first_time(conditions, before);
    if (time) take(*time, polygon.corners[k], at(p, *time), SweepFeature::Corner);
  }

  void take(double time, Vec3 nearest, Vec3 away, SweepFeature feature) {
    best = make_hit(sweep, time, nearest, away, feature, unit_or_against(away, sweep));
    before = time;
  }
};

}  // namespace

std::optional<SweepHit> sweep_polygon(const SphereSweep& sweep, const SweepPolygon& polygon,
                                      double before) {
  const auto count = static_cast<std::size_t>(polygon.count);
  Box box{polygon.corners[0], polygon.corners[0]};
  for (std::size_t k = 1; k < count; ++k) {
    box.lo = glm::min(box.lo, polygon.corners[k]);
    box.hi = glm::max(box.hi, polygon.corners[k]);
  }
  if (misses(bounds(sweep), box)) return {};
  const RoughPolygon rough(sweep, polygon);
  if (rough.off_plane()) return {};
  PolygonSweep work(sweep, polygon, before);
  if (work.plane && !rough.off_face()) {
    work.offer_face(1);
    if (!polygon.one_sided) work.offer_face(-1);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if ((polygon.edges >> k & 1) && !rough.off_edge(k)) work.offer_edge(k);
  }
  for (std::size_t k = 0; k < count; ++k) {
    if ((polygon.corner_balls >> k & 1) && !rough.off_corner(k)) work.offer_corner(k);
  }
  return work.best;
}

}  // namespace talus
