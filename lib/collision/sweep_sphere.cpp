#include "collision/sweep_sphere.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "collision/sweep_polynomial.h"
#include "voxel/block.h"

namespace talus {

namespace {

using Path = std::array<Polynomial, 3>;

/// Below this sine between its edges a polygon is a segment: its plane is rounding.
constexpr double kFlattest = 1e-20;

/// The centre relative to a point.
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

/// Touching, and not moving away.
void add_touch(Conditions& conditions, const Polynomial& gap) {
  conditions.add(gap);
  conditions.add(slope(gap));
}

/// The way from what is hit to the centre; where the centre lies on it, against the motion.
Vec3 unit_or_against(Vec3 away, const SphereSweep& sweep) {
  const double length = glm::length(away);
  if (length > 1e-9 * sweep.radius) return away / length;
  const Vec3 motion = sweep.end - sweep.start;
  const double far = glm::length(motion);
  return far > 0 ? -motion / far : Vec3(0, 1, 0);
}

/// `nearest` is the point of the feature nearest to the centre.
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

// ---- in double, with room for rounding

/// A path's control points, relative to something: all that is linear in it lies between theirs.
using RoughCenters = std::array<Vec3, 3>;

RoughCenters rough_centers(const SphereSweep& sweep, Vec3 origin) {
  const Vec3 start = sweep.start - origin, end = sweep.end - origin;
  return {start, 0.5 * (start + end - sweep.bend), end};
}

double rough_size(const RoughCenters& p, Vec3 bend) {
  const Vec3 most = glm::abs(p[0]) + glm::abs(p[2]) + glm::abs(bend);
  return most.x + most.y + most.z;
}

/// True where a path surely stays farther than `reach` from the origin, or only goes away from it.
/// `size`: of the coordinates that went into it.
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

// ---- boxes

/// The path in double, with room for rounding: where the centre goes, and along which axes it only
/// ever goes one way.
struct RoughPath {
  Box centers;
  double slack = 0;
  IVec3 goes{0};  // 1: only up, -1: only down, by axis

  explicit RoughPath(const SphereSweep& sweep) {
    const Vec3 a = sweep.start, b = sweep.end, c = 0.5 * (a + b - sweep.bend);
    const Vec3 most = glm::abs(a) + glm::abs(b) + glm::abs(sweep.bend);
    slack = 1e-14 * (most.x + most.y + most.z) + 1e-12 * sweep.radius;
    centers = {glm::min(glm::min(a, b), c) - slack, glm::max(glm::max(a, b), c) + slack};
    for (int axis = 0; axis < 3; ++axis) {
      const double first = c[axis] - a[axis], second = b[axis] - c[axis];
      goes[axis] = first > slack && second > slack ? 1 : first < -slack && second < -slack ? -1 : 0;
    }
  }

  /// False where the ball surely stays off the feature (see BoxSweep::offer), or only leaves it.
  bool may_touch(const Box& box, IVec3 outward, double radius) const {
    bool leaves = true;
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = centers.lo[axis], hi = centers.hi[axis];
      if (outward[axis] == 0 && (hi < box.lo[axis] || lo > box.hi[axis])) return false;
      if (outward[axis] > 0 && (hi < box.hi[axis] || lo > box.hi[axis] + radius)) return false;
      if (outward[axis] < 0 && (lo > box.lo[axis] || hi < box.lo[axis] - radius)) return false;
      leaves = leaves && (outward[axis] == 0 || outward[axis] == goes[axis]);
    }
    return !leaves;
  }
};

struct BoxSweep {
  const SphereSweep& sweep;
  const Box& box;
  const RoughPath& rough;
  Path low, high;  // from the box's low and high corner
  std::optional<SweepHit> best;
  double before;

  /// How far the centre is beyond a side, as it goes.
  Polynomial beyond(std::size_t axis, bool upper) const {
    return upper ? high[axis] : negative(low[axis]);
  }
  void add_beyond(Conditions& conditions, std::size_t axis, bool upper) const {
    conditions.add(negative(beyond(axis, upper)));
  }
  void add_between(Conditions& conditions, std::size_t axis) const {
    conditions.add(negative(low[axis]));
    conditions.add(high[axis]);
  }

  /// `outward`: -1 or 1 on the axes on which the feature is the box's end, else 0.
  void offer(IVec3 outward, SweepFeature feature) {
    if (!rough.may_touch(box, outward, sweep.radius)) return;
    Conditions conditions;
    Polynomial gap{};
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (outward[axis] == 0) {
        add_between(conditions, a);
        continue;
      }
      add_beyond(conditions, a, outward[axis] > 0);
      const Polynomial far = beyond(a, outward[axis] > 0);
      const Polynomial part = feature == SweepFeature::Face ? far : product(far, far);
      gap = gap.degree == 0 ? part : plus(gap, part);
    }
    const double r = sweep.radius;
    add_touch(conditions,
              plus(gap, feature == SweepFeature::Face ? Pair(-r) : exact_product(r, -r)));
    const auto time = first_time(conditions, before);
    if (!time) return;
    take(outward, feature, *time);
  }

