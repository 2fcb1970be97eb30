// Pairs of boxes, and the gaps between them along all separating axes, many pairs at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "collision/box_contact.h"

namespace talus {

class BoxPairs {
 public:
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  void add(const PosedBox& a, const PosedBox& b);
  /// For all that were added, in plain float: the same bits at every width of vectors. About 10 ns
  /// a pair, adding included.
  void measure();
  /// After measure(): a pair's gaps, and the greatest of them.
  BoxGaps gaps(std::size_t pair) const;
  float greatest_gap(std::size_t pair) const {
    return groups_[pair / kLanes].greatest[pair % kLanes];
  }

  static constexpr std::size_t kLanes = 16;
  using Lane = float[kLanes];
  /// As many pairs as lanes; b_from_a: from the middle of A to that of B.
  struct alignas(64) Group {
    Lane axes_a[3][3], axes_b[3][3];  // [axis][coordinate]
    Lane b_from_a[3];
    Lane half_a[3], half_b[3];
    Lane along_a[3], along_b[3], along_edges[3][3], greatest;  // see BoxGaps
  };

 private:
  std::vector<Group> groups_;  // the first that are in use; the others are kept for their memory
  std::size_t count_ = 0;
};

}  // namespace talus
