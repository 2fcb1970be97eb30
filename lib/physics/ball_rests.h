// What a ball lies on, and what that leaves of its velocity.
#pragma once

#include <array>
#include <cstddef>

#include "core/vec.h"

namespace talus {

/// Directions that a resting ball must not move against.
struct Rests {
  struct Rest {
    Vec3 normal;
    double speed;  // of what it lies on, along the normal, m/s; at most 0
    bool body;     // a body that moves: impulses alone keep the ball off it
  };
  std::array<Rest, 8> all;
  std::size_t count = 0;

  void add(const Rest& rest) {
    if (count < all.size()) all[count++] = rest;
  }
  /// Velocities keep up with what they rest on; of pulls only what leads into it is lost.
  enum class Of { Velocity, Pull };
  bool allows(Vec3 v, Of of) const;
  /// What is left of v: along one surface, along the crease of two, or nothing.
  Vec3 clip(Vec3 v, Of of) const;
};

}  // namespace talus
