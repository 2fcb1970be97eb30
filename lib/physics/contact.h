// What touches what: contact manifolds, kept from step to step so that impulses start where they
// ended.
#pragma once

#include <array>
#include <cstdint>
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
  Vec3f local{0};            // the same place in A's own axes, by which it is known again
  float gap = 0;             // metres at the start of the step, negative: overlap
  float impulse = 0;         // along the normal, N s in a substep, at the end of the step
};

/// Up to four points that push in one direction.
struct Manifold {
  Vec3f normal{0};  // unit, from A to B
  int count = 0;
  std::array<ContactPoint, 4> points;
  Vec3f friction{0};  // impulse on B across the normal, N s
  Vec3f turning{0};   // angular impulse on B from twist and rolling resistance, N m s

  bool loaded() const {
    for (int i = 0; i < count; ++i) {
      if (points[static_cast<std::size_t>(i)].impulse > 0) return true;
    }
    return false;
  }
};

/// Everything between two partners: a < b, a is a body.
struct PairContacts {
  std::uint32_t a = 0, b = 0;
  std::vector<Manifold> manifolds;

  bool loaded() const {
    for (const Manifold& m : manifolds) {
      if (m.loaded()) return true;
    }
    return false;
  }
};

}  // namespace talus
