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

/// The most that any two points of two bodies move against one another.
double relative_length(const Way& a, const Way& b) {
  const double turns = a.length - glm::length(a.shift) + b.length - glm::length(b.shift);
  return glm::length(a.shift - b.shift) + turns;
}

Box swept(const Collider& c, const Way& way) {
  const Box at = c.bounds(kGivenTouching + way.length - glm::length(way.shift));
  return {glm::min(at.lo, at.lo + way.shift), glm::max(at.hi, at.hi + way.shift)};
}

/// The least separation of two bodies' boxes, metres, negative where they overlap; of boxes whose
/// bounds do not meet, infinite.
double separation(const PosedShape& a, const PosedShape& b) {
  const Vec3f offset(b.position - a.position);
  float least = HUGE_VALF;
  for (std::size_t j = 0; j < b.boxes.size(); ++j) {
    PosedBox other = b.boxes[j];
    other.center += offset;
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      const Vec3f apart = glm::abs(other.center - a.boxes[i].center) - a.reach[i] - b.reach[j];
      if (apart.x > 0 || apart.y > 0 || apart.z > 0) continue;
      least = std::min(least, separation(a.boxes[i], other));
    }
  }
  return least;
}

double separation_from_standing(const PosedShape& a, const BoxPart& part) {
  const PosedBox box{Vec3f(part.middle - a.position), Mat3f(1), Vec3f(part.half), 0};
  float least = HUGE_VALF;
  for (const PosedBox& mine : a.boxes) least = std::min(least, separation(mine, box));
  return least;
}

/// One fast body against all that is near its way.
class Walker {
 public:
  Walker(std::span<Way> ways, std::span<Collider> colliders) : ways_(ways), colliders_(colliders) {}

  /// The last moment, up to its way's end, at which the body is through nothing. `near`: the others
  /// that may be in its way.
  double last_free(std::uint32_t body, const Box& room, std::span<const std::uint32_t> near) {
    body_ = &colliders_[body];
    way_ = &ways_[body];
    look_around(room, near);
    if (body_->around.all_air() && standing_.empty() && near_.empty()) return way_->end;

    measure(0);
    limits_ = gaps_;
    const double given = way_->touching ? kGivenTouching : kGiven;
    for (double& limit : limits_) limit = std::min(limit, 0.0) - given;
    return walk();
  }

 private:
  void look_around(const Box& room, std::span<const std::uint32_t> near) {
    near_.clear();
    for (const std::uint32_t i : near) {
      const Way& other = ways_[i];
      // Those that keep company cannot go through one another in this step.
      if (!other.present || relative_length(*way_, other) < kStride) continue;
      if (overlap(room, swept(colliders_[i], other))) near_.push_back(i);
    }
    standing_.clear();
    for (const BoxPart& part : body_->around.boxes()) {
      if (overlap(room, {part.middle - part.half, part.middle + part.half})) {
        standing_.push_back(&part);
      }
    }
  }

  double walk() {
    const double end = way_->end;
    const auto strides = static_cast<int>(std::ceil(way_->length * end / kStride));
    double free = 0;
    for (int i = 1; i <= strides; ++i) {
      const double t = end * i / strides;
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
    return end;
  }

  bool is_free(double t) {
    measure(t);
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      if (gaps_[i] < limits_[i]) return false;
    }
    return true;
  }

  /// Gaps to the ground, each standing box and each body near, in this order.
  void measure(double t) {
    gaps_.clear();
    place(at_, body_->shape, way_->position(t), orientation_at(*way_, t));
    gaps_.push_back(gap_to_ground());
    for (const BoxPart* part : standing_) gaps_.push_back(separation_from_standing(at_, *part));
    for (const std::uint32_t i : near_) {
      const Way& way = ways_[i];
      if (way.length < kStill) {
        gaps_.push_back(separation(at_, colliders_[i]));
        continue;
      }
      const double s = std::min(t, way.end);
      place(other_, colliders_[i].shape, way.position(s), orientation_at(way, s));
      gaps_.push_back(separation(at_, other_));
    }
  }

  double gap_to_ground() const {
    double least = HUGE_VAL;
    if (body_->around.all_air()) return least;
    for (const Vec3f& p : body_->shape.points) {
      const Vec3 point = at_.position + Vec3(at_.axes * p);
      if (const auto surface = body_->around.ground(point, 0)) {
        least = std::min(least, surface->distance);
      }
    }
    return least;
  }

  std::span<Way> ways_;
  std::span<Collider> colliders_;
  const Collider* body_ = nullptr;
  const Way* way_ = nullptr;
  std::vector<std::uint32_t> near_;
  std::vector<const BoxPart*> standing_;
  PosedShape at_, other_;
  std::vector<double> gaps_, limits_;
};

}  // namespace

Quat orientation_at(const Way& way, double t) {
  return turned(way.orientation, way.turn * t);
}

void hold_back(std::span<const std::uint32_t> fast, std::span<Way> ways,
               std::span<Collider> colliders, const BroadPhase& broad_phase, Solids& solids,
               std::uint64_t version) {
  std::vector<Box> rooms;
  for (const std::uint32_t body : fast) {
    rooms.push_back(swept(colliders[body], ways[body]));
    colliders[body].around.cover(solids, rooms.back(), version);
  }
  Walker walker(ways, colliders);
  std::vector<std::uint32_t> near;
  for (int round = 0; round < kRounds; ++round) {
    bool changed = false;
    for (std::size_t i = 0; i < fast.size(); ++i) {
      broad_phase.near(fast[i], rooms[i], near);
      const double free = walker.last_free(fast[i], rooms[i], near);
      changed |= free < ways[fast[i]].end;
      ways[fast[i]].end = free;
    }
    if (!changed) return;
  }
}

}  // namespace talus
