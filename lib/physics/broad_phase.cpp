#include "physics/broad_phase.h"

#include <algorithm>

namespace talus {

namespace {

/// Room for bodies that hardly move, metres.
constexpr double kRoom = 0.03;

bool within(const Box& inner, const Box& outer) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         inner.hi.x <= outer.hi.x && inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

Box grown(const Box& box, double by) {
  return {box.lo - Vec3(by), box.hi + Vec3(by)};
}

}  // namespace

void BroadPhase::set(std::uint32_t body, const Box& box, double motion, bool active) {
  if (body >= entries_.size()) entries_.resize(body + 1);
  Entry& e = entries_[body];
  if (!e.present) order_.push_back(body);
  // A body that falls asleep keeps the pairs it has.
  stale_ |= !e.present || (active && !e.active);
  e.active = active;
  if (e.present && within(grown(box, motion), e.box)) return;
  e.present = true;
  e.box = grown(box, kRoom + 2 * motion);
  stale_ = true;
}

void BroadPhase::remove(std::uint32_t body) {
  if (body >= entries_.size() || !entries_[body].present) return;
  entries_[body].present = false;
  order_.erase(std::find(order_.begin(), order_.end(), body));
  stale_ = true;
}

void BroadPhase::sort_along_x() {
  const auto before = [this](std::uint32_t i, std::uint32_t j) {
    const double a = entries_[i].box.lo.x, b = entries_[j].box.lo.x;
    return a != b ? a < b : i < j;
  };
  // Insertion sort: nearly sorted already.
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t body = order_[i];
    std::size_t k = i;
    for (; k > 0 && before(body, order_[k - 1]); --k) order_[k] = order_[k - 1];
    order_[k] = body;
  }
  boxes_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Entry& entry = entries_[order_[i]];
    const Box& box = entry.box;
    boxes_.active[i] = entry.active ? 1 : 0;
    boxes_.lo_x[i] = box.lo.x;
    boxes_.hi_x[i] = box.hi.x;
    boxes_.lo_y[i] = box.lo.y;
    boxes_.hi_y[i] = box.hi.y;
    boxes_.lo_z[i] = box.lo.z;
    boxes_.hi_z[i] = box.hi.z;
  }
}

void BroadPhase::find_pairs() {
  sweep(boxes_, met_);
  for (SweepPair& met : met_) {
    const std::uint32_t i = order_[met.first], j = order_[met.second];
    met = {std::min(i, j), std::max(i, j)};
  }
  // By first body, counting; the few of each by the second.
  starts_.assign(entries_.size() + 1, 0);
  for (const SweepPair& met : met_) ++starts_[met.first + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  pairs_.resize(met_.size());
  next_ = starts_;
  for (const SweepPair& met : met_) pairs_[next_[met.first]++] = {met.first, met.second};
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i) {
    std::sort(pairs_.begin() + starts_[i], pairs_.begin() + starts_[i + 1]);
  }
}

void BroadPhase::list_partners() {
  starts_.assign(entries_.size() + 1, 0);
  for (const Pair& pair : pairs_) ++starts_[pair.first + 1], ++starts_[pair.second + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  partners_.resize(2 * pairs_.size());
  next_ = starts_;
  // A body's lower partners come first, as the pairs rise.
  for (const Pair& pair : pairs_) partners_[next_[pair.second]++] = pair.first;
  for (const Pair& pair : pairs_) partners_[next_[pair.first]++] = pair.second;
}

bool BroadPhase::update() {
  if (!stale_) return false;
  stale_ = false;
  sort_along_x();
  find_pairs();
  list_partners();
  return true;
}

void BroadPhase::near(std::uint32_t body, const Box& way, std::vector<std::uint32_t>& out) const {
  if (within(way, entries_[body].box)) {
    out.assign(partners_.begin() + starts_[body], partners_.begin() + starts_[body + 1]);
    return;
  }
  out.clear();
  for (std::uint32_t other = 0; other < entries_.size(); ++other) {
    const Entry& e = entries_[other];
    if (other != body && e.present && overlap(e.box, way)) out.push_back(other);
  }
}

}  // namespace talus
