// Which bodies may touch: sort and sweep along x, over boxes that have room to move in.
//
// (Baraff, "Dynamic simulation of non-penetrating rigid bodies", 1992: the order of the last step
// is nearly that of this one.) Boxes keep some room, and the sweep is only run again when a body
// has left its box.
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

  /// The pairs of which one at least is active, rising. True where they were found anew.
  bool update();
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// The bodies that may touch a body whose way lies in the box, which may be longer than its own
  /// box foresaw. Requires that update() has seen the last change. Cost: the partners, or all
  /// bodies where the box does not hold the way.
  void near(std::uint32_t body, const Box& way, std::vector<std::uint32_t>& out) const;

 private:
  struct Entry {
    Box box;
    bool active = false, present = false;
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> order_;  // present bodies by box.lo.x
  void sort_along_x();
  void find_pairs();

  void list_partners();

  std::vector<Pair> pairs_;
  // The same by body, both ways: those of i are partners_[starts_[i]] to partners_[starts_[i + 1]].
  std::vector<std::uint32_t> starts_, partners_, next_;
  SweepBoxes boxes_;  // in `order_`
  std::vector<SweepPair> met_;
  bool stale_ = true;
};

}  // namespace talus
