#include "physics/manifolds.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr float kSameNormal = 0.99F;    // cosine within which points share a manifold
constexpr float kSamePoint = 0.01F;     // metres within which two points are one
constexpr float kKnownAgain = 0.1F;     // metres within which a point is last step's
constexpr std::size_t kMostPoints = 8;  // of one direction
// What a point that lies farther out may have in worse stead, metres: for each metre of gap, and
// for not having carried load.
constexpr float kGapWeight = 200, kLoadWeight = 0.02F;

/// Last step's point, with its share of what its manifold hands on.
struct OldPoint {
  Vec3f on_a;
  float again;
  Vec3f friction, turning;
  bool loaded, taken;
};

/// How far out a candidate lies along two axes across the normal, and what else speaks for it.
struct Merit {
  float u, v, other;
};

/// One thread's lists, kept for their memory.
struct Scratch {
  std::vector<Candidate> cluster, kept;
  std::vector<Merit> merits;
  std::vector<OldPoint> old;
};

void remember(std::span<const Manifold> manifolds, std::vector<OldPoint>& old) {
  old.clear();
  for (const Manifold& m : manifolds) {
    const float share = 1 / static_cast<float>(m.count);
    for (int i = 0; i < m.count; ++i) {
      const ContactPoint& p = m.points[static_cast<std::size_t>(i)];
      OldPoint& was = old.emplace_back();
      was.on_a = p.on_a;
      was.again = p.again;
      was.friction = m.friction * share;
      was.turning = m.turning * share;
      was.loaded = p.impulse > 0;
      was.taken = false;
    }
  }
}

/// Finds the nearest old point for each candidate; each old one is given once.
void recognise(const Mat3f& axes, std::vector<Candidate>& cluster, std::vector<OldPoint>& old) {
  for (Candidate& c : cluster) {
    const Vec3f local = c.point * axes;
    float nearest = kKnownAgain * kKnownAgain;
    for (std::size_t i = 0; i < old.size(); ++i) {
      const Vec3f d = old[i].on_a - local;
      const float distance = glm::dot(d, d);
      if (old[i].taken || distance >= nearest) continue;
      nearest = distance;
      c.old = static_cast<int>(i);
    }
    if (c.old < 0) continue;
    OldPoint& was = old[static_cast<std::size_t>(c.old)];
    was.taken = true;
    c.loaded = was.loaded;
  }
}

void drop_doubles(std::vector<Candidate>& cluster) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < cluster.size(); ++k) {
    const Candidate& c = cluster[k];
    bool again = false;
    for (std::size_t i = 0; i < kept && !again; ++i) {
      const Vec3f d = cluster[i].point - c.point;
      if (glm::dot(d, d) > kSamePoint * kSamePoint) continue;
      again = true;
      if (c.gap < cluster[i].gap) cluster[i] = c;
    }
    if (again) continue;
    if (kept < k) cluster[kept] = c;
    ++kept;
  }
  cluster.resize(kept);
}

/// Keeps the eight that carry: of each of eight directions across the normal the one that lies
/// farthest out, unless it is in the air. Every other direction first, so that the first four and
/// the last four each stand on their own. What lies within those carries nothing on a flat face;
/// where it does, it is deeper, and deeper counts as farther out.
void keep_outermost(Scratch& s) {
  std::vector<Candidate>& cluster = s.cluster;
  const Vec3f n = cluster.front().normal;
  const Vec3f across = std::abs(n.y) < 0.9F ? Vec3f(0, 1, 0) : Vec3f(1, 0, 0);
  const Vec3f u = glm::normalize(glm::cross(n, across)), v = glm::cross(n, u);
  constexpr float kHalf = 0.70710678F;
  constexpr float kWays[kMostPoints][2] = {{kHalf, kHalf},  {-kHalf, kHalf}, {-kHalf, -kHalf},
                                           {kHalf, -kHalf}, {1, 0},          {0, 1},
                                           {-1, 0},         {0, -1}};
  s.merits.clear();
  for (const Candidate& c : cluster) {
    const float load = c.loaded ? kLoadWeight : 0;
    s.merits.push_back({glm::dot(c.point, u), glm::dot(c.point, v), load - kGapWeight * c.gap});
  }
  s.kept.clear();
  for (const auto& way : kWays) {
    std::size_t best = 0;
    float most = -HUGE_VALF;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
      const Merit& m = s.merits[i];
      const float score = m.u * way[0] + m.v * way[1] + m.other;
      if (score <= most) continue;
      most = score;
      best = i;
    }
    s.merits[best].other = -HUGE_VALF;  // taken
    s.kept.push_back(cluster[best]);
  }
  cluster.swap(s.kept);
}

