#include "physics/advance.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/motion.h"

namespace talus {

namespace {

/// Ways of others that were shortened in a round can free or block one: a few rounds settle it.
constexpr int kRounds = 4;
constexpr int kHalvings = 14;
/// Others that move less than this are taken as standing, metres.
constexpr double kStill = 0.005;

bool overlap(const Box& a, const Box& b) {
  return (a.lo.x <= b.hi.x) & (b.lo.x <= a.hi.x) & (a.lo.y <= b.hi.y) & (b.lo.y <= a.hi.y) &
         (a.lo.z <= b.hi.z) & (b.lo.z <= a.hi.z);
}

Box swept(const Collider& c, const Way& way) {
  const Box at = c.bounds(kGiven + way.length - glm::length(way.shift));
  return {glm::min(at.lo, at.lo + way.shift), glm::max(at.hi, at.hi + way.shift)};
}

/// The least separation of two bodies' boxes, metres, negative where they overlap.
double separation(const Collider& a, const Collider& b) {
  const Vec3f offset(b.position - a.position);
  float least = HUGE_VALF;
  for (const PosedBox& box : b.boxes) {
    PosedBox other = box;
    other.center += offset;
    for (const PosedBox& mine : a.boxes) least = std::min(least, separation(mine, other));
  }
  return least;
}

double separation_from_ground(const Collider& c, const Surroundings& around) {
  double least = HUGE_VAL;
  for (const Vec3f& p : c.shape.points) {
    least = std::min(least, around.ground(c.position + Vec3(c.axes * p)).distance);
  }
  return least;
}

double separation_from_standing(const Collider& c, const BoxPart& part) {
  const PosedBox box{Vec3f(part.middle - c.position), Mat3f(1), Vec3f(part.half), 0};
  float least = HUGE_VALF;
  for (const PosedBox& mine : c.boxes) least = std::min(least, separation(mine, box));
  return least;
}

/// One fast body against all that is near its way.
class Walker {
 public:
  Walker(std::uint32_t body, std::span<Way> ways, std::span<Collider* const> colliders,
         std::span<const std::uint32_t> near)
      : way_(ways[body]), ways_(ways), colliders_(colliders), at_(*colliders[body]) {
    const Box mine = swept(at_, way_);
    for (const std::uint32_t i : near) {
      if (i != body && ways[i].present && overlap(mine, swept(*colliders[i], ways[i]))) {
        near_.push_back(i);
      }
    }
    limits_ = separations(0);
    for (double& limit : limits_) limit = std::min(limit, 0.0) - kGiven;
  }

  /// The last moment, up to the way's end, at which it is through nothing.
  double last_free() {
    const auto strides = static_cast<int>(std::ceil(way_.length * way_.end / kStride));
    double free = 0;
    for (int i = 1; i <= strides; ++i) {
      const double t = way_.end * i / strides;
      if (is_free(t)) {
        free = t;
        continue;
      }
      double blocked = t;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (free + blocked);
        (is_free(middle) ? free : blocked) = middle;
      }
      return free;
    }
    return way_.end;
  }

 private:
  bool is_free(double t) {
    const std::vector<double> now = separations(t);
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i] < limits_[i]) return false;
    }
    return true;
  }

  /// From the ground, each standing box and each body near, in this order.
  std::vector<double> separations(double t) {
    const Surroundings& around = at_.around;
    place(at_, way_.position(t), orientation_at(way_, t));
    std::vector<double> result;
    result.push_back(around.all_air() ? HUGE_VAL : separation_from_ground(at_, around));
    for (const BoxPart& part : around.boxes()) {
      result.push_back(separation_from_standing(at_, part));
    }
    for (const std::uint32_t i : near_) {
      const Way& way = ways_[i];
      if (way.length < kStill) {
        result.push_back(separation(at_, *colliders_[i]));
        continue;
      }
      Collider other = *colliders_[i];
      const double s = std::min(t, way.end);
      place(other, way.position(s), orientation_at(way, s));
      result.push_back(separation(at_, other));
    }
    return result;
  }

  const Way& way_;
  std::span<Way> ways_;
  std::span<Collider* const> colliders_;
  Collider at_;
  std::vector<std::uint32_t> near_;
  std::vector<double> limits_;
};

}  // namespace

Quat orientation_at(const Way& way, double t) {
  return turned(way.orientation, way.turn * t);
}

void hold_back(std::span<const std::uint32_t> fast, std::span<Way> ways,
               std::span<Collider* const> colliders, const BroadPhase& broad_phase, Solids& solids,
               std::uint64_t version) {
  for (const std::uint32_t body : fast) {
    colliders[body]->around.cover(solids, swept(*colliders[body], ways[body]), version);
  }
  std::vector<std::uint32_t> near;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (const std::uint32_t body : fast) {
      broad_phase.near(body, swept(*colliders[body], ways[body]), near);
      const double free = Walker(body, ways, colliders, near).last_free();
      changed |= free < ways[body].end;
      ways[body].end = free;
    }
    if (!changed) return;
  }
}

}  // namespace talus
