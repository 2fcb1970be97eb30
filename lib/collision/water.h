// Standing water: the level of the sea, and pools.
//
// Water lies wherever a point is below the sea's level, or below a pool's and within its shape;
// rock in between only keeps bodies out. It does not flow: a pool that no ground holds stands there
// all the same.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "terrain/brush.h"

namespace talus {

/// The part of a shape below a level. The brush's mode is not looked at.
struct Pool {
  Brush shape;
  std::optional<double> level;  // m; none: the shape's top
};

struct Water {
  std::optional<double> level;  // of the sea, m
  std::vector<Pool> pools;

  bool none() const { return !level && pools.empty(); }
};

/// The height of a pool's surface, metres.
double surface_of(const Pool& pool);

inline constexpr double kNoWater = -std::numeric_limits<double>::infinity();
/// The surface that a point is over or under, metres: the highest of the sea's and those of the
/// pools that reach below the point or hold it. kNoWater where there is none.
double water_surface(const Water& water, Vec3 point);
/// No water is higher than this.
double highest_surface(const Water& water);

}  // namespace talus
