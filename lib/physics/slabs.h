// Bodies in contact, divided by where they are, so that threads can work on them apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace talus {

/// Slabs across the axis along which the bodies lie farthest apart, each with about as much of the
/// weight.
class Slabs {
 public:
  struct Body {
    Vec3 position;
    std::uint32_t weight;
  };
  /// Cost: the bodies; none where one slab is asked for.
  void divide(std::span<const Body> bodies, std::size_t slabs);
  /// The slab of any position.
  std::uint32_t of(Vec3 position) const;
  std::size_t count() const { return count_; }

 private:
  std::size_t bin(Vec3 position) const;

  std::size_t count_ = 1;
  int axis_ = 0;
  double lo_ = 0, bins_per_m_ = 0;
  std::vector<std::uint32_t> weights_;        // by bin
  std::vector<std::uint32_t> slab_of_ = {0};  // by bin
};

}  // namespace talus
