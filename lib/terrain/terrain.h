// The ground of a world: a preset and what was dug and filled since.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "terrain/brush.h"
#include "terrain/preset.h"

namespace talus {

struct Terrain {
  std::shared_ptr<const Preset> preset;
  std::vector<Brush> edits;  // in the order in which they were made
};

/// The density at a point, edits included.
double density(const Terrain& terrain, Vec3 point);
/// The density at every point of the lattice, in its order.
void densities(const Terrain& terrain, const Lattice& lattice, std::span<double> out);
/// The samples of the lattice as meshers need them (see Samples). Reuses the memory of `into`.
void surface_samples(const Terrain& terrain, const Lattice& lattice, Samples& into);

}  // namespace talus
