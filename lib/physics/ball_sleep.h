// Which balls sleep, and what wakes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/ball_grid.h"
#include "physics/balls.h"

namespace talus {

struct BallSleep {
  std::span<Ball> balls;
  const BallGrid& grid;
  double widest = 0;  // radius

  /// A sleeper, whoever leans on it, and so on.
  void wake_around(std::uint32_t first);
  /// Sleepers near to what changed, and to bodies that move.
  void wake_near(std::span<const Box> changed, std::span<const Body> bodies);

 private:
  bool wake(std::uint32_t ball);
  void wake_in(const Box& box);
};

/// After a ball's step: `rests` where it lies on what lies still, too.
void sleep_or_not(Ball& ball, bool rests, const BallSettings& settings, double dt);

}  // namespace talus
