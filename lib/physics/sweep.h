// The inner loop of the broad phase: which boxes meet, in order of their low x.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace talus {

/// Boxes by rising lo_x, a column a bound; kPadding more entries than `count`, which meet nothing.
struct SweepBoxes {
  static constexpr std::size_t kPadding = 8;
  std::size_t count = 0;
  std::vector<double> lo_x, hi_x, lo_y, hi_y, lo_z, hi_z;
  std::vector<double> active;  // 1, or 0: two such boxes do not count as meeting

  void resize(std::size_t n) {
    count = n;
    for (auto* column : {&lo_x, &hi_x, &lo_y, &hi_y, &lo_z, &hi_z, &active}) {
      column->resize(n);
      column->resize(n + kPadding, HUGE_VAL);
    }
  }
};

/// Two places that meet, the first before the second.
struct SweepPair {
  std::uint32_t first, second;
};
/// All of them, rising. Cost: for each box, those whose x overlaps.
void sweep(const SweepBoxes& boxes, std::vector<SweepPair>& out);

}  // namespace talus
