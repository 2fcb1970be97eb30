#include "collision/box_pairs.h"

#include "collision/box_pairs_kernel.h"

namespace talus {

void BoxPairs::add(const PosedBox& a, const PosedBox& b) {
  const std::size_t l = count_ % kLanes;
  if (count_ / kLanes == groups_.size()) groups_.emplace_back();
  Group& g = groups_[count_ / kLanes];
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      g.axes_a[i][k][l] = a.axes[i][k];
      g.axes_b[i][k][l] = b.axes[i][k];
    }
    g.b_from_a[i][l] = b.center[i] - a.center[i];
    g.half_a[i][l] = a.half[i];
    g.half_b[i][l] = b.half[i];
  }
  ++count_;
}

void BoxPairs::measure() {
  measure_box_pairs({groups_.data(), (count_ + kLanes - 1) / kLanes});
}

BoxGaps BoxPairs::gaps(std::size_t pair) const {
  const Group& g = groups_[pair / kLanes];
  const std::size_t l = pair % kLanes;
  BoxGaps gaps;
  for (int i = 0; i < 3; ++i) {
    gaps.along_a[i] = g.along_a[i][l];
    gaps.along_b[i] = g.along_b[i][l];
    for (int j = 0; j < 3; ++j) gaps.along_edges[i][j] = g.along_edges[i][j][l];
  }
  return gaps;
}

}  // namespace talus
