// Where the cells and metres of a scenario count from.
#pragma once

#include "scenario/scenario.h"

namespace talus {

/// The cell of the scenario's origin in the world.
IVec3 find_site(const Scenario& scenario, const Terrain& terrain);

}  // namespace talus
