#include "physics/contact_finder.h"

#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "physics/manifolds.h"
#include "physics/narrow_phase.h"

namespace talus {

namespace {

/// Tasks that one thread takes at a time; fewer are not worth the calling.
constexpr std::size_t kShare = 64;
/// Tasks whose boxes are measured at once: many, but all in the nearest cache.
constexpr std::size_t kMeasured = 64;

/// A contact that carried load is over.
void note_over(const PairContact& pair, std::vector<std::uint32_t>& lost_hold) {
  if (!pair.loaded) return;
  lost_hold.push_back(pair.a);
  if (is_body(pair.b)) lost_hold.push_back(pair.b);
}

}  // namespace

void ContactFinder::find(std::span<const Body> bodies, std::span<const Collider> colliders,
                         std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs,
                         const Blocks& blocks, double dt, std::uint64_t step,
                         std::span<const std::uint32_t> homes, Team& team) {
  step_ = step;
  std::swap(last_, now_);
  std::swap(last_misses_, misses_);
  now_.pairs.clear();
  misses_.clear();
  lost_hold_.clear();
  list_tasks(bodies, colliders, bounds, pairs);
  solids_changed_ = false;
  order_tasks(homes);
  found_.resize(tasks_.size());
  const std::size_t share = team.alone() ? std::max(kShare, tasks_.size()) : kShare;
  const std::size_t shares = (tasks_.size() + share - 1) / share;
  if (now_.manifolds.size() < shares) now_.manifolds.resize(shares);
  team.run_shares(tasks_.size(), share, [&](std::size_t first, std::size_t end) {
    run_share(std::span(order_).subspan(first, end - first), colliders, blocks, dt,
              now_.manifolds[first / share]);
  });
  list_found(colliders);
}

namespace {

/// Where B is from A, which for what stands still is anywhere that stays; and how far both have
/// turned.
Vec3 offset_of(const Collider& a, const Collider* b) {
  return (b ? b->position : Vec3(0)) - a.position;
}
double turned_of(const Collider& a, const Collider* b) {
  return a.turned + (b ? b->turned : 0);
}

}  // namespace

bool ContactFinder::still_far(const NearMiss& miss, const Collider& a, const Collider* b) {
  const double margin = kWidestMargin + (b ? std::max(a.chase, b->chase) : 0);
  const double left = miss.apart - margin - (turned_of(a, b) - miss.turned);
  const Vec3 moved = offset_of(a, b) - miss.offset;
  return left > 0 && glm::dot(moved, moved) < left * left;
}

void ContactFinder::order_tasks(std::span<const std::uint32_t> homes) {
  ends_.assign(2, 0);
  for (const Task& task : tasks_) {
    const std::uint32_t home = homes[task.a];
    if (ends_.size() < home + 2) ends_.resize(home + 2, 0);
    ++ends_[home + 1];
  }
  for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
  order_.resize(tasks_.size());
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) order_[ends_[homes[tasks_[i].a]]++] = i;
}

void ContactFinder::run_share(std::span<const std::uint32_t> numbers,
                              std::span<const Collider> colliders, const Blocks& blocks, double dt,
                              std::vector<Manifold>& manifolds) {
  manifolds.clear();
  thread_local NearBoxes near;
  for (std::size_t first = 0; first < numbers.size(); first += kMeasured) {
    const auto some = numbers.subspan(first, std::min(kMeasured, numbers.size() - first));
    list_boxes(some, colliders, static_cast<float>(dt), near);
    std::size_t listed = 0;
    for (const std::uint32_t i : some) {
      const Task& task = tasks_[i];
      Found& found = found_[i];
      found = {{task.a, task.b, nullptr, 0, false, step_}, 0};
      if (task.what == What::Apart) continue;
      const std::size_t before = manifolds.size();
      run_one(task, colliders, blocks, static_cast<float>(dt), near, listed, manifolds, found);
      found.pair.count = static_cast<std::uint32_t>(manifolds.size() - before);
    }
  }
  // Only now do they stay where they are.
  Manifold* next = manifolds.data();
  for (const std::uint32_t i : numbers) {
    found_[i].pair.first = next;
    next += found_[i].pair.count;
  }
}

void ContactFinder::list_found(std::span<const Collider> colliders) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Task& task = tasks_[i];
    if (task.what == What::Apart) {
      misses_.push_back(last_misses_[static_cast<std::size_t>(task.old)]);
      continue;
    }
    const PairContact& found = found_[i].pair;
    if (found.count > 0) {
      now_.pairs.push_back(found);
    } else if (found_[i].apart > 0) {
      const Collider& a = colliders[task.a];
      const Collider* b = is_body(task.b) ? &colliders[task.b] : nullptr;
      misses_.push_back(
          {task.a, task.b, found.found, found_[i].apart, offset_of(a, b), turned_of(a, b)});
    } else {
      misses_.push_back({task.a, task.b, found.found});
    }
    if (task.old < 0) continue;
    const PairContact& was = last_.pairs[static_cast<std::size_t>(task.old)];
    if (found.count == 0) note_over(was, lost_hold_);
    if (task.what == What::Keep) now_.pairs.back().loaded = was.loaded;
  }
}

