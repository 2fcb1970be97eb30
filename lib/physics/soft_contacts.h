// The constraint solver of preset `modern`: soft contacts in small substeps.
//
// After Macklin et al., "Small steps in physics simulation" (2019), and Catto's soft constraints
// ("Soft constraints", 2011; solver2d, 2024): one collision a step, then many substeps of
//
//     integrate velocities, warm start, solve with bias, move, relax (solve without bias)
//
// A contact's stiffness follows the substep's length, a quarter of its rate: as stiff as stays
// quiet. Sixteen manifolds are solved at a time, no body twice among them (contact_groups.h colours
// them), on the widest vectors the processor has; all arithmetic is plain float, so the bits are
// the same at every width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talus {

inline constexpr std::size_t kLanes = 16;

struct Velocities {
  float velocity[4] = {};  // m/s; the fourth is unused
  float spin[4] = {};      // rad/s
};
/// A body in the solver. Entry 0 is all that stands still: never moved, of no inverse mass.
struct alignas(64) SolverBody : Velocities {
  float shift[4] = {};  // moved since the step began, metres
  float turn[4] = {};   // turned, rad
};

using Lane = float[kLanes];
using Lane3 = float[3][kLanes];

/// How a body answers to impulses; of entry 0, all is 0 but the resistance, which has no limit.
struct alignas(16) SolverMass {
  // Inverse inertia, world axes, 1/(kg m2), a row each; after the rows: inverse mass, 1/kg; the
  // lever of rolling and twist resistance, metres; nothing.
  float rows[3][4] = {};
};

/// How one direction acts on the two bodies of each lane: r x d, and inverse inertia times it.
struct Lever {
  Lane3 turn_a, turn_b;
  Lane3 effect_a, effect_b;
};

struct PointRow {
  Lever lever;
  Lane mass;     // effective, kg; 0: no such point
  Lane gap;      // at the start of the step, metres
  Lane closing;  // speed at which it closed at the start of the step, m/s
  Lane impulse;  // N s, at least 0
  Lane peak;     // the most it was in the step
};

/// Gap of a point that is none.
inline constexpr float kNoPoint = 1e6F;

/// Up to sixteen manifolds, one a lane.
///
/// contact_groups.h fills in what is given: bodies, normal, friction, and of each point gap and
/// impulse, with its arms where the turns will be. In the place of twist_lever stands one by the
/// number of points; of the effects of across[0], the impulses of friction and of turning so far.
/// make_rows() makes all else of that.
struct alignas(64) ContactGroup {
  std::uint32_t a[kLanes], b[kLanes];  // entries of the bodies
  Lane3 normal, tangent[2];
  Lane inverse_mass_a, inverse_mass_b;
  Lane friction;  // coefficient
  PointRow point[4];

  // Friction acts where the points' mean is, across both tangents at once, within a cone.
  Lever across[2];
  Lane across_mass[3];  // 00, 01, 11 of the inverse of the 2 x 2 effective mass
  Lane across_impulse[2];
  // Twist about the normal.
  Lane3 twist_a, twist_b;  // inverse inertia times the normal
  Lane twist_mass, twist_lever, twist_impulse;
  // Rolling about the tangents.
  Lane3 roll_a[2], roll_b[2];
  Lane roll_mass[3], roll_lever, roll_impulse[2];

  // Last, for the lanes' sake, which must lie on whole vectors.
  int points = 0;          // rows in use
  std::size_t lanes = 0;   // lanes in use; those after them are not looked at
  std::uint32_t hits = 0;  // a bit a lane: a hard hit came through it
  bool b_stands = false;   // in all lanes B is entry 0
};

/// What a substep needs to know.
struct Softness {
  float h = 0;           // its length, s
  float rate = 0;        // 1/s: share of an overlap that the bias takes away
  float mass_scale = 1;  // softened: impulse = -mass * mass_scale * error - impulse_scale * sum
  float impulse_scale = 0;
  float push_speed = 3;    // m/s, the most at which overlaps are pushed apart
  float hard_speed = 0.5;  // m/s: a change of speed from which a manifold's points are solved again
};
/// Contacts of damping ratio `zeta` at `hertz`.
Softness make_softness(float h, float hertz, float zeta);

/// From what is given to what is solved, as said at ContactGroup; bodies as the step finds them.
void make_rows(std::span<ContactGroup> groups, const SolverMass* masses, const SolverBody* bodies);
/// Gravity over a substep (m/s), and what contacts did to the bodies in the last one, unless this
/// is the first: they will nearly do it again. That is the warm start of all rows at once, since
/// their directions are fixed within a step. `before`: velocities without contacts, of the same
/// bodies. Not for entry 0.
void push_again(std::span<SolverBody> bodies, Velocities* before, float fall, bool first);
/// Over h seconds.
void move_bodies(std::span<SolverBody> bodies, float h);
/// Applies the impulses that the groups came with.
void warm_start(std::span<const ContactGroup> groups, SolverBody* bodies);
/// One pass over all groups in order: with bias, or relaxing.
void solve_biased(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies);
void solve_relaxed(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies);
/// Points that closed faster than `threshold` and carried load leave at `restitution` of that.
void bounce(std::span<ContactGroup> groups, float restitution, float threshold, SolverBody* bodies);

}  // namespace talus
