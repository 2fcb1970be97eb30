// The palette of a terrain: what a surface looks like by how steep it is and how deep it lies.
#pragma once

#include "core/vec.h"

namespace talus {

/// Linear RGB. `up` is the normal's y: 1 on level ground, 0 on a wall, negative on a ceiling.
/// `depth_m` counts from the ground's height over the place, downward.
Vec3f surface_color(float up, double depth_m);

}  // namespace talus
