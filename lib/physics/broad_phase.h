// Which bodies may touch: sort and sweep along x, over boxes that have room to move in.
//
// (Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992: the order of the last step
// is nearly that of this one.) Boxes keep some room, and only those that a body has left are looked
// at again: where they are few, each against all boxes, which costs less than a sweep.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/box.h"
#include "physics/sweep.h"

namespace talus {

inline bool overlap(const Box& a, const Box& b) {
  return (a.lo.x <= b.hi.x) & (b.lo.x <= a.hi.x) & (a.lo.y <= b.hi.y) & (b.lo.y <= a.hi.y) &
         (a.lo.z <= b.hi.z) & (b.lo.z <= a.hi.z);
}

class BroadPhase {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;  // first < second

  /// The box of a body (an index) and how far it may move in this step: where the last box still
  /// holds that, nothing happens; otherwise the new one has room for some more steps. Only active
  /// bodies look for partners.
  void set(std::uint32_t body, const Box& box, double motion, bool active);
  /// Takes the body out until it is set again.
  void remove(std::uint32_t body);

  /// Finds the pairs of which one at least is active, rising. Pairs of two that are not may be
  /// among them or not.
  void update();
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Makes near() ready; nothing where nothing has changed. Cost: the pairs.
  void list_partners();
  /// The bodies that may touch a body whose way lies in the box, which may be longer than its own
  /// box foresaw, rising. Requires list_partners() after the last update(). Cost: the partners, or
  /// all bodies where its own box does not hold the way, or it was not active then.
  void near(std::uint32_t body, const Box& way, std::vector<std::uint32_t>& out) const;

 private:
  struct Entry {
    Box box;
    bool active = false, present = false, changed = false;
  };
  void note_change(std::uint32_t body);
  void sort_along_x();
  void find_all();
  void find_changed();
  void list_pairs();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> changed_;  // since the last update
  std::vector<std::uint32_t> order_;    // present bodies by box.lo.x
  SweepBoxes by_body_, in_order_;
  std::vector<Pair> pairs_;
  std::vector<SweepPair> met_;
  // Those of i are partners_[partners_from_[i]] to partners_[partners_from_[i + 1]].
  std::vector<std::uint32_t> partners_from_, partners_;
  bool partners_listed_ = false;
  std::vector<std::uint32_t> starts_, hits_;
};

}  // namespace talus
