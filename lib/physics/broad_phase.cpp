#include "physics/broad_phase.h"

#include <algorithm>

namespace talus {

namespace {

/// Room for bodies that hardly move, metres.
constexpr double kRoom = 0.03;
/// Where fewer bodies changed than these, and than a quarter of all, only they are looked at.
constexpr std::size_t kFew = 256;

bool within(const Box& inner, const Box& outer) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         inner.hi.x <= outer.hi.x && inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

Box grown(const Box& box, double by) {
  return {box.lo - Vec3(by), box.hi + Vec3(by)};
}

}  // namespace

void BroadPhase::set(std::uint32_t body, const Box& box, double motion, bool active) {
  if (body >= entries_.size()) {
    entries_.resize(body + 1);
    by_body_.resize(body + 1);
  }
  Entry& e = entries_[body];
  // A body that falls asleep keeps the pairs it has.
  if (active && !e.active) note_change(body);
  e.active = active;
  if (e.present && within(grown(box, motion), e.box)) return;
  if (!e.present) order_.push_back(body);
  e.present = true;
  e.box = grown(box, kRoom + 2 * motion);
  by_body_.set(body, e.box);
  note_change(body);
}

void BroadPhase::remove(std::uint32_t body) {
  if (body >= entries_.size() || !entries_[body].present) return;
  entries_[body].present = false;
  by_body_.set_nothing(body);
  order_.erase(std::find(order_.begin(), order_.end(), body));
  note_change(body);
}

void BroadPhase::note_change(std::uint32_t body) {
  if (entries_[body].changed) return;
  entries_[body].changed = true;
  changed_.push_back(body);
}

void BroadPhase::update() {
  if (changed_.empty()) return;
  partners_listed_ = false;
  if (changed_.size() < std::min(kFew, order_.size() / 4)) {
    find_changed();
  } else {
    find_all();
  }
  list_pairs();
  for (const std::uint32_t body : changed_) entries_[body].changed = false;
  changed_.clear();
}

void BroadPhase::sort_along_x() {
  const auto before = [this](std::uint32_t i, std::uint32_t j) {
    const double a = by_body_.lo_x[i], b = by_body_.lo_x[j];
    return a != b ? a < b : i < j;
  };
  // Insertion sort: nearly sorted already.
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::uint32_t body = order_[i];
    std::size_t k = i;
    for (; k > 0 && before(body, order_[k - 1]); --k) order_[k] = order_[k - 1];
    order_[k] = body;
  }
  in_order_.resize(order_.size());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    in_order_.set(i, entries_[order_[i]].box);
    in_order_.active[i] = entries_[order_[i]].active ? 1 : 0;
  }
}

void BroadPhase::find_all() {
  sort_along_x();
  sweep(in_order_, met_);
  for (SweepPair& met : met_) {
    const std::uint32_t i = order_[met.first], j = order_[met.second];
    met = {std::min(i, j), std::max(i, j)};
  }
}

void BroadPhase::find_changed() {
  met_.clear();
  for (const Pair& pair : pairs_) {
    if (entries_[pair.first].changed || entries_[pair.second].changed) continue;
    met_.push_back({pair.first, pair.second});
  }
  for (const std::uint32_t body : changed_) {
    const Entry& e = entries_[body];
    if (!e.present) continue;
    meeting(by_body_, e.box, hits_);
    for (const std::uint32_t other : hits_) {
      const Entry& o = entries_[other];
      // Two that changed find one another twice.
      if (other == body || (o.changed && other < body) || !(e.active || o.active)) continue;
      met_.push_back({std::min(body, other), std::max(body, other)});
    }
  }
}

/// By first body, counting; the few of each by the second.
void BroadPhase::list_pairs() {
  starts_.assign(entries_.size() + 1, 0);
  for (const SweepPair& met : met_) ++starts_[met.first + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  pairs_.resize(met_.size());
  // Each start becomes its end, which is the next one's start.
  for (const SweepPair& met : met_) pairs_[starts_[met.first]++] = {met.first, met.second};
  std::uint32_t first = 0;
  for (const std::uint32_t end : starts_) {
    std::sort(pairs_.begin() + first, pairs_.begin() + end);
    first = end;
  }
}

void BroadPhase::list_partners() {
  if (partners_listed_) return;
  partners_listed_ = true;
  partners_from_.assign(entries_.size() + 1, 0);
  for (const auto& [first, second] : pairs_) {
    ++partners_from_[first + 1];
    ++partners_from_[second + 1];
  }
  for (std::size_t i = 1; i < partners_from_.size(); ++i) {
    partners_from_[i] += partners_from_[i - 1];
  }
  partners_.resize(2 * pairs_.size());
  starts_ = partners_from_;
  // A body's lower partners come first, as the pairs rise.
  for (const Pair& pair : pairs_) partners_[starts_[pair.second]++] = pair.first;
  for (const Pair& pair : pairs_) partners_[starts_[pair.first]++] = pair.second;
}

void BroadPhase::near(std::uint32_t body, const Box& way, std::vector<std::uint32_t>& out) const {
  if (entries_[body].active && within(way, entries_[body].box)) {
    out.assign(partners_.begin() + partners_from_[body],
               partners_.begin() + partners_from_[body + 1]);
    return;
  }
  meeting(by_body_, way, out);
  std::erase(out, body);
}

}  // namespace talus
