// A piece on the move.
#pragma once

#include <memory>
#include <vector>

#include "core/rotation.h"
#include "physics/float_cells.h"
#include "structure/piece.h"

namespace talus {

inline constexpr std::size_t kNoBody = static_cast<std::size_t>(-1);

struct Body {
  std::shared_ptr<const Piece> piece;
  /// The blocks of the world that it was, in the piece's order; none if it never stood.
  std::vector<BlockId> from;
  /// What displaces water, and how much of it at most, m3; null in a world without.
  std::shared_ptr<const std::vector<FloatCell>> float_cells;
  double float_volume = 0;
  double born_s = 0;

  // The pose: world = position + orientation * (local - piece->center).
  Vec3 position{0};
  Quat orientation = kNoRotation;
  Vec3 velocity{0};  // of the centre, m/s
  Vec3 spin{0};      // rad/s, along the world's axes

  double inverse_mass = 0;
  Mat3 inverse_inertia{0};  // in the piece's own frame

  bool asleep = false;  // at rest: the solver leaves it alone
  bool lost = false;    // fell out of the world, or split: nobody moves it any more
  bool split = false;   // broke into others, which are bodies of their own
  /// The body that it was a part of; kNoBody: none.
  std::size_t split_from = kNoBody;
  // Written by the solver in every step, 0 in steps that it slept through:
  int touching = 0;          // contact points that touch
  double closing_speed = 0;  // the greatest at which a point met a surface, m/s
  // The same, kept while it sleeps:
  double submerged_m3 = 0;  // volume under water
  // The solver's clocks.
  double still_s = 0;  // slow and touching for so long
  double age_s = 0;    // since it broke off or was woken

  bool moving() const { return !asleep && !lost; }
};

/// A body at rest in the air where its piece stood.
Body make_body(std::shared_ptr<const Piece> piece, double born_s);

/// Where a point of the piece (its grid's frame, metres) is in the world.
Vec3 to_world(const Body& body, Vec3 local);

/// Kinetic energy, and potential energy over y = 0 under `gravity` (m/s2). Joules.
double kinetic_energy(const Body& body);
double potential_energy(const Body& body, double gravity);

/// Ends the body's rest and sets its clocks back.
void wake(Body& body);

}  // namespace talus
