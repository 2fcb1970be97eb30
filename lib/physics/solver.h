// How bodies move: the one interface of all solvers. Each solver is one file.
//
// A solver moves bodies and puts them to sleep; it never adds or takes one, and throws nothing. The
// world around it (world.h) turns what changed on the bodies into events. A solver may keep state
// of its own by body index (warm starts, contact caches): indices stay, and bodies are only ever
// added at the end.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/solids.h"
#include "core/box.h"
#include "physics/body.h"

namespace talus {

/// One place where a body touches something.
struct Touch {
  Vec3 arm{0};            // from the body's centre, world axes
  Vec3 normal{0};         // into the body
  double share = 0;       // of what all touches bear together; of any scale
  bool standing = false;  // what it touches is a block that stands
};

class Solver {
 public:
  virtual ~Solver() = default;

  /// How the masses of its pieces are counted.
  virtual InertiaRule inertia_rule() const = 0;
  /// Moves every body that is moving() by `dt` seconds, and sets touching and closing_speed of all.
  virtual void step(std::span<Body> bodies, Solids& solids, double dt) = 0;
  /// Blocks or ground changed within the box (metres): what lay on it must be looked at again.
  virtual void solids_changed(const Box& where, std::span<Body> bodies) = 0;
  /// A body's velocity was changed from outside; it is already awake.
  virtual void pushed(std::size_t body) = 0;
  /// Where a body was touched in the last step, added to `out`; a solver may know of none.
  virtual void touches(std::size_t /*body*/, std::vector<Touch>& /*out*/) const {}
};

/// The solver as it was published: points against the nearest surface, eight passes of impulses.
/// Bodies meet the ground and standing blocks, not each other; a resting body floats about 2 cm up.
/// Kept to reproduce published results to the digit.
struct ClassicSettings {
  double gravity = 9.81;         // m/s2
  int passes = 8;                // over all contact rows, each step
  double friction = 0.6;         // of the normal impulse, along each of two directions
  double touch_distance = 0.02;  // m: a point this near touches
  double bounce_speed = 1.5;     // m/s: slower meetings do not bounce
  double bounce = 0.15;          // of the closing speed
  double slop = 0.01;            // m: depth that is left alone
  double push_share = 0.2;       // of the rest of the depth, pushed out each step
  double push_speed = 2;         // m/s, at most
  double spin_damping = 2;       // 1/s, while touching
  double still_speed = 0.15;     // m/s
  double still_spin = 0.3;       // rad/s
  double still_time = 0.4;       // s, slow and touching: at rest
  double oldest = 20;            // s: at rest wherever it is
};
std::unique_ptr<Solver> make_classic_solver(const ClassicSettings& settings = {});

/// The default: everything collides with everything, stacks stand, rubble rests and costs nothing,
/// nothing tunnels. One collision a step, then soft contacts in substeps (soft_contacts.h).
struct ModernSettings {
  double gravity = 9.81;      // m/s2
  double friction = 0.6;      // of the normal impulse, in a cone
  double restitution = 0;     // of the closing speed
  double bounce_speed = 1;    // m/s: slower meetings do not bounce
  double substep_rate = 960;  // 1/s; more: stiffer contacts, and more work
  double stiffness = 0.25;    // of a contact, as a share of the substep rate; over 0.3 stacks hum
  double damping_ratio = 10;  // of a contact
  double push_speed = 3;      // m/s: overlaps are pushed apart no faster
  bool sleeping = true;       // what stays where it is costs nothing
  double still_time = 0.4;    // s within still_distance: not moving
  double still_distance = 0.015;  // m
  double still_speed = 0.3;       // m/s: faster is moving
  int threads = 1;                // that share a step of many bodies; no bit depends on it
};
std::unique_ptr<Solver> make_modern_solver(const ModernSettings& settings = {});

}  // namespace talus
