// Rough random ground for collision tests: caves, overhangs, crumbs, anything a mesher may meet.
#pragma once

#include <cstdint>

#include "voxel/samples.h"

namespace talus {

/// Samples of a lattice: a hilly surface around y = 0 with noise of the seed on top; `roughness` 0
/// to 1 goes from smooth hills to crumbs everywhere. A sample depends on its place and the seed
/// only.
Samples random_ground(const Lattice& lattice, std::uint32_t seed, double roughness);

}  // namespace talus
