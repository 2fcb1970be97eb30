// Bodies as balls meet them: on their way through the step that they have just made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/sweep_world.h"
#include "physics/balls.h"

namespace talus {

struct BodyHit {
  SweepHit hit;
  std::uint32_t body = 0;
  BlockId block = kNoBlock;  // of its piece
};

/// The box around the ball that holds the body.
Box bounds(const Body& body);

/// How a ball overlaps a body where both are now; nothing where they do not touch.
std::optional<BodyHit> overlap(const Body& body, std::uint32_t number, const Ball& ball);

class BodiesOnTheWay {
 public:
  /// `before`: where they were when the step began; empty: where they are.
  BodiesOnTheWay(std::span<const Body> bodies, std::span<const Pose> before);

  /// The first touch of a ball that moves while the bodies go from `from` of their way (0 to 1) to
  /// its end. Turning is followed as the straight line between its ends.
  std::optional<BodyHit> first_hit(const SphereSweep& sweep, double from, double before) const;

  /// True where a body may touch the ball.
  bool any_near(const Ball& ball) const;

  /// Out of the piece that the ball's centre was put into.
  void push_out(Ball& ball) const;

 private:
  struct Near {
    Box box;  // of the whole way
    std::uint32_t body;
  };
  template <class Visit>
  void visit(const Box& box, const Visit& visit) const;
  SweepFrame frame(std::uint32_t body, double at) const;

  std::span<const Body> bodies_;
  std::span<const Pose> before_;
  std::vector<Near> near_;  // by rising box.lo.x
  double longest_ = 0;      // of the boxes, along x
};

}  // namespace talus
