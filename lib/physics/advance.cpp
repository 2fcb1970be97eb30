#include "physics/advance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/motion.h"
#include "physics/way_gaps.h"

namespace talus {

namespace {

/// Ways of others that were shortened in a round can free or block one: a few rounds settle it.
constexpr int kRounds = 4;
/// A way is ended to within this, metres, or so many looks.
constexpr double kFine = 0.0005;
constexpr int kMostRounds = 12;
/// Nothing gets farther in one step, metres: what lies along the way is fetched, and must fit.
constexpr double kLongest = 32;
/// No farther are contacts looked for with what held a body back, metres: from afar, the face that
/// will be met is but guessed, and wrong guesses push (15 kJ in a step of falling balls at 0.2).
constexpr double kLongestChase = 0.05;
/// Bodies that one thread follows at a time.
constexpr std::size_t kShare = 8;
/// A turn up to this is as even straight through the space of quaternions as about an axis, to half
/// a per cent, radians.
constexpr double kLargeTurn = 0.5;
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

/// No more than the distance of a ball and a box; where they overlap, how deep, negative.
float gap_between(Vec3f ball, float radius, const PosedBox& box) {
  const Vec3f local = (ball - box.center) * box.axes;
  const Vec3f d = glm::abs(local) - box.half;
  const float inside = std::max({d.x, d.y, d.z});
  return (inside < 0 ? inside : glm::length(glm::max(d, Vec3f(0)))) - radius;
}

/// What bodies and standing blocks are made of here, from one of them.
struct Parts {
  std::span<const PosedBox> boxes;
  std::span<const Vec3f> cuts;
  std::span<const CutPart> cut_shapes;
};
Parts parts_of(const PosedShape& posed, const ColliderShape& shape) {
  return {posed.boxes, posed.cuts, shape.cuts};
}

/// The same of two bodies, all but their boxes from one another. `offset`: where B is from A.
float gap_between_cuts(const Parts& a, const Parts& b, Vec3f offset) {
  float least = HUGE_VALF;
  for (std::size_t i = 0; i < a.cuts.size(); ++i) {
    for (PosedBox other : b.boxes) {
      other.center += offset;
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

/// What is asked of a way.
struct Walk {
  double end;          // how far to look
  double length;       // no gap shrinks faster than by this in the whole step, metres
  double given;        // deeper than at the start by so much is too deep, metres
  double longest = 1;  // moments that may be looked at at once: the first to the last
};

/// The last moment that the gaps allow. `gaps_at(moments)` tells those of kSamples moments at once.
template <std::size_t kSamples, class Gaps>
double last_free(const Walk& walk, const Gaps& gaps_at) {
  constexpr double kSteps = kSamples - 1;
  std::array<double, kSamples> moments;
  std::array<float, kSamples> gaps;
  double free = 0, limit = 0;
  // Looks at moments `step` apart; returns the place of the first where it is too deep.
  const auto first_blocked = [&](double first, double step) {
    for (std::size_t k = 0; k < kSamples; ++k) moments[k] = first + step * static_cast<double>(k);
    gaps = gaps_at(std::as_const(moments));
    if (first == 0) limit = std::min<double>(gaps[0], 0) - walk.given;
    const auto too_deep = [&](float gap) { return gap < limit; };
    return static_cast<std::size_t>(std::find_if(gaps.begin(), gaps.end(), too_deep) -
                                    gaps.begin());
  };
  double gap = 0;  // at free
  while (free < walk.end && gap < walk.length * (walk.end - free)) {
    const double reach = std::max(kSteps * kStride, gap) / walk.length;
    const double to = std::min(walk.end, free + std::min(walk.longest, reach));
    std::size_t k = first_blocked(free, (to - free) / kSteps);
    if (k == kSamples) {
      free = to;
      gap = gaps.back();
      continue;
    }
    double blocked = moments[k];
    for (int round = 0; round < kMostRounds; ++round) {
      if (k > 0) free = moments[k - 1];
      const double step = (blocked - free) / (kSteps + 2);
      if (step * walk.length < kFine) break;
      k = first_blocked(free + step, step);
      if (k < kSamples) blocked = moments[k];
    }
    return free;
  }
  return walk.end;
}

/// A large turn is looked at in parts, each as even as a small one.
double longest_turn(const Way& way) {
  const double angle = glm::length(way.turn);
  return angle > kLargeTurn ? kLargeTurn / angle : 1;
}

/// For the moments from `first` to `last`.
BoxesUnderWay under_way(const Way& way, std::span<const ColliderShape::Part> boxes, Vec3 origin,
                        double first, double last) {
  const bool whole = glm::dot(way.turn, way.turn) <= kLargeTurn * kLargeTurn || first == last;
  const Quat from = whole ? way.orientation : orientation_at(way, first);
  Quat to = whole ? way.target : orientation_at(way, last);
  if (from.w * to.w + from.x * to.x + from.y * to.y + from.z * to.z < 0) to = -to;
  BoxesUnderWay under_way{boxes,
                          Vec3f(way.start - origin),
                          Vec3f(way.shift),
                          static_cast<float>(way.end),
                          glm::quat(from),
                          glm::quat(to)};
  if (!whole) {
    under_way.from_t = static_cast<float>(first);
    under_way.to_t = static_cast<float>(last);
  }
  return under_way;
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
    if (body_.around.clearance(way_.start) - body_.shape.radius < way_.length) {
      end = last_free<2>(walk(end, way_.length), [&](const auto& moments) {
        return std::array{gap_to_ground(moments[0]), gap_to_ground(moments[1])};
      });
    }
    Way still;
    for (const BoxPart& part : body_.around.boxes()) {
      if (!overlap(room_, {part.middle - part.half, part.middle + part.half})) continue;
      const ColliderShape::Part box{Vec3f(0), Vec3f(part.half), 0};
      still.start = part.middle;
      end = last_free<kMoments>(walk(end, way_.length), [&](const auto& moments) {
        return gaps_to(still, {&box, 1}, moments);
      });
    }
    for (const CutPart& part : body_.around.cuts()) {
      if (!overlap(room_, {part.middle - Vec3(part.core), part.middle + Vec3(part.core)})) continue;
      const Vec3f middle(0);
      end = last_free<2>(walk(end, way_.length), [&](const auto& moments) {
        const Parts parts{{}, {&middle, 1}, {&part, 1}};
        return std::array{gap_to_cuts(parts, part.middle, moments[0]),
                          gap_to_cuts(parts, part.middle, moments[1])};
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
    Walk to_other = walk(end, length);
    to_other.longest = std::min(to_other.longest, longest_turn(other));
    const bool any_cuts = !body_.shape.cuts.empty() || !collider.shape.cuts.empty();
    return last_free<kMoments>(to_other, [&](const auto& moments) {
      Moments gaps = gaps_to(other, collider.shape.boxes, moments);
      for (std::size_t k = 0; any_cuts && k < kMoments; ++k) {
        const double s = std::min(moments[k], other.end);
        place(other_at_, collider.shape, other.position(s), orientation_at(other, s));
        const float gap =
            gap_to_cuts(parts_of(other_at_, collider.shape), other_at_.position, moments[k]);
        gaps[k] = std::min(gaps[k], gap);
      }
      return gaps;
    });
  }

 private:
  Walk walk(double end, double length) const {
    return {end, length, way_.touching ? kGivenTouching : kGiven, longest_turn(way_)};
  }

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

  /// From the boxes of one on another way.
  Moments gaps_to(const Way& other, std::span<const ColliderShape::Part> boxes,
                  const std::array<double, kMoments>& moments) const {
    Moments at;
    for (std::size_t k = 0; k < kMoments; ++k) at[k] = static_cast<float>(moments[k]);
    return gaps_under_way(under_way(way_, body_.shape.boxes, way_.start, at.front(), at.back()),
                          under_way(other, boxes, way_.start, at.front(), at.back()), at);
  }

  float gap_to_cuts(const Parts& parts, Vec3 origin, double t) {
    const PosedShape& posed = at(t);
    return gap_between_cuts(parts_of(posed, body_.shape), parts, Vec3f(origin - posed.position));
  }

  float gap_to_ground(double t) {
    const PosedShape& posed = at(t);
    double least = body_.around.clearance(
        Surroundings::Points{posed.position, posed.axes, body_.shape.points});
    for (std::size_t i = 0; i < posed.cuts.size(); ++i) {
      least = std::min(
          least, core_above_ground(posed.position + Vec3(posed.cuts[i]), body_.shape.cuts[i].core));
    }
    return static_cast<float>(least);
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
  struct Follow {
    Box room;
    double end;
    double chase = 0;
    std::vector<std::uint32_t> near;
  };
  std::vector<Follow> follows(fast.size());
  team.run_shares(fast.size(), kShare, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) {
      Way& way = ways[fast[i]];
      const double shift = glm::length(way.shift);
      if (shift > kLongest) way.end = kLongest / shift;
      follows[i].room = swept(colliders[fast[i]], way);
    }
  });
  for (std::size_t i = 0; i < fast.size(); ++i) {
    colliders[fast[i]].around.cover(solids, follows[i].room, version);
  }
  broad_phase.list_partners();
  // By body: whether it was stopped in the round before. In the first, all matter.
  std::vector<std::uint8_t> stopped(ways.size(), 1);
  const auto follow = [&](std::size_t i, bool first, UnderWay& at) {
    Follow& f = follows[i];
    Advance advance(ways, colliders, fast[i], f.room, at);
    f.end = first ? advance.free_of_solids() : ways[fast[i]].end;
    if (first) broad_phase.near(fast[i], f.room, f.near);
    for (const std::uint32_t other : f.near) {
      if (!stopped[other]) continue;
      const double end = advance.free_of(other, f.end);
      if (end == f.end) continue;
      f.end = end;
      f.chase = std::min(kLongestChase, (ways[other].end - end) * ways[other].length);
    }
  };
  for (int round = 0; round < kRounds; ++round) {
    // All against the ways of the round before, so that their order does not matter.
    team.run_shares(fast.size(), kShare, [&](std::size_t first, std::size_t end) {
      UnderWay at;
      for (std::size_t i = first; i < end; ++i) follow(i, round == 0, at);
    });
    std::fill(stopped.begin(), stopped.end(), 0);
    bool any = false;
    for (std::size_t i = 0; i < fast.size(); ++i) {
      if (follows[i].end == ways[fast[i]].end) continue;
      ways[fast[i]].end = follows[i].end;
      ways[fast[i]].chase = std::max(0.0, follows[i].chase);
      stopped[fast[i]] = 1;
      any = true;
    }
    if (!any) return;
  }
}

}  // namespace talus
