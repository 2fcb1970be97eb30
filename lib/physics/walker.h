// Someone who walks: over ground, blocks and rubble, up stairs, off edges, around nothing.
//
//     .-.   head     Two balls of 0.4 m, one at the feet and one at the head, 1.8 m tall in all.
//    (   )           Whatever they are pushed into pushes them out again: straight up where it can
//     '-'            be stood on (so that nobody slides on a slope), else along its normal. A step
//     .-.   feet     that would end inside something is not taken. Edges of one cell are climbed.
//    (   )           Bodies go their way, and who cannot get out of it is crushed; balls bounce off
//     '-'            (balls.h) and push. position: the point under the feet
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "collision/solids.h"
#include "physics/balls.h"
#include "physics/body.h"

namespace talus {

struct WalkerSettings {
  double radius = 0.4, height = 1.8;  // metres
  double gravity = 9.81;              // m/s2
  double walk_speed = 3;              // m/s
  double jump_speed = 4.5;            // m/s, up
  double step_height = 0.55;          // metres: edges up to this are climbed
  double steepest_normal = 0.6;       // the least normal y of what can be stood on
  double arrival = 0.15;              // metres: a goal is reached this near, seen from above
  double crush_time_s = 0.5;          // s inside something without a way out: crushed
  double mass = 80;                   // kg: what balls push
  double crush_speed = 15;            // m/s: a hit whose impulse would give it more: crushed
  double grip = 6;                    // m/s2: how fast its feet stop what a hit gave it
};

struct WalkerGoal {
  enum class Kind { WalkTo, Jump, Wait };
  Kind kind = Kind::Wait;
  Vec3 target{0};      // WalkTo: y does not count
  double seconds = 0;  // Wait; WalkTo: when it gives up, 0: never
};

struct Walker {
  Vec3 position{0};
  Vec3 velocity{0};  // m/s
  Vec3 knock{0};     // m/s, level: the part of it that it did not want
  Vec3 wall{0};      // normal of what it was pushed back by in the last step; 0: nothing
  bool grounded = false;
  bool crushed = false;
  BlockId stands_on = kNoBlock;          // while grounded; kNoBlock: the ground, or a body
  std::size_t stands_on_body = kNoBody;  // while grounded
  std::vector<WalkerGoal> goals;
  std::size_t goal = 0;    // the one pursued; goals.size(): all done
  double goal_time_s = 0;  // since it was taken up
  double stuck_s = 0;      // inside something for so long
  bool moved = false;      // in the last step

  bool done() const { return goal >= goals.size(); }
  /// It has something to do, or is on its way.
  bool moving() const { return !crushed && (moved || !done() || !grounded); }
};

/// What can be touched: everything that stands, bodies and balls (lost ones are left out).
struct WalkerSurroundings {
  Solids& solids;
  std::span<const Body> bodies{};
  std::span<const Ball> balls{};
};

/// Overlaps up to this are contact, metres.
inline constexpr double kWalkerSlack = 0.001;

/// How deep the deeper of the two balls is in something, metres; at most 0 where both are free.
double walker_depth(const Walker& walker, const WalkerSurroundings& around,
                    const WalkerSettings& settings = {});

/// True where the block would overlap the walker: balls at its feet, middle and head.
bool in_the_way(const Walker& walker, const Block& block, const WalkerSettings& settings = {});

/// What balls meet: its feet and its head, at its velocity.
std::array<WalkerBall, 2> walker_balls(const Walker& walker, const WalkerSettings& settings = {});

/// A hit that gives it a velocity, m/s, in one blow of `impulse` N s. Crushed by too hard a blow.
void knock_walker(Walker& walker, Vec3 velocity_change, double impulse,
                  const WalkerSettings& settings = {});

/// One step of dt seconds towards its goal. Costs a few dozen nearest() a step.
void step_walker(Walker& walker, const WalkerSurroundings& around, const WalkerSettings& settings,
                 double dt);

}  // namespace talus
