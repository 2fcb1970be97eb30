#include "physics/broad_phase.h"

#include <algorithm>

namespace talus {

namespace {

bool within(const Box& inner, const Box& outer) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         inner.hi.x <= outer.hi.x && inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

bool overlap_yz(const Box& a, const Box& b) {
  return (a.lo.y <= b.hi.y) & (b.lo.y <= a.hi.y) & (a.lo.z <= b.hi.z) & (b.lo.z <= a.hi.z);
}

}  // namespace

void BroadPhase::set(std::uint32_t body, const Box& box, double room, bool active) {
  if (body >= entries_.size()) entries_.resize(body + 1);
  Entry& e = entries_[body];
  if (!e.present) order_.push_back(body);
  // A body that falls asleep keeps the pairs it has.
  stale_ |= !e.present || (active && !e.active);
  e.active = active;
  if (e.present && within(box, e.box)) return;
  e.present = true;
  e.box = {box.lo - Vec3(room), box.hi + Vec3(room)};
  stale_ = true;
}

void BroadPhase::remove(std::uint32_t body) {
  if (body >= entries_.size() || !entries_[body].present) return;
  entries_[body].present = false;
  order_.erase(std::find(order_.begin(), order_.end(), body));
  stale_ = true;
}

bool BroadPhase::update() {
  if (!stale_) return false;
  stale_ = false;
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
  pairs_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Entry& a = entries_[order_[i]];
    for (std::size_t k = i + 1; k < order_.size(); ++k) {
      const Entry& b = entries_[order_[k]];
      if (b.box.lo.x > a.box.hi.x) break;
      if (!(a.active || b.active) || !overlap_yz(a.box, b.box)) continue;
      pairs_.push_back(std::minmax(order_[i], order_[k]));
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return true;
}

void BroadPhase::near(std::uint32_t body, const Box& box, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (const std::uint32_t other : order_) {
    const Box& b = entries_[other].box;
    if (b.lo.x > box.hi.x) return;
    if (other != body && b.hi.x >= box.lo.x && overlap_yz(b, box)) out.push_back(other);
  }
}

}  // namespace talus