/// By a, then b: what the broad phase found, ground and blocks for everybody awake, and whatever is
/// between sleepers.
void ContactFinder::list_tasks(std::span<const Body> bodies, std::span<const Collider> colliders,
                               std::span<const Box> bounds,
                               std::span<const BroadPhase::Pair> pairs) {
  tasks_.clear();
  still_since_.clear();
  for (const Collider& collider : colliders) still_since_.push_back(collider.still.since);
  const auto has_moved = [&](std::uint32_t i, std::uint64_t since) {
    return is_body(i) && still_since_[i] > since;
  };
  std::size_t old = 0, miss = 0;
  const auto asleep = [&](std::uint32_t i) { return bodies[i].asleep && !bodies[i].lost; };
  // Old contacts that come before (a, b): sleepers' stay; others are over.
  const auto pass_to = [&](std::uint32_t a, std::uint32_t b) {
    for (; old < last_.pairs.size(); ++old) {
      const PairContact& p = last_.pairs[old];
      if (p.a != a ? p.a > a : p.b >= b) return;
      if (asleep(p.a) && (!is_body(p.b) || asleep(p.b))) {
        tasks_.push_back({p.a, p.b, static_cast<std::int32_t>(old), What::Keep});
      } else {
        note_over(p, lost_hold_);
      }
    }
  };
  const auto still_apart = [&](std::uint32_t a, std::uint32_t b) {
    const auto before = [&](const NearMiss& m) { return m.a != a ? m.a < a : m.b < b; };
    while (miss < last_misses_.size() && before(last_misses_[miss])) ++miss;
    if (miss == last_misses_.size()) return false;
    const NearMiss& m = last_misses_[miss];
    if (m.a != a || m.b != b) return false;
    if (!has_moved(a, m.found) && !has_moved(b, m.found)) return true;
    if (!is_body(b) && solids_changed_) return false;
    return m.apart > kWidestMargin &&
           still_far(m, colliders[a], is_body(b) ? &colliders[b] : nullptr);
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, bool near) {
    pass_to(a, b);
    const bool known =
        old < last_.pairs.size() && last_.pairs[old].a == a && last_.pairs[old].b == b;
    if (near && !known && still_apart(a, b)) {
      tasks_.push_back({a, b, static_cast<std::int32_t>(miss), What::Apart});
    } else if (near) {
      const bool same =
          known && !has_moved(a, last_.pairs[old].found) && !has_moved(b, last_.pairs[old].found);
      tasks_.push_back(
          {a, b, known ? static_cast<std::int32_t>(old) : -1, same ? What::Renew : What::Find});
    }
    if (known && !near) note_over(last_.pairs[old], lost_hold_);
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

void ContactFinder::list_boxes(std::span<const std::uint32_t> numbers,
                               std::span<const Collider> colliders, float dt,
                               NearBoxes& near) const {
  near.clear();
  for (const std::uint32_t i : numbers) {
    const Task& task = tasks_[i];
    if (task.what != What::Find || !is_body(task.b)) continue;
    const Collider &a = colliders[task.a], &b = colliders[task.b];
    near.list(a, b, touch_margin(a, &b, dt));
  }
  near.measure();
}

void ContactFinder::run_one(const Task& task, std::span<const Collider> colliders,
                            const Blocks& blocks, float dt, const NearBoxes& near,
                            std::size_t& listed, std::vector<Manifold>& out, Found& found) const {
  const PairContact* was =
      task.old < 0 ? nullptr : &last_.pairs[static_cast<std::size_t>(task.old)];
  const auto old = was ? last_.of(*was) : std::span<const Manifold>();
  if (task.what == What::Keep) {
    out.insert(out.end(), old.begin(), old.end());
    found.pair.found = was->found;
    return;
  }
  const Collider& a = colliders[task.a];
  const Collider* b = is_body(task.b) ? &colliders[task.b] : nullptr;
  if (task.what == What::Renew) {
    renew_manifolds(frames_of(a, b), old, out);
    found.pair.found = was->found;
    return;
  }
  if (b) {
    found.apart = collide(a, *b, near, listed++, old, out);
  } else if (task.b == kGround) {
    found.apart = collide_ground(a, touch_margin(a, nullptr, dt), old, out);
  } else {
    collide_standing(a, blocks, touch_margin(a, nullptr, dt), old, out);
  }
}

}  // namespace talus
