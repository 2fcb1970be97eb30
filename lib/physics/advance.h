// Conservative advance: what moves far in one step is walked along its way and held where it would
// go through something.
//
// The solver only knows contacts that were near when the step began. The way of a body that moves
// more than kStride is therefore followed: against all that may be in it, by as much at a time as
// the gap between the two allows, or by kStride where they touch (no wall is thinner than a cell),
// and the body is stopped where it is first deeper by more than kGiven in something than it was at
// the start. It keeps its velocity; the next step's contacts take that away. They are looked for as
// far as what held it has gone on without it (Way::chase): otherwise a body that falls fast would
// follow one that falls before it, always too far behind to hit it. After Mirtich, "Impulse-based
// dynamic simulation" (1996). Of a cut block the ball inside it counts.
#pragma once

#include <span>
#include <vector>

#include "core/team.h"
#include "physics/broad_phase.h"
#include "physics/collider.h"

namespace talus {

inline constexpr double kStride = 0.1;  // metres
/// Deeper by so much counts as going through, metres. What touches something has more, so that a
/// slider is never held by rounding.
inline constexpr double kGiven = 0.001, kGivenTouching = 0.01;

/// One body's way through the step: start + t * shift, turned by t * turn, for t up to `end`.
struct Way {
  Vec3 start{0};
  Quat orientation = kNoRotation;  // at the start
  Quat target = kNoRotation;       // after the whole turn
  Vec3 shift{0}, turn{0};
  double length = 0;  // the most that any point of the body moves, metres
  double turns = 0;   // how much of it is turning
  double end = 1;
  double chase = 0;       // how far what stopped it there goes on without it, metres
  bool present = false;   // it is in the world
  bool touching = false;  // it was in contact when the step began

  Vec3 position(double t) const { return start + shift * t; }
};

/// How it is turned on its way. Between nearby orientations straight from one to the other.
Quat orientation_at(const Way& way, double t);

/// Shortens the ways of all bodies longer than kStride (entries of `fast`) as described.
/// `colliders` stand at the starts, by body; their surroundings are made to cover the
/// ways.
void hold_back(std::span<const std::uint32_t> fast, std::span<Way> ways,
               std::span<Collider> colliders, BroadPhase& broad_phase, Solids& solids,
               std::uint64_t version, Team& team);

}  // namespace talus
