// Balls: thrown, dropped and poured, at any speed. They meet blocks, the ground, bodies, walkers,
// and one another.
//
// A step moves every ball along its parabola to the first thing that it touches (sweep_world.h,
// exact), answers with an impulse, and goes on with the rest of the step, up to most_hits times;
// then it stays where it is until the next step. So no ball is ever inside anything that stands,
// however fast. Balls move one after another, each against the others where they are at that
// moment: they never overlap either, and what one gives another is never lost; when they meet is
// right to one step. Bodies have made their step already: balls meet them on their way through it.
//
// A meeting so slow that the ball would be back within the step is rest: the ball then slides or
// rolls along what it lies on. One that lies still sleeps: it costs nothing until something hits
// it, or what it lies on moves.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/terrain_triangles.h"
#include "physics/body.h"
#include "voxel/blocks.h"

namespace talus {

struct Ball {
  Vec3 position{0};
  Vec3 velocity{0};  // m/s
  Vec3 spin{0};      // rad/s
  Quat orientation = kNoRotation;
  double radius = 0.25;
  double density = 2600;     // kg/m3
  double restitution = 0.5;  // of the closing speed, times that of what it meets
  double friction = 0.5;     // of the normal impulse, the lesser of the two counts
  double rolling = 0.01;     // rolling resistance: of the weight
  bool asleep = false;
  bool lost = false;   // out of the world: nobody moves it any more
  double still_s = 0;  // lying still for so long

  bool moving() const { return !asleep && !lost; }
};
double mass(const Ball& ball);
/// Kinetic, and potential over y = 0. Joules.
double energy(const Ball& ball, double gravity);

struct BallSettings {
  double gravity = 9.81;  // m/s2, down
  int most_hits = 5;      // in a step
  bool sleeping = true;
  double still_speed = 0.02;  // m/s, of its surface: slower, and lying on something, is still
  double still_time = 0.4;    // s still: asleep
};

/// A meeting that was no rest.
struct BallImpact {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t ball = 0, other = kNone;
  std::uint32_t body = kNone;
  std::uint32_t walker = kNone;  // place among the walker balls
  BlockId block = kNoBlock;      // of the body's piece, if a body was met
  Vec3 point{0}, normal{0};      // the normal leads to the ball
  double speed = 0;              // closing, m/s
  double impulse = 0;            // N s
  bool broke = false;            // what was hit gives way: the ball waits where it is
};

/// Where a body was when the step began.
struct Pose {
  Vec3 position{0};
  Quat orientation = kNoRotation;
};

/// One of the balls that a walker is made of. It moves by itself; what hits it gives it a velocity,
/// unless there is ground under it or a wall behind it: then it stands as they do.
struct WalkerBall {
  Ball ball;
  bool grounded = false;
  Vec3 wall{0};        // normal of the wall that it leans on; 0: none
  bool moves = false;  // what lies on it does not sleep

  bool held_along(Vec3 n) const;  // against a push along -n
};

/// What is around the balls; anything may be missing.
struct BallSurroundings {
  const Blocks* blocks = nullptr;
  TerrainTriangles* ground = nullptr;
  double restitution = 1, friction = 1;  // of all of it
  /// Moved by what hits them. Sleeping ones stand still unless that is worth waking them for;
  /// whoever steps the balls wakes those that have a velocity then.
  std::span<Body> bodies{};
  std::span<const Pose> before{};  // by body; empty: they have not moved
  std::span<WalkerBall> walkers{};
  /// Asked about every impact before it acts: the impulse that what is hit takes, N s, where it
  /// breaks; nothing where it holds.
  std::function<std::optional<double>(const BallImpact&)> breaks{};
};

/// Moves balls, and keeps from step to step what makes the next one cheap.
class BallStepper {
 public:
  struct Memory;

  BallStepper();
  ~BallStepper();
  BallStepper(BallStepper&&) noexcept;
  BallStepper& operator=(BallStepper&&) noexcept;

  /// Moves the balls by dt seconds; impacts in the order in which they were met. Balls keep their
  /// places in the list, and new ones come at its end.
  std::vector<BallImpact> step(std::span<Ball> balls, const BallSurroundings& around,
                               const BallSettings& settings, double dt);
  /// Something that stands, or the ground, changed within the box: the next step wakes who is near.
  /// Without this call both are taken to be as they were.
  void solids_changed(const Box& where);

 private:
  std::unique_ptr<Memory> memory_;
};

/// One step of a stepper that remembers nothing.
std::vector<BallImpact> step_balls(std::span<Ball> balls, const BallSurroundings& around,
                                   const BallSettings& settings, double dt);

}  // namespace talus
