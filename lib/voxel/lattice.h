// A box of the world's sample lattice.
//
// Lattice point (i, j, k) stands at step * (i, j, k) metres, whatever box it is part of, so two
// boxes that share a point agree on it to the bit. Arrays over a lattice run x fastest, then y,
// then z.
#pragma once

#include <cassert>
#include <cstddef>

#include "core/box.h"

namespace talus {

struct Lattice {
  IVec3 origin{0};  // the lattice point of entry 0
  IVec3 size{0};    // points along x, y, z
  double step = 1;  // metres between neighbours, > 0

  IBox box() const { return {origin, origin + size}; }
  std::size_t count() const {
    return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
           static_cast<std::size_t>(size.z);
  }
  /// Entry of the point origin + (i, j, k).
  std::size_t index(int i, int j, int k) const {
    return static_cast<std::size_t>(i) +
           static_cast<std::size_t>(size.x) *
               (static_cast<std::size_t>(j) +
                static_cast<std::size_t>(size.y) * static_cast<std::size_t>(k));
  }
  /// Where the point origin + (i, j, k) stands, metres.
  Vec3 position(int i, int j, int k) const { return step * Vec3(origin + IVec3(i, j, k)); }
};

}  // namespace talus
