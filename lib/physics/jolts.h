// How far a hit goes on among sleepers.
//
// A sleeper bears a hit as if it were a wall, so all that a hit will move must be awake before it
// is solved. Whatever moves drives what stands or sleeps against it, that drives the next, and so
// on, each along the contact's normal and stuck to what drives it, as long as that is still fast.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "physics/body.h"
#include "physics/collider.h"
#include "physics/contact.h"

namespace talus {

class Jolts {
 public:
  /// Forgets all; for so many bodies.
  void clear(std::size_t bodies) { jolts_.assign(bodies, {}); }
  /// A body that moves of its own.
  void add(std::uint32_t body, const Collider& collider, double mass);
  /// Wakes all sleepers that are driven on at over half a metre a second. Of several hits on one
  /// the first contact's counts. Cost: contacts, for each body that the longest chain goes through.
  void spread(const ContactList& contacts, std::span<Body> bodies);

 private:
  struct Jolt {
    Vec3f velocity{0}, spin{0};  // its own, or at which a hit drives it on; m/s, rad/s
    float mass = 0;  // kg, of it and what drives it; 0: it stands, and no hit reaches it
  };
  bool pass_on(const PairContact& pair, std::span<const Manifold> manifolds,
               std::span<Body> bodies);

  std::vector<Jolt> jolts_;  // by body
};

}  // namespace talus
