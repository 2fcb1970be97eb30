// Balls: thrown, dropped and poured, at any speed. They meet blocks, the ground, and one another.
//
// A step moves every ball along its parabola to the first thing that it touches (sweep_world.h,
// exact), answers with an impulse, and goes on with the rest of the step, up to most_hits times;
// then it stays where it is until the next step. So no ball is ever inside anything, however fast.
// Balls move one after another, each against the others where they are at that moment: they never
// overlap either, and what one gives another is never lost; when they meet is right to one step.
//
// A meeting so slow that the ball would be back within the step is rest: the ball then slides or
// rolls along what it lies on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/terrain_triangles.h"
#include "voxel/blocks.h"

namespace talus {

struct Ball {
  Vec3 position{0};
  Vec3 velocity{0};  // m/s
  Vec3 spin{0};      // rad/s
  double radius = 0.25;
  double density = 2600;     // kg/m3
  double restitution = 0.5;  // of the closing speed, times that of what it meets
  double friction = 0.5;     // of the normal impulse, the lesser of the two counts
  double rolling = 0.01;     // rolling resistance: of the weight
};
double mass(const Ball& ball);
/// Kinetic, and potential over y = 0. Joules.
double energy(const Ball& ball, double gravity);

struct BallSettings {
  double gravity = 9.81;  // m/s2, down
  int most_hits = 5;      // in a step
};

/// What stands around the balls; either may be missing.
struct BallSurroundings {
  const Blocks* blocks = nullptr;
  TerrainTriangles* ground = nullptr;
  double restitution = 1, friction = 1;
};

/// A meeting that was no rest.
struct BallImpact {
  static constexpr std::uint32_t kNoBall = 0xFFFFFFFF;
  std::uint32_t ball = 0, other = kNoBall;
  BlockId block = kNoBlock;
  Vec3 point{0}, normal{0};
  double speed = 0;    // closing, m/s
  double impulse = 0;  // N s
};

/// Moves the balls by dt seconds; impacts in the order in which they were met.
std::vector<BallImpact> step_balls(std::span<Ball> balls, const BallSurroundings& around,
                                   const BallSettings& settings, double dt);

}  // namespace talus
