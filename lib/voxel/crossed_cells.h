// Where the surface is, from solid bits alone: 64 cells a step.
#pragma once

#include <cstdint>
#include <vector>

#include "voxel/samples.h"

namespace talus {

/// The cells whose eight corners are neither all solid nor all air: a bit a cell, in the place that
/// its lowest corner has in `solid`. Takes the memory that `cells` has.
void find_crossed_cells(const SolidBits& solid, std::vector<std::uint64_t>& cells);

/// The corners of those cells, in the places of `solid`.
void find_corners_of(const SolidBits& solid, const std::vector<std::uint64_t>& cells,
                     std::vector<std::uint64_t>& corners);

}  // namespace talus
