// Axis-aligned boxes: of points in metres (closed), and of lattice points (half-open).
#pragma once

#include <cstdint>

#include "core/vec.h"

namespace talus {

/// All points p with lo <= p <= hi, metres. Empty when some lo > hi.
struct Box {
  Vec3 lo{0};
  Vec3 hi{0};
  bool operator==(const Box&) const = default;
};

/// All lattice points p with lo <= p < hi.
struct IBox {
  IVec3 lo{0};
  IVec3 hi{0};
  bool operator==(const IBox&) const = default;

  IVec3 size() const { return hi - lo; }
  bool empty() const { return lo.x >= hi.x || lo.y >= hi.y || lo.z >= hi.z; }
  /// Number of points; 64 bits, so that no box overflows it.
  std::int64_t count() const {
    if (empty()) return 0;
    return (std::int64_t{hi.x} - lo.x) * (std::int64_t{hi.y} - lo.y) * (std::int64_t{hi.z} - lo.z);
  }
  bool contains(IVec3 p) const {
    return p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x < hi.x && p.y < hi.y && p.z < hi.z;
  }
};

}  // namespace talus
