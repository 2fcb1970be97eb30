#include "physics/narrow_phase.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/manifolds.h"
#include "physics/ridge_contact.h"

namespace talus {

namespace {

constexpr float kMargin = 0.01F, kMostMotion = kWidestMargin - kMargin;

/// One thread's lists, kept for their memory.
struct Scratch {
  std::vector<Candidate> found;
  std::vector<std::uint32_t> boxes;
  struct Standing {
    std::uint32_t box;
    const BoxPart* part;
  };
  std::vector<Standing> standing;
  BoxPairs pairs;  // of each
  std::vector<std::uint32_t> points;
  std::vector<NearPlace> places;
};
Scratch& scratch() {
  thread_local Scratch s;
  return s;
}

void add(const BoxTouch& touch, std::vector<Candidate>& found) {
  for (int i = 0; i < touch.count; ++i) {
    const TouchPoint& p = touch.points[static_cast<std::size_t>(i)];
    Candidate& c = found.emplace_back();
    c.point = p.point;
    c.normal = touch.normal;
    c.gap = p.gap;
  }
}

/// The greatest gap between two intervals on three axes; negative where they overlap on all.
float greatest_gap(Vec3f lo_a, Vec3f hi_a, Vec3f lo_b, Vec3f hi_b) {
  const Vec3f gaps = glm::max(lo_a - hi_b, lo_b - hi_a);
  return std::max({gaps.x, gaps.y, gaps.z});
}

/// The boxes of a body whose bounds are at most `margin` from [lo, hi] (from the body's centre),
/// which its own are. Returns how far away the nearest of the others is.
float boxes_near(const Collider& c, Vec3f lo, Vec3f hi, float margin,
                 std::vector<std::uint32_t>& out) {
  out.clear();
  if (c.boxes.size() == 1) {
    out.push_back(0);
    return HUGE_VALF;
  }
  float nearest = HUGE_VALF;
  for (std::size_t i = 0; i < c.boxes.size(); ++i) {
    const Vec3f& half = c.reach[i];
    const Vec3f& center = c.boxes[i].center;
    const float gap = greatest_gap(center - half, center + half, lo, hi);
    if (gap <= margin) {
      out.push_back(static_cast<std::uint32_t>(i));
    } else {
      nearest = std::min(nearest, gap);
    }
  }
  return nearest;
}

PosedBox moved(const PosedBox& box, Vec3f by) {
  return {box.center + by, box.axes, box.half, box.closed};
}

/// A standing box, from a body's position.
PosedBox posed(const BoxPart& part, Vec3 position) {
  return {Vec3f(part.middle - position), Mat3f(1), Vec3f(part.half), part.closed};
}

// ---- solids of any kind: boxes as hulls, cut blocks, balls

struct Solid {
  PosedHull hull;
  float ball;  // radius; 0: no ball
};

Solid moved(Solid solid, Vec3f by) {
  solid.hull.center += by;
  return solid;
}

Solid box_solid(const Collider& c, std::size_t i) {
  return {{&c.shape.box_hulls[i], c.boxes[i].center, c.axes}, 0};
}
Solid cut_solid(const Collider& c, std::size_t i) {
  return {{&c.shape.cuts[i].hull, c.cuts[i], c.axes}, c.shape.cuts[i].ball};
}

void add_touch(const Solid& a, const Solid& b, float margin, std::vector<Candidate>& found) {
  const auto add_one = [&](Vec3f point, Vec3f normal, float gap) {
    if (gap <= margin) found.push_back({point, normal, gap});
  };
  if (a.ball > 0 && b.ball > 0) {
    const Vec3f d = b.hull.center - a.hull.center;
    const float distance = glm::length(d);
    const Vec3f n = distance > 0 ? d / distance : Vec3f(0, 1, 0);
    const float gap = distance - a.ball - b.ball;
    return add_one(a.hull.center + n * (a.ball + 0.5F * gap), n, gap);
  }
  if (b.ball > 0) {
    const HullDistance at = distance_to(a.hull, b.hull.center);
    const float gap = at.distance - b.ball;
    return add_one(b.hull.center - at.normal * (b.ball + 0.5F * gap), at.normal, gap);
  }
  if (a.ball > 0) {
    const HullDistance at = distance_to(b.hull, a.hull.center);
    const float gap = at.distance - a.ball;
    return add_one(a.hull.center - at.normal * (a.ball + 0.5F * gap), -at.normal, gap);
  }
  HullTouch touched;
  if (!touch(a.hull, b.hull, margin, touched)) return;
  for (const TouchPoint& p : touched.points) add_one(p.point, touched.normal, p.gap);
}

/// What the boxes alone do not say: every pair of parts of which one at least is cut.
void collide_cuts(const Collider& a, const Collider& b, Vec3f offset, float margin,
                  std::vector<Candidate>& found) {
  for (std::size_t j = 0; j < b.cuts.size(); ++j) {
    const Solid other = moved(cut_solid(b, j), offset);
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      add_touch(box_solid(a, i), other, margin, found);
    }
    for (std::size_t i = 0; i < a.cuts.size(); ++i) {
      add_touch(cut_solid(a, i), other, margin, found);
    }
  }
  for (std::size_t i = 0; i < a.cuts.size(); ++i) {
    for (std::size_t j = 0; j < b.boxes.size(); ++j) {
      add_touch(cut_solid(a, i), moved(box_solid(b, j), offset), margin, found);
    }
  }
}

void collide_balls_with_ground(const Collider& a, float margin, std::vector<NearPlace>& places,
                               std::vector<Candidate>& found) {
  for (std::size_t i = 0; i < a.cuts.size(); ++i) {
    const float ball = a.shape.cuts[i].ball;
    if (!(ball > 0)) continue;
    const Vec3 middle = a.position + Vec3(a.cuts[i]);
    a.around.near_places(middle, ball + margin, places);
    for (const NearPlace& place : places) {
      found.push_back({Vec3f(middle - place.out * double{ball} - a.position), Vec3f(-place.out),
                       static_cast<float>(place.distance - double{ball})});
    }
    if (!places.empty()) continue;
    const auto below = a.around.ground(middle, margin + 2 * ball);
    if (!below) continue;
    // Far from the surface distances are but guesses: the foot knows better.
    const Vec3 foot = middle - below->normal * static_cast<double>(ball);
    const auto surface = a.around.ground(foot, margin);
    if (!surface) continue;
    found.push_back(
        {Vec3f(foot - a.position), Vec3f(-surface->normal), static_cast<float>(surface->distance)});
  }
}

constexpr float kAtSide = 0.02F;  // metres within which a point lies in a side's plane
constexpr float kBeyond = 0.05F;  // metres beyond it that are looked at

/// True where the point lies in the seam between a standing box and its neighbour, and pushes
/// through there: the neighbour's surface is the one that counts.
bool in_seam(const BoxPart& box, Vec3 point, Vec3f into_b, const Blocks& blocks) {
  for (int side = 0; side < kSides; ++side) {
    if (!(box.partial >> side & 1)) continue;
    const int axis = side / 2;
    const double sign = side % 2 ? 1 : -1;
    if (-into_b[axis] * sign <= kInto) continue;
    const double out = sign * (point[axis] - box.middle[axis]) - box.half[axis];
    if (std::abs(out) > kAtSide) continue;
    Vec3 beyond = point;
    beyond[axis] = box.middle[axis] + sign * (box.half[axis] + kBeyond);
    if (blocks.at(IVec3(glm::floor(beyond / kCell))) != kNoBlock) return true;
  }
  return false;
}

}  // namespace

