// What a ball meets first on its way.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/sweep_cells.h"
#include "physics/ball_bodies.h"
#include "physics/ball_grid.h"
#include "physics/balls.h"

namespace talus {

/// One of them, or none: something that stands.
struct Meeting {
  SweepHit hit;
  std::uint32_t other = BallImpact::kNone, body = BallImpact::kNone;
  std::uint32_t walker = BallImpact::kNone;
  BlockId block = kNoBlock;
};

/// Kept from step to step.
struct BallWayMemory {
  /// The balls around one that steps, good for as long as no other one moves.
  struct Neighbours {
    Vec3 middle{0};
    double reach = -1;  // metres; below 0: not looked for yet
    std::vector<NearBall> balls;
  };
  BallGrid grid;
  SweepCells ground;
  std::vector<SweepCells::Place> places;  // by ball, for the ground
  std::vector<std::uint8_t> lies;         // by ball: it lay on something in its last step
  std::vector<Neighbours> neighbours;     // of who steps now, and of who waits for that
};

struct BallWay {
  std::span<const Ball> balls;
  const BallSurroundings& around;
  BallWayMemory& memory;
  BodiesOnTheWay bodies;

  /// `from`: the share of the step that is over when the sweep begins; `turn`: the ball's place
  /// among those that step and wait.
  std::optional<Meeting> first_meeting(std::uint32_t self, const SphereSweep& sweep, double from,
                                       std::size_t turn) const;
  /// Others have moved.
  void look_again(std::size_t turn) const { memory.neighbours[turn].reach = -1; }
  /// Out of what the ball's centre was put into; a lesser overlap is the first sweep's to tell.
  void push_out(Ball& ball) const;

 private:
  std::span<const NearBall> neighbours_of(std::uint32_t self, const SphereSweep& sweep,
                                          std::size_t turn) const;
};

}  // namespace talus
