// What touches what: contact manifolds, kept from step to step so that impulses start where they
// ended.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace talus {

/// Partners of a body that are no bodies.
inline constexpr std::uint32_t kGround = 0xFFFFFFFE;
inline constexpr std::uint32_t kStanding = 0xFFFFFFFF;  // standing blocks
constexpr bool is_body(std::uint32_t partner) {
  return partner < kGround;
}

struct ContactPoint {
  Vec3f arm_a{0}, arm_b{0};  // from the centres of mass, world axes, metres
  /// Where the two surfaces were when the point was found, each in its partner's own axes from its
  /// centre; of ground and standing blocks, in the world's from where A rested (Collider::still).
  /// By the first the point is known again, by both its gap is told without looking anew.
  Vec3f on_a{0}, on_b{0};
  float gap = 0;      // metres at the start of the step, negative: overlap
  float impulse = 0;  // along the normal, N s in a substep, at the end of the step
  /// What the next step starts with: of a hard hit, only what was carried before it. Started with
  /// again, a hit would throw away what is light and lies between what is heavy.
  float again = 0;
};

/// Up to four points that push in one direction.
struct Manifold {
  Vec3f normal{0};  // unit, from A to B
  int count = 0;
  std::array<ContactPoint, 4> points;
  // What the next step starts with: the impulse on B across the normal, N s, and the angular one
  // from twist and rolling resistance, N m s.
  Vec3f friction{0}, turning{0};

  bool loaded() const {
    for (int i = 0; i < count; ++i) {
      if (points[static_cast<std::size_t>(i)].impulse > 0) return true;
    }
    return false;
  }
};

/// What is between two partners: a < b, a is a body.
struct PairContact {
  std::uint32_t a = 0, b = 0;
  Manifold* first = nullptr;  // its manifolds
  std::uint32_t count = 0;
  bool loaded = false;      // it carried load at the end of the step
  std::uint64_t found = 0;  // the step in which the manifolds were made
};

/// All that touches, by a, then b.
struct ContactList {
  ContactList() = default;
  ContactList(ContactList&&) = default;
  ContactList& operator=(ContactList&&) = default;

  std::vector<PairContact> pairs;
  std::vector<std::vector<Manifold>> manifolds;  // by the share of the work that found them

  std::span<Manifold> of(const PairContact& pair) { return {pair.first, pair.count}; }
  std::span<const Manifold> of(const PairContact& pair) const { return {pair.first, pair.count}; }
};

}  // namespace talus
