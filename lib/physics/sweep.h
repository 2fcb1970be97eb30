// The inner loops of the broad phase: which boxes meet.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/box.h"

namespace talus {

/// Boxes, a column a bound; kPadding more entries than `count`, which meet nothing.
struct SweepBoxes {
  static constexpr std::size_t kPadding = 8;
  std::size_t count = 0;
  std::vector<double> lo_x, hi_x, lo_y, hi_y, lo_z, hi_z;
  std::vector<double> active;  // 1, or 0: two such boxes do not count as meeting

  void resize(std::size_t n) {
    for (auto* column : {&lo_x, &hi_x, &lo_y, &hi_y, &lo_z, &hi_z, &active}) {
      column->resize(std::min(n, count));
      column->resize(n + kPadding, HUGE_VAL);
    }
    count = n;
  }
  void set(std::size_t i, const Box& box) {
    lo_x[i] = box.lo.x, hi_x[i] = box.hi.x;
    lo_y[i] = box.lo.y, hi_y[i] = box.hi.y;
    lo_z[i] = box.lo.z, hi_z[i] = box.hi.z;
  }
  /// This one meets nothing.
  void set_nothing(std::size_t i) { lo_x[i] = HUGE_VAL; }
};

/// Two places that meet, the first before the second.
struct SweepPair {
  std::uint32_t first, second;
};
/// All of them, rising, of boxes by rising lo_x. Cost: for each box, those whose x overlaps.
void sweep(const SweepBoxes& boxes, std::vector<SweepPair>& out);
/// The places that meet one box, rising; `active` does not matter. Cost: all boxes.
void meeting(const SweepBoxes& boxes, const Box& box, std::vector<std::uint32_t>& out);

}  // namespace talus
