// Samples of preset `hills` on a lattice, without asking for most of them.
//
// A mesher needs the sign of every sample but values only at the corners of cells that the surface
// crosses, about three samples in a hundred. So, tile by tile: columns -> noise on every fourth
// sample -> bounds for blocks of 4^3 -> air, rock, or blocks to sample -> in those, what values
// blended between the block's corners leave open -> signs. Then, over the whole lattice: crossed
// cells -> the few corners still without a value.
//
// What blending and bounds can be off by is worked out in hills_blocks.cpp: within a block a noise
// strays from its corners by the curvature it can have, and by what it can jump by.
#pragma once

#include <span>

#include "terrain/hills.h"

namespace talus {

/// Every density of the lattice, in its order: HillsFormula's bits. Costs three noises a sample.
void hills_dense(const HillsFormula& formula, const Lattice& lattice, std::span<double> out);

/// The samples as meshers need them; see Samples. Reuses the memory of `into`. `formula_id` tells
/// formulas apart: columns are remembered from call to call, a set a thread.
void hills_surface(const HillsFormula& formula, std::uint64_t formula_id, const Lattice& lattice,
                   Samples& into);

}  // namespace talus
