// The presets, each in the file of its name; preset.cpp has the table of them.
#pragma once

#include <memory>
#include <vector>

#include "terrain/preset.h"

namespace talus {

std::shared_ptr<const Preset> make_hills(const TerrainSpec& spec);
std::shared_ptr<const Preset> make_flat(const TerrainSpec& spec);
std::shared_ptr<const Preset> make_slope(const TerrainSpec& spec);
std::shared_ptr<const Preset> make_heightmap(const TerrainSpec& spec);

std::vector<ParameterInfo> hills_parameters();
std::vector<ParameterInfo> flat_parameters();
std::vector<ParameterInfo> slope_parameters();
std::vector<ParameterInfo> heightmap_parameters();

}  // namespace talus
