// Heights from a file, and where they stand.
#pragma once

#include <string>

#include "terrain/preset.h"

namespace talus {

/// Loads a .csv or .png into the spec's heights; what was placed before stays placed. Throws Error.
void load_heights(TerrainSpec& spec, const std::string& path);

/// Sets spacing_m, origin_x_m or origin_z_m of the spec's heights, loaded or yet to be. Returns
/// whether the key is one of these. Throws Error for a spacing that is not above 0, or past 1e9
/// either way.
bool place_heights(TerrainSpec& spec, const std::string& key, double value);

}  // namespace talus