void set_arms(ContactPoint& p, Vec3f point, Vec3f offset) {
  p.arm_a = point;
  p.arm_b = point - offset;
}

void add_manifold(std::span<const Candidate> points, const std::vector<OldPoint>& old,
                  const Frames& frames, std::vector<Manifold>& out) {
  Manifold& m = out.emplace_back();
  for (const Candidate& c : points) m.normal += c.normal;
  m.normal = glm::normalize(m.normal);
  for (const Candidate& c : points) {
    ContactPoint& p = m.points[static_cast<std::size_t>(m.count++)];
    const Vec3f half_gap = m.normal * (0.5F * c.gap);
    set_arms(p, c.point, frames.offset);
    p.on_a = (c.point - half_gap) * frames.axes_a;
    p.on_b = (c.point + half_gap - frames.offset) * frames.axes_b;
    p.gap = c.gap;
    if (c.old >= 0) {
      const OldPoint& was = old[static_cast<std::size_t>(c.old)];
      p.impulse = was.again;
      m.friction += was.friction;
      m.turning += was.turning;
    }
  }
}

/// Takes the first candidate and all that push the same way out of `found`, into `cluster`.
void take_cluster(std::vector<Candidate>& found, std::vector<Candidate>& cluster) {
  cluster.clear();
  const Vec3f normal = found.front().normal;
  const auto other_way = [&](const Candidate& c) {
    return glm::dot(c.normal, normal) <= kSameNormal;
  };
  if (std::none_of(found.begin(), found.end(), other_way)) return cluster.swap(found);
  std::size_t kept = 0;
  for (const Candidate& c : found) {
    if (other_way(c)) {
      found[kept++] = c;
    } else {
      cluster.push_back(c);
    }
  }
  found.resize(kept);
}

}  // namespace

Frames frames_of(const Collider& a, const Collider* b) {
  if (b) return {a.axes, b->axes, Vec3f(b->position - a.position)};
  return {a.axes, Mat3f(1), Vec3f(a.still.position - a.position)};
}

void make_manifolds(std::vector<Candidate>& found, const Frames& frames,
                    std::span<const Manifold> old, std::vector<Manifold>& out) {
  if (found.empty()) return;
  thread_local Scratch s;
  remember(old, s.old);
  while (!found.empty()) {
    take_cluster(found, s.cluster);
    drop_doubles(s.cluster);
    recognise(frames.axes_a, s.cluster, s.old);
    if (s.cluster.size() > kMostPoints) keep_outermost(s);
    const std::span<const Candidate> all(s.cluster);
    for (std::size_t i = 0; i < all.size(); i += 4) {
      add_manifold(all.subspan(i, std::min<std::size_t>(4, all.size() - i)), s.old, frames, out);
    }
  }
}

void renew_manifolds(const Frames& frames, std::span<const Manifold> old,
                     std::vector<Manifold>& out) {
  for (const Manifold& was : old) {
    Manifold& m = out.emplace_back(was);
    for (int i = 0; i < m.count; ++i) {
      ContactPoint& p = m.points[static_cast<std::size_t>(i)];
      const Vec3f on_a = frames.axes_a * p.on_a, on_b = frames.offset + frames.axes_b * p.on_b;
      p.gap = glm::dot(on_b - on_a, m.normal);
      set_arms(p, 0.5F * (on_a + on_b), frames.offset);
      p.impulse = p.again;
    }
  }
}

}  // namespace talus
