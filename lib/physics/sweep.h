// The inner loop of the broad phase: which boxes after one, in order of their low x, meet it.
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

  void resize(std::size_t n) {
    count = n;
    for (auto* column : {&lo_x, &hi_x, &lo_y, &hi_y, &lo_z, &hi_z}) {
      column->resize(n);
      column->resize(n + kPadding, HUGE_VAL);
    }
  }
};

/// Appends the places after i of the boxes that meet box i, rising.
void sweep_from(const SweepBoxes& boxes, std::size_t i, std::vector<std::uint32_t>& out);

}  // namespace talus
