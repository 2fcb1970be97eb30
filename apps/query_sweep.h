// `talus query sweep`: what a moving ball touches first.
#pragma once

#include <string>

#include "query_rows.h"
#include "world_options.h"

namespace talus {

/// Sweeps balls against the terrain, or against the triangles of a mesh file where one is named.
Question ask_sweep(const WorldOptions& world, const std::string& mesh_file);

}  // namespace talus