float touch_margin(const Collider& a, const Collider* b, float dt) {
  float motion = a.tip_speed;
  if (b) {
    motion += b->tip_speed + glm::length(a.velocity - b->velocity);
  } else {
    motion += glm::length(a.velocity);
  }
  const float chase = b ? std::max(a.chase, b->chase) : 0;
  return kMargin + chase + std::min(kMostMotion, motion * dt);
}

void NearBoxes::clear() {
  bodies_.clear();
  boxes_.clear();
  pairs_.clear();
}

void NearBoxes::list(const Collider& a, const Collider& b, float margin) {
  const Vec3f offset(b.position - a.position);
  float apart = boxes_near(a, b.lo + offset, b.hi + offset, margin, near_a_);
  apart = std::min(apart, boxes_near(b, a.lo - offset, a.hi - offset, margin, near_b_));
  const std::size_t first = boxes_.size();
  for (const std::uint32_t j : near_b_) {
    const PosedBox other = moved(b.boxes[j], offset);
    for (const std::uint32_t i : near_a_) {
      const Vec3f gaps = glm::abs(other.center - a.boxes[i].center) - a.reach[i] - b.reach[j];
      const float gap = std::max({gaps.x, gaps.y, gaps.z});
      if (gap > margin) {
        apart = std::min(apart, gap);
        continue;
      }
      boxes_.push_back({i, j});
      pairs_.add(a.boxes[i], other);
    }
  }
  bodies_.push_back({first, boxes_.size(), margin, apart});
}

