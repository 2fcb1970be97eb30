#include "collision/water.h"

#include <algorithm>

namespace talus {

double surface_of(const Pool& pool) {
  const double top = reach(pool.shape).hi.y - kBrushReach;
  return pool.level ? std::min(*pool.level, top) : top;
}

double water_surface(const Water& water, Vec3 point) {
  double surface = water.level.value_or(kNoWater);
  for (const Pool& pool : water.pools) {
    const double own = surface_of(pool);
    if (own <= surface) continue;
    // Over the surface, what counts is where the point would come down on it.
    const Vec3 within(point.x, std::min(point.y, own), point.z);
    if (signed_distance(pool.shape, within) <= 0) surface = own;
  }
  return surface;
}

double highest_surface(const Water& water) {
  double surface = water.level.value_or(kNoWater);
  for (const Pool& pool : water.pools) surface = std::max(surface, surface_of(pool));
  return surface;
}

}  // namespace talus
