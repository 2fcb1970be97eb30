#include "physics/contact_finder.h"

#include "physics/narrow_phase.h"

namespace talus {

void ContactFinder::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                         std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs,
                         const Blocks& blocks, double dt) {
  std::swap(last_, now_);
  now_.clear();
  lost_hold_.clear();
  list_tasks(bodies, colliders, bounds, pairs);
  for (const Task& task : tasks_) {
    PairContact pair{task.a, task.b, static_cast<std::uint32_t>(now_.manifolds.size()), 0, false};
    run(task, colliders, blocks, static_cast<float>(dt), now_.manifolds);
    pair.count = static_cast<std::uint32_t>(now_.manifolds.size()) - pair.first;
    if (task.keep) pair.loaded = last_.pairs[static_cast<std::size_t>(task.old)].loaded;
    if (pair.count > 0) {
      now_.pairs.push_back(pair);
    } else if (task.old >= 0) {
      note_over(last_.pairs[static_cast<std::size_t>(task.old)]);
    }
  }
}

/// By a, then b: what the broad phase found, ground and blocks for everybody awake, and whatever is
/// between sleepers.
void ContactFinder::list_tasks(std::span<const Body> bodies, std::span<const Collider> colliders,
                               std::span<const Box> bounds,
                               std::span<const BroadPhase::Pair> pairs) {
  tasks_.clear();
  std::size_t old = 0;
  const auto asleep = [&](std::uint32_t i) { return bodies[i].asleep && !bodies[i].lost; };
  // Old contacts that come before (a, b): sleepers' stay; others are over.
  const auto pass_to = [&](std::uint32_t a, std::uint32_t b) {
    for (; old < last_.pairs.size(); ++old) {
      const PairContact& p = last_.pairs[old];
      if (p.a != a ? p.a > a : p.b >= b) return;
      if (asleep(p.a) && (!is_body(p.b) || asleep(p.b))) {
        tasks_.push_back({p.a, p.b, static_cast<std::int32_t>(old), true});
      } else {
        note_over(p);
      }
    }
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, bool near) {
    pass_to(a, b);
    const bool known =
        old < last_.pairs.size() && last_.pairs[old].a == a && last_.pairs[old].b == b;
    if (near) tasks_.push_back({a, b, known ? static_cast<std::int32_t>(old) : -1, false});
    if (known && !near) note_over(last_.pairs[old]);
    old += known;
  };
  auto found = pairs.begin();
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    const bool active = bodies[a].moving();
    for (; found != pairs.end() && found->first == a; ++found) {
      if (active || bodies[found->second].moving()) {
        add(a, found->second, overlap(bounds[a], bounds[found->second]));
      }
    }
    if (!active) continue;
    add(a, kGround, !colliders[a].around.all_air());
    add(a, kStanding, colliders[a].around.any_standing());
  }
  pass_to(kStanding, kStanding);
}

void ContactFinder::note_over(const PairContact& pair) {
  if (!pair.loaded) return;
  lost_hold_.push_back(pair.a);
  if (is_body(pair.b)) lost_hold_.push_back(pair.b);
}

void ContactFinder::run(const Task& task, std::span<const Collider> colliders, const Blocks& blocks,
                        float dt, std::vector<Manifold>& out) const {
  const auto old = task.old < 0 ? std::span<const Manifold>()
                                : last_.of(last_.pairs[static_cast<std::size_t>(task.old)]);
  if (task.keep) {
    out.insert(out.end(), old.begin(), old.end());
    return;
  }
  const Collider& a = colliders[task.a];
  const Collider* b = is_body(task.b) ? &colliders[task.b] : nullptr;
  const float margin = touch_margin(a, b, dt);
  if (b) {
    collide(a, *b, margin, old, out);
  } else if (task.b == kGround) {
    collide_ground(a, margin, old, out);
  } else {
    collide_standing(a, blocks, margin, old, out);
  }
}

}  // namespace talus
