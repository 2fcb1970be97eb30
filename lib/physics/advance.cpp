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
constexpr int kHalvings = 7;  // of at most kStride: to under a millimetre
/// Nothing gets farther in one step, metres: what lies along the way is fetched, and must fit.
constexpr double kLongest = 32;
/// Bodies that one thread follows at a time.
constexpr std::size_t kShare = 8;
/// A turn up to this is as even straight through the space of quaternions as about an axis, to half
/// a per cent, radians.
constexpr double kLargeTurn = 0.5;
/// Others that move less than this are taken as standing, metres.
constexpr double kStill = 0.005;

/// The most that any two points of two bodies move against one another.
double relative_length(const Way& a, const Way& b) {
  return glm::length(a.shift - b.shift) + a.turns + b.turns;
}

/// Whether that is less than kStride: nothing on such ways goes through the other in this step.
bool keep_company(const Way& a, const Way& b) {
  const double left = kStride - a.turns - b.turns;
  const Vec3 apart = a.shift - b.shift;
  return left > 0 && glm::dot(apart, apart) < left * left;
}

/// What a body passes through up to its way's end. However fast it spins, it stays within its
/// radius.
Box swept(const Collider& c, const Way& way) {
  const Vec3 radius(c.shape.radius);
  const Box tight = c.bounds(way.turns), ball{c.position - radius, c.position + radius};
  const Vec3 lo = glm::max(tight.lo, ball.lo) - Vec3(kGivenTouching);
  const Vec3 hi = glm::min(tight.hi, ball.hi) + Vec3(kGivenTouching);
  const Vec3 shift = way.shift * way.end;
  return {glm::min(lo, lo + shift), glm::max(hi, hi + shift)};
}

/// How far apart two intervals' worth of half sizes are along some axis; negative where they meet.
float apart(Vec3f between_middles, Vec3f reach) {
  const Vec3f d = glm::abs(between_middles) - reach;
  return std::max({d.x, d.y, d.z});
}

/// No more than the distance of two boxes; where they overlap, how deep, negative.
float gap_between(const PosedBox& a, Vec3f reach_a, const PosedBox& b, Vec3f reach_b,
                  float enough) {
  const float far = apart(b.center - a.center, reach_a + reach_b);
  return far > 0 ? far : separation(a, b, enough);
}
/// The same of a ball and a box.
float gap_between(Vec3f ball, float radius, const PosedBox& box) {
  const Vec3f local = (ball - box.center) * box.axes;
  const Vec3f d = glm::abs(local) - box.half;
  const float inside = std::max({d.x, d.y, d.z});
  return (inside < 0 ? inside : glm::length(glm::max(d, Vec3f(0)))) - radius;
}

/// What bodies and standing blocks are made of here, from one of them.
struct Parts {
  std::span<const PosedBox> boxes;
  std::span<const Vec3f> reach;
  std::span<const Vec3f> cuts;
  std::span<const CutPart> cut_shapes;
};
Parts parts_of(const PosedShape& posed, const ColliderShape& shape) {
  return {posed.boxes, posed.reach, posed.cuts, shape.cuts};
}

/// No more than the distance of two bodies; where they overlap, how deep at least, negative.
/// `offset`: where B is from A. A gap that is `enough` need not be exact.
float gap_between(const Parts& a, const Parts& b, Vec3f offset, float enough) {
  float least = HUGE_VALF;
  for (std::size_t j = 0; j < b.boxes.size(); ++j) {
    PosedBox other = b.boxes[j];
    other.center += offset;
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      least = std::min(least, gap_between(a.boxes[i], a.reach[i], other, b.reach[j], enough));
    }
    for (std::size_t i = 0; i < a.cuts.size(); ++i) {
      least = std::min(least, gap_between(a.cuts[i], a.cut_shapes[i].core, other));
    }
  }
  for (std::size_t j = 0; j < b.cuts.size(); ++j) {
    const Vec3f ball = b.cuts[j] + offset;
    const float radius = b.cut_shapes[j].core;
    for (const PosedBox& box : a.boxes) least = std::min(least, gap_between(ball, radius, box));
    for (std::size_t i = 0; i < a.cuts.size(); ++i) {
      least = std::min(least, glm::distance(ball, a.cuts[i]) - radius - a.cut_shapes[i].core);
    }
  }
  return least;
}

