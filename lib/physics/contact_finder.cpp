#include "physics/contact_finder.h"

#include <utility>

#include "core/parallel.h"
#include "physics/manifolds.h"
#include "physics/narrow_phase.h"

namespace talus {

namespace {

/// Tasks that one thread takes at a time; fewer are not worth the calling.
constexpr std::size_t kShare = 128;

}  // namespace

void ContactFinder::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                         std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs,
                         const Blocks& blocks, double dt, std::uint64_t step, int threads) {
  step_ = step;
  std::swap(last_, now_.list);
  now_.clear();
  list_tasks(bodies, colliders, bounds, pairs);
  const std::size_t shares = tasks_.size() / kShare;
  if (threads <= 1 || shares <= 1) {
    run(tasks_, colliders, blocks, dt, now_);
    return;
  }
  if (shares_.size() < shares) shares_.resize(shares);
  parallel_for(shares, threads, [&](std::size_t i) {
    const std::size_t first = i * kShare, end = i + 1 == shares ? tasks_.size() : first + kShare;
    shares_[i].clear();
    run(std::span(tasks_).subspan(first, end - first), colliders, blocks, dt, shares_[i]);
  });
  for (std::size_t i = 0; i < shares; ++i) now_.append(shares_[i]);
}

void ContactFinder::run(std::span<const Task> tasks, std::span<const Collider> colliders,
                        const Blocks& blocks, double dt, Found& found) const {
  auto& [pairs, manifolds] = found.list;
  for (const Task& task : tasks) {
    PairContact pair{task.a, task.b, static_cast<std::uint32_t>(manifolds.size()), 0, false, 0};
    pair.found = run(task, colliders, blocks, static_cast<float>(dt), manifolds);
    pair.count = static_cast<std::uint32_t>(manifolds.size()) - pair.first;
    if (task.keep) pair.loaded = last_.pairs[static_cast<std::size_t>(task.old)].loaded;
    if (pair.count > 0) {
      pairs.push_back(pair);
    } else if (task.old >= 0) {
      found.note_over(last_.pairs[static_cast<std::size_t>(task.old)]);
    }
  }
}

void ContactFinder::Found::clear() {
  list.clear();
  lost_hold.clear();
}

void ContactFinder::Found::append(const Found& more) {
  const auto offset = static_cast<std::uint32_t>(list.manifolds.size());
  for (PairContact pair : more.list.pairs) {
    pair.first += offset;
    list.pairs.push_back(pair);
  }
  list.manifolds.insert(list.manifolds.end(), more.list.manifolds.begin(),
                        more.list.manifolds.end());
  lost_hold.insert(lost_hold.end(), more.lost_hold.begin(), more.lost_hold.end());
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
        now_.note_over(p);
      }
    }
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, bool near) {
    pass_to(a, b);
    const bool known =
        old < last_.pairs.size() && last_.pairs[old].a == a && last_.pairs[old].b == b;
    if (near) tasks_.push_back({a, b, known ? static_cast<std::int32_t>(old) : -1, false});
    if (known && !near) now_.note_over(last_.pairs[old]);
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

void ContactFinder::Found::note_over(const PairContact& pair) {
  if (!pair.loaded) return;
  lost_hold.push_back(pair.a);
  if (is_body(pair.b)) lost_hold.push_back(pair.b);
}

std::uint64_t ContactFinder::run(const Task& task, std::span<const Collider> colliders,
                                 const Blocks& blocks, float dt, std::vector<Manifold>& out) const {
  const PairContact* was =
      task.old < 0 ? nullptr : &last_.pairs[static_cast<std::size_t>(task.old)];
  const auto old = was ? last_.of(*was) : std::span<const Manifold>();
  if (task.keep) {
    out.insert(out.end(), old.begin(), old.end());
    return was->found;
  }
  const Collider& a = colliders[task.a];
  const Collider* b = is_body(task.b) ? &colliders[task.b] : nullptr;
  if (was && a.still.since <= was->found && (!b || b->still.since <= was->found)) {
    renew_manifolds(frames_of(a, b), old, out);
    return was->found;
  }
  const float margin = touch_margin(a, b, dt);
  if (b) {
    collide(a, *b, margin, old, out);
  } else if (task.b == kGround) {
    collide_ground(a, margin, old, out);
  } else {
    collide_standing(a, blocks, margin, old, out);
  }
  return step_;
}

}  // namespace talus