  void take(IVec3 outward, SweepFeature feature, double time) {
    const Vec3 from_low = at(low, time), from_high = at(high, time);
    Vec3 away(0), nearest(0);
    for (int axis = 0; axis < 3; ++axis) {
      if (outward[axis] == 0) {
        nearest[axis] = std::clamp(box.lo[axis] + from_low[axis], box.lo[axis], box.hi[axis]);
      } else {
        nearest[axis] = outward[axis] > 0 ? box.hi[axis] : box.lo[axis];
        away[axis] = outward[axis] > 0 ? from_high[axis] : from_low[axis];
      }
    }
    const Vec3 normal =
        feature == SweepFeature::Face ? Vec3(outward) : unit_or_against(away, sweep);
    best = make_hit(sweep, time, nearest, away, feature, normal);
    before = time;
  }
};

// ---- polygons

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

Vec3 center_at(const SphereSweep& sweep, double time) {
  return sweep.start + time * ((sweep.end - sweep.start) - (1 - time) * sweep.bend);
}

Box bounds(const SphereSweep& sweep, double from, double to) {
  const Vec3 a = center_at(sweep, from), b = center_at(sweep, to);
  // The middle control point of the path between the two times.
  const double part = to - from;
  const Vec3 c = 0.5 * (a + b - part * part * sweep.bend);
  const double room = sweep.radius * (1 + 1e-12);
  const Vec3 slack(room + 1e-14 * (std::abs(a.x) + std::abs(a.y) + std::abs(a.z) + std::abs(b.x) +
                                   std::abs(b.y) + std::abs(b.z)));
  return {glm::min(glm::min(a, b), c) - slack, glm::max(glm::max(a, b), c) + slack};
}

const char* feature_name(SweepFeature feature) {
  constexpr std::array<const char*, 3> kNames = {"face", "edge", "corner"};
  return kNames[static_cast<std::size_t>(feature)];
}

BoxFeatures features_of_open(unsigned open_sides) {
  const auto open = [&](int axis, bool upper) {
    return (open_sides >> (2 * axis + (upper ? 1 : 0)) & 1) != 0;
  };
  BoxFeatures features{static_cast<std::uint8_t>(open_sides), 0, 0};
  for (int edge = 0; edge < kEdges; ++edge) {
    const IVec3 out = edge_outward(edge);
    bool all = true;
    for (int axis = 0; axis < 3; ++axis) all = all && (out[axis] == 0 || open(axis, out[axis] > 0));
    if (all) features.edges = static_cast<std::uint16_t>(features.edges | 1u << edge);
  }
  for (unsigned corner = 0; corner < 8; ++corner) {
    if (open(0, corner & 1) && open(1, corner & 2) && open(2, corner & 4)) {
      features.corners = static_cast<std::uint8_t>(features.corners | 1u << corner);
    }
  }
  return features;
}

std::optional<SweepHit> sweep_box(const SphereSweep& sweep, const Box& box,
                                  const BoxFeatures& features, double before) {
  if (misses(bounds(sweep), box)) return {};
  const RoughPath rough(sweep);
  BoxSweep work{sweep, box, rough, path_from(sweep, box.lo), path_from(sweep, box.hi), {}, before};
  for (int side = 0; side < kSides; ++side) {
    if (features.faces >> side & 1) work.offer(side_normal(side), SweepFeature::Face);
  }
  for (int edge = 0; edge < kEdges; ++edge) {
    if (features.edges >> edge & 1) work.offer(edge_outward(edge), SweepFeature::Edge);
  }
  for (int corner = 0; corner < 8; ++corner) {
    if (!(features.corners >> corner & 1)) continue;
    work.offer({corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1},
               SweepFeature::Corner);
  }
  return work.best;
}

std::optional<SweepHit> sweep_ball(const SphereSweep& sweep, Vec3 center, double radius,
                                   double before) {
  const RoughCenters rough = rough_centers(sweep, center);
  if (stays_off(rough, sweep.radius + radius, rough_size(rough, sweep.bend))) return {};
  const Path path = path_from(sweep, center);
  const Pair reach = exact_sum(sweep.radius, radius);
  Conditions conditions;
  add_touch(conditions, plus(plus(plus(product(path[0], path[0]), product(path[1], path[1])),
                                  product(path[2], path[2])),
                             -(reach * reach)));
  const auto time = first_time(conditions, before);
  if (!time) return {};
  const Vec3 away = at(path, *time), normal = unit_or_against(away, sweep);
  const double overlap = reach.hi - glm::length(away);
  const double depth = *time == 0 && overlap > 1e-12 * reach.hi ? overlap : 0;
  return SweepHit{*time, center + radius * normal, normal, depth, SweepFeature::Face};
}

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