/// The last moment, up to `end`, that `gap_at(moment, enough)` allows. `length`: no gap shrinks
/// faster than by this in the whole step.
template <class Gap>
double last_free(double end, double length, double given, const Gap& gap_at) {
  double free = 0;
  double gap = gap_at(free, length * end);
  const double limit = std::min(gap, 0.0) - given;
  while (free < end && gap < length * (end - free)) {
    double blocked = std::min(end, free + std::max(kStride, gap) / length);
    if (gap > 0) free += gap / length;
    gap = gap_at(blocked, std::max(limit, length * (end - blocked)));
    if (gap >= limit) {
      free = blocked;
      continue;
    }
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (free + blocked);
      (gap_at(middle, limit) >= limit ? free : blocked) = middle;
    }
    return free;
  }
  return end;
}

/// Shapes under way, kept for the memory of the next body that one thread follows.
struct UnderWay {
  PosedShape body, other;
};

/// One fast body against all that is near its way.
class Advance {
 public:
  Advance(std::span<const Way> ways, std::span<const Collider> colliders, std::uint32_t body,
          const Box& room, UnderWay& at)
      : ways_(ways),
        colliders_(colliders),
        way_(ways[body]),
        body_(colliders[body]),
        room_(room),
        at_(at.body),
        other_at_(at.other) {}

  /// The last moment, up to the way's end, at which the body is through neither ground nor standing
  /// blocks.
  double free_of_solids() {
    double end = way_.end;
    const double given = way_.touching ? kGivenTouching : kGiven;
    if (body_.around.clearance(way_.start) - body_.shape.radius < way_.length) {
      end = last_free(end, way_.length, given, [&](double t, double) { return gap_to_ground(t); });
    }
    for (const BoxPart& part : body_.around.boxes()) {
      if (!overlap(room_, {part.middle - part.half, part.middle + part.half})) continue;
      end = last_free(end, way_.length, given, [&](double t, double enough) {
        const PosedBox box{Vec3f(part.middle - way_.start), Mat3f(1), Vec3f(part.half), 0};
        const Vec3f reach = box.half;
        return gap_to({{&box, 1}, {&reach, 1}, {}, {}}, way_.start, t, enough);
      });
    }
    for (const CutPart& part : body_.around.cuts()) {
      if (!overlap(room_, {part.middle - Vec3(part.core), part.middle + Vec3(part.core)})) continue;
      end = last_free(end, way_.length, given, [&](double t, double enough) {
        const Vec3f middle(0);
        return gap_to({{}, {}, {&middle, 1}, {&part, 1}}, part.middle, t, enough);
      });
    }
    return end;
  }

  /// The same of another body, up to `end`.
  double free_of(std::uint32_t other_body, double end) {
    const Way& other = ways_[other_body];
    if (!other.present || keep_company(way_, other)) return end;
    const Collider& collider = colliders_[other_body];
    double length = relative_length(way_, other);
    if (other.end < 1) {
      length = std::max(length, way_.length);
      if (!overlap(room_, swept(collider, other))) return end;
    } else if (!overlap(seen_from(other), collider.bounds(0))) {
      return end;
    }
    const double given = way_.touching ? kGivenTouching : kGiven;
    return last_free(end, length, given, [&](double t, double enough) {
      if (t == 0 || other.length < kStill) {
        return gap_to(parts_of(collider, collider.shape), other.start, t, enough);
      }
      const double s = std::min(t, other.end);
      place(other_at_, collider.shape, other.position(s), orientation_at(other, s));
      return gap_to(parts_of(other_at_, collider.shape), other_at_.position, t, enough);
    });
  }

