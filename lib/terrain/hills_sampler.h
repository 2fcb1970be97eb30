// Samples of preset `hills` on a lattice, without asking for most of them.
//
// A mesher needs the sign of every sample but values only at the corners of cells that the surface
// crosses, about three samples in a hundred. So: columns -> noise on every fourth sample -> bounds
// for blocks of 4^3 -> air, rock, or sampled -> signs -> crossed cells -> the few corners still
// without a value.
//
//   bounds   within a block a noise lies between the least and the greatest of its eight corners,
//   widened
//            by the curvature it can have in between and by what it can jump by (bounds in the
//            .cpp)
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
