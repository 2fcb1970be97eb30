// From two partners to contact manifolds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "collision/box_pairs.h"
#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

/// How near counts as touching: a centimetre, and up to two more of what the step may close; and
/// of two bodies, how far one may have gone on that held the other back in the last step.
float touch_margin(const Collider& a, const Collider* b, float dt);

/// No margin is wider, metres, but for that.
inline constexpr float kWidestMargin = 0.03F;

/// The boxes of pairs of bodies whose bounds are near, listed before anything else is done, so that
/// all are measured at once.
class NearBoxes {
 public:
  void clear();
  void list(const Collider& a, const Collider& b, float margin);
  void measure() { pairs_.measure(); }

  /// Of the pair of bodies that was listed as the `number`th.
  float margin(std::size_t number) const { return bodies_[number].margin; }
  /// Calls f(i, j, gaps) for box i of A and box j of B of the pair of bodies that was listed as the
  /// `number`th, where no gap of them is over its margin. Returns how far apart all others are at
  /// least.
  template <class F>
  float for_each(std::size_t number, const F& f) const {
    const Bodies& bodies = bodies_[number];
    float apart = bodies.apart;
    for (std::size_t k = bodies.first; k < bodies.end; ++k) {
      if (const float gap = pairs_.greatest_gap(k); gap > bodies.margin) {
        apart = std::min(apart, gap);
      } else {
        f(boxes_[k].i, boxes_[k].j, pairs_.gaps(k));
      }
    }
    return apart;
  }

 private:
  struct Bodies {
    std::size_t first, end;  // of their boxes
    float margin, apart;
  };
  struct Boxes {
    std::uint32_t i, j;
  };
  std::vector<Bodies> bodies_;
  std::vector<Boxes> boxes_;
  BoxPairs pairs_;                              // of boxes_
  std::vector<std::uint32_t> near_a_, near_b_;  // one pair's
};

/// Each adds this step's manifolds to `out`; points of `old` (last step's between the two) found
/// again within 10 cm keep their impulses. Cost: pairs of boxes whose bounds meet; the points below
/// the ground's surroundings.
/// With bodies and the ground, as far as it is covered, returns how far apart the two are at least;
/// 0 where that is not known.
float collide(const Collider& a, const Collider& b, const NearBoxes& near, std::size_t number,
              std::span<const Manifold> old, std::vector<Manifold>& out);
float collide_ground(const Collider& a, float margin, std::span<const Manifold> old,
                     std::vector<Manifold>& out);
void collide_standing(const Collider& a, const Blocks& blocks, float margin,
                      std::span<const Manifold> old, std::vector<Manifold>& out);

}  // namespace talus