 private:
  /// What the body sweeps as the other sees it, which stands still there and does not turn.
  Box seen_from(const Way& other) const {
    const Vec3 shift = way_.shift - other.shift;
    const Box at = body_.bounds(way_.turns + other.turns);
    return {glm::min(at.lo, at.lo + shift), glm::max(at.hi, at.hi + shift)};
  }

  const PosedShape& at(double t) {
    if (t == 0) return body_;
    if (t != placed_at_) place(at_, body_.shape, way_.position(t), orientation_at(way_, t));
    placed_at_ = t;
    return at_;
  }

  double gap_to(const Parts& parts, Vec3 origin, double t, double enough) {
    const PosedShape& posed = at(t);
    return gap_between(parts_of(posed, body_.shape), parts, Vec3f(origin - posed.position),
                       static_cast<float>(enough));
  }

  double gap_to_ground(double t) {
    const PosedShape& posed = at(t);
    double least = body_.around.clearance(
        Surroundings::Points{posed.position, posed.axes, body_.shape.points});
    for (std::size_t i = 0; i < posed.cuts.size(); ++i) {
      least = std::min(
          least, core_above_ground(posed.position + Vec3(posed.cuts[i]), body_.shape.cuts[i].core));
    }
    return least;
  }

  /// Of the ball's point that faces the ground: far from the surface, distances are but guesses.
  double core_above_ground(Vec3 middle, double radius) const {
    const double least = body_.around.clearance(middle) - radius;
    if (least > 0) return least;
    const auto below = body_.around.ground(middle, 2 * radius);
    return below ? body_.around.clearance(middle - below->normal * radius) : 0;
  }

  std::span<const Way> ways_;
  std::span<const Collider> colliders_;
  const Way& way_;
  const Collider& body_;
  Box room_;
  PosedShape &at_, &other_at_;
  double placed_at_ = 0;
};

}  // namespace

Quat orientation_at(const Way& way, double t) {
  if (glm::dot(way.turn, way.turn) > kLargeTurn * kLargeTurn) {
    return turned(way.orientation, way.turn * t);
  }
  const Quat &from = way.orientation, &to = way.target;
  const double same = from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z;
  return normalized(from * (1 - t) + to * (same < 0 ? -t : t));
}

void hold_back(std::span<const std::uint32_t> fast, std::span<Way> ways,
               std::span<Collider> colliders, BroadPhase& broad_phase, Solids& solids,
               std::uint64_t version, Team& team) {
  std::vector<Box> rooms(fast.size());
  team.run_shares(fast.size(), kShare, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      Way& way = ways[fast[i]];
      const double shift = glm::length(way.shift);
      if (shift > kLongest) way.end = kLongest / shift;
      rooms[i] = swept(colliders[fast[i]], way);
    }
  });
  for (std::size_t i = 0; i < fast.size(); ++i) {
    colliders[fast[i]].around.cover(solids, rooms[i], version);
  }
  broad_phase.list_partners();
  std::vector<double> ends(fast.size());
  const auto follow = [&](std::size_t i, bool first, UnderWay& at,
                          std::vector<std::uint32_t>& near) {
    Advance advance(ways, colliders, fast[i], rooms[i], at);
    double end = first ? advance.free_of_solids() : ways[fast[i]].end;
    broad_phase.near(fast[i], rooms[i], near);
    for (const std::uint32_t other : near) {
      // In later rounds only those matter that were stopped.
      if (first || ways[other].end < 1) end = advance.free_of(other, end);
    }
    ends[i] = end;
  };
  for (int round = 0; round < kRounds; ++round) {
    // All against the ways of the round before, so that their order does not matter.
    team.run_shares(fast.size(), kShare, [&](std::size_t first, std::size_t end) {
      UnderWay at;
      std::vector<std::uint32_t> near;
      for (std::size_t i = first; i < end; ++i) follow(i, round == 0, at, near);
    });
    bool changed = false;
    for (std::size_t i = 0; i < fast.size(); ++i) {
      changed |= ends[i] < ways[fast[i]].end;
      ways[fast[i]].end = ends[i];
    }
    if (!changed) return;
  }
}

}  // namespace talus
