// The list of all that touches, found anew each step where something moves.
//
// Contacts come from the pairs of the broad phase and, for every body that moves, the ground and
// the standing blocks. What is between two sleepers is kept as it was. A contact that carried load
// and is gone is told of: who leaned on it has lost its hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/solids.h"
#include "core/box.h"
#include "core/team.h"
#include "physics/body.h"
#include "physics/broad_phase.h"
#include "physics/collider.h"
#include "physics/contact.h"
#include "physics/narrow_phase.h"

namespace talus {

class ContactFinder {
 public:
  /// Colliders and bounds (with room for contacts) by body; `pairs` rising, as the broad phase has
  /// them. Cost: the pairs of which one moves, and their boxes, shared by the threads.
  /// Those between partners that have not moved since are last step's. `step`: rising. `homes`, by
  /// body: what has one home goes to one thread.
  void find(std::span<const Body> bodies, std::span<const Collider> colliders,
            std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs,
            const Blocks& blocks, double dt, std::uint64_t step,
            std::span<const std::uint32_t> homes, Team& team);

  /// Ground or standing blocks are not what they were: what was far from them may be near.
  void forget_solids() { solids_changed_ = true; }

  ContactList& contacts() { return now_; }
  const ContactList& contacts() const { return now_; }
  /// The bodies whose contact, one that carried load, went in the last find().
  std::span<const std::uint32_t> lost_hold() const { return lost_hold_; }

 private:
  enum class What : std::uint8_t {
    Find,
    Renew,  // the same points: neither has moved since they were found
    Keep,   // as they were: both sleep
    Apart,  // they were, and neither has moved since
  };
  /// Two partners whose contacts are asked for.
  struct Task {
    std::uint32_t a, b;
    std::int32_t old;  // their place in last_, or for Apart in last_misses_; -1: in neither
    What what;
  };
  /// Two that are near, and were looked at in a step, and did not touch. It counts as long as both
  /// are still (Collider::still), which a push and a change around it end, too; or while they have
  /// moved less against one another than they were apart.
  struct NearMiss {
    std::uint32_t a, b;
    std::uint64_t found;
    float apart = 0;    // metres, at least; 0: not known
    Vec3 offset{0};     // of B from A
    double turned = 0;  // both, by then (Collider::turned)
  };
  static bool still_far(const NearMiss& miss, const Collider& a, const Collider* b);
  void list_tasks(std::span<const Body> bodies, std::span<const Collider> colliders,
                  std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs);
  /// What a task found, with how far apart the two are at least.
  struct Found {
    PairContact pair;
    float apart;
  };
  /// Lists the boxes of the tasks that will ask for them, in their order.
  void list_boxes(std::span<const std::uint32_t> numbers, std::span<const Collider> colliders,
                  float dt, NearBoxes& near) const;
  /// Adds the task's manifolds to `out`, and tells in which step they were made. `listed`: how many
  /// have used their boxes.
  void run_one(const Task& task, std::span<const Collider> colliders, const Blocks& blocks,
               float dt, const NearBoxes& near, std::size_t& listed, std::vector<Manifold>& out,
               Found& found) const;
  void order_tasks(std::span<const std::uint32_t> homes);
  /// Runs tasks by their numbers; what each finds goes to found_, and its manifolds to those given.
  void run_share(std::span<const std::uint32_t> numbers, std::span<const Collider> colliders,
                 const Blocks& blocks, double dt, std::vector<Manifold>& manifolds);
  /// From what the tasks found, in their order, to the list.
  void list_found(std::span<const Collider> colliders);

  std::uint64_t step_ = 0;
  bool solids_changed_ = false;  // since the last step
  ContactList now_, last_;
  std::vector<std::uint32_t> lost_hold_;
  std::vector<NearMiss> misses_, last_misses_;  // by a, then b
  std::vector<std::uint64_t> still_since_;      // by body
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> order_;  // tasks by home
  std::vector<std::uint32_t> ends_;   // of each home's in order_
  std::vector<Found> found_;          // by task
};

}  // namespace talus
