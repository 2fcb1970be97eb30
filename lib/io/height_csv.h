// Heights of a survey: CSV with a header, one point of a regular grid a row.
#pragma once

#include <string>

#include "voxel/height_grid.h"

namespace talus {

/// Columns x, z and height (or x_m, z_m, height_m; others are ignored), metres, rows in any order.
/// The spacing is found from the points, the same along x and z, even within a millionth of it.
/// Throws Error with the line for what is no number, uneven, twice there, or missing. 1 GiB at
/// most.
HeightGrid read_height_csv(const std::string& path);

}  // namespace talus
