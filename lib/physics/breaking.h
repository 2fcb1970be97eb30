// Which bonds give way to a hit.
//
// The impulse of a hit has to go somewhere: into the ground that holds a structure, or, in a piece
// that flies, into the mass of all its other blocks. It flows from block to block through their
// bonds as current does through a net of resistors, a bond conducting by its area (the scalar
// spring lattice of fracture mechanics; Schlangen and Garboczi, "Fracture simulations of concrete
// using lattice models", 1997). What a bond passes on, over the time of the hit and its area, is
// its stress: it may be as much as the lesser strength of its two materials in pull and shear
// together, and ten times that in pressure. The bond that is farthest over breaks first, the rest
// of the net then carries all, and so on, until something has come off or no bond is over any more.
// Bending is not looked at: a hit on a cantilever's tip strains all of it alike.
//
// Bonds that broke without parting anything are whole again afterwards.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "structure/support.h"

namespace talus {

/// On one block, from outside: N s.
struct BlockImpulse {
  BlockId block = 0;
  Vec3 impulse{0};
};

struct HitStructure {
  const Blocks& blocks;
  std::span<const Material> materials;
  double time_s = 1.0 / 120;  // how long the hit lasts
  /// Blocks that pass everything on to the ground; none: what is hit flies, and the impulses are
  /// all that acts on it.
  std::function<bool(BlockId)> held;
};

struct Breakage {
  /// What comes off: ids rising, components by their least id. What stays is not among them: what
  /// is held, or of something that flies, the largest part.
  std::vector<Component> fragments;
  /// The impulse that the bonds took before they broke, N s; of those that held what was hit first.
  double taken = 0;
};

/// Most blocks around the hit that are looked at; what lies beyond stands firm.
inline constexpr std::size_t kMostHitBlocks = 2000;

/// `hits` holds at least one; the first is the hardest, around which is looked. For what flies they
/// are evened out to a sum of zero. Cost: some hundred passes over the bonds of the blocks around.
Breakage break_bonds(const HitStructure& structure, std::span<const BlockImpulse> hits);

}  // namespace talus
