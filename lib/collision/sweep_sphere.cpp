#include "collision/sweep_sphere.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "collision/sweep_path.h"
#include "voxel/block.h"

namespace talus {

namespace {

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

}  // namespace talus
