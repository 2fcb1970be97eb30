// The order in which balls move: neighbours one after another, so that what one has looked at is at
// hand for the next, and the lower ones before those that lie on them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/balls.h"

namespace talus {

class BallOrder {
 public:
  /// All balls, by the tile of ground that they are over, layer and number. Depends on where they
  /// are alone; costs less where they were nearly there before.
  std::span<const std::uint32_t> sorted(std::span<const Ball> balls);

 private:
  struct Item {
    std::uint64_t key;
    std::uint32_t ball;
    bool operator<(const Item& other) const {
      return key != other.key ? key < other.key : ball < other.ball;
    }
  };
  bool sort_by_moving_few();

  std::vector<Item> items_;  // in the order of before
  std::vector<std::uint32_t> order_;
};

}  // namespace talus