float collide(const Collider& a, const Collider& b, const NearBoxes& near, std::size_t number,
              std::span<const Manifold> old, std::vector<Manifold>& out) {
  Scratch& s = scratch();
  s.found.clear();
  const Frames frames = frames_of(a, &b);
  const float margin = near.margin(number);
  BoxTouch found;
  bool any = false;
  const float apart =
      near.for_each(number, [&](std::uint32_t i, std::uint32_t j, const BoxGaps& gaps) {
        any = true;
        if (touch(a.boxes[i], moved(b.boxes[j], frames.offset), gaps, margin, found))
          add(found, s.found);
      });
  const bool cut = !a.cuts.empty() || !b.cuts.empty();
  if (cut) collide_cuts(a, b, frames.offset, margin, s.found);
  make_manifolds(s.found, frames, old, out);
  return cut || any ? 0 : apart;
}

float collide_ground(const Collider& a, float margin, std::span<const Manifold> old,
                     std::vector<Manifold>& out) {
  Scratch& s = scratch();
  s.found.clear();
  double apart = a.around.clearance(a.position) - a.shape.radius;
  if (apart < margin) {
    const Surroundings::Points points{a.position, a.axes, a.shape.points};
    apart = a.around.near_ground(points, margin, s.points);
    for (const std::uint32_t i : s.points) {
      const auto surface = a.around.ground(points[i], margin);
      if (!surface) continue;
      s.found.push_back(
          {points.arm(i), Vec3f(-surface->normal), static_cast<float>(surface->distance)});
    }
    // Balls have no points.
    if (!a.cuts.empty()) apart = 0;
    collide_balls_with_ground(a, margin, s.places, s.found);
    const float ridges = meet_ridges(a, margin, [&](const TouchPoint& p, Vec3f normal) {
      s.found.push_back({p.point, normal, p.gap});
    });
    apart = std::min<double>(apart, ridges);
  }
  make_manifolds(s.found, frames_of(a, nullptr), old, out);
  return static_cast<float>(std::min(apart, a.around.room(a.bounds(0))));
}

void collide_standing(const Collider& a, const Blocks& blocks, float margin,
                      std::span<const Manifold> old, std::vector<Manifold>& out) {
  Scratch& s = scratch();
  s.found.clear();
  s.pairs.clear();
  s.standing.clear();
  for (const BoxPart& part : a.around.boxes()) {
    const PosedBox other = posed(part, a.position);
    boxes_near(a, other.center - other.half, other.center + other.half, margin, s.boxes);
    for (const std::uint32_t i : s.boxes) {
      s.standing.push_back({i, &part});
      s.pairs.add(a.boxes[i], other);
    }
  }
  s.pairs.measure();
  BoxTouch found;
  for (std::size_t k = 0; k < s.standing.size(); ++k) {
    const auto& [i, part] = s.standing[k];
    if (s.pairs.greatest_gap(k) > margin) continue;
    const PosedBox other = posed(*part, a.position);
    if (!touch(a.boxes[i], other, s.pairs.gaps(k), margin, found)) continue;
    for (int n = 0; n < found.count; ++n) {
      const TouchPoint& p = found.points[static_cast<std::size_t>(n)];
      if (in_seam(*part, a.position + Vec3(p.point), found.normal, blocks)) continue;
      s.found.push_back({p.point, found.normal, p.gap});
    }
  }
  for (const BoxPart& part : a.around.boxes()) {
    if (a.cuts.empty()) break;
    const Vec3f center(part.middle - a.position), half(part.half);
    const Hull hull = box_hull(half);
    for (std::size_t i = 0; i < a.cuts.size(); ++i) {
      const std::size_t first = s.found.size();
      add_touch(cut_solid(a, i), {{&hull, center, Mat3f(1)}, 0}, margin, s.found);
      std::size_t kept = first;
      for (std::size_t k = first; k < s.found.size(); ++k) {
        const Candidate& c = s.found[k];
        if (!in_seam(part, a.position + Vec3(c.point), c.normal, blocks)) s.found[kept++] = c;
      }
      s.found.resize(kept);
    }
  }
  for (const CutPart& part : a.around.cuts()) {
    const Solid other{{&part.hull, Vec3f(part.middle - a.position), Mat3f(1)}, part.ball};
    for (std::size_t i = 0; i < a.boxes.size(); ++i) {
      add_touch(box_solid(a, i), other, margin, s.found);
    }
    for (std::size_t i = 0; i < a.cuts.size(); ++i) {
      add_touch(cut_solid(a, i), other, margin, s.found);
    }
  }
  make_manifolds(s.found, frames_of(a, nullptr), old, out);
}

}  // namespace talus
