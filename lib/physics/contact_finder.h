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
#include "physics/body.h"
#include "physics/broad_phase.h"
#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

class ContactFinder {
 public:
  /// Colliders and bounds (with room for contacts) by body; `pairs` rising, as the broad phase has
  /// them. Cost: the pairs of which one moves, and their boxes, shared by the threads.
  /// Those between partners that have not moved since are last step's. `step`: rising.
  void find(std::span<const Body> bodies, std::span<const Collider> colliders,
            std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs,
            const Blocks& blocks, double dt, std::uint64_t step, int threads);

  ContactList& contacts() { return now_.list; }
  const ContactList& contacts() const { return now_.list; }
  /// The bodies whose contact, one that carried load, went in the last find().
  std::span<const std::uint32_t> lost_hold() const { return now_.lost_hold; }

 private:
  /// Two partners whose contacts are to be found, or, where both sleep, to be kept.
  struct Task {
    std::uint32_t a, b;
    std::int32_t old;  // their place in the last step's list; -1: they did not touch
    bool keep;
  };
  void list_tasks(std::span<const Body> bodies, std::span<const Collider> colliders,
                  std::span<const Box> bounds, std::span<const BroadPhase::Pair> pairs);
  /// Adds the task's manifolds to `out`; returns the step in which they were made.
  std::uint64_t run(const Task& task, std::span<const Collider> colliders, const Blocks& blocks,
                    float dt, std::vector<Manifold>& out) const;
  /// What a run of tasks finds.
  struct Found {
    ContactList list;
    std::vector<std::uint32_t> lost_hold;

    void note_over(const PairContact& pair);
    void clear();
    void append(const Found& more);
  };
  void run(std::span<const Task> tasks, std::span<const Collider> colliders, const Blocks& blocks,
           double dt, Found& found) const;

  std::uint64_t step_ = 0;
  Found now_;
  ContactList last_;
  std::vector<Task> tasks_;
  std::vector<Found> shares_;  // of the tasks, where threads share them
};

}  // namespace talus
