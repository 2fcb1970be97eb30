#include "scenario/site.h"

#include <cmath>

namespace talus {

namespace {

/// The highest place of the ground near a column's nominal height.
double surface_height(const Terrain& terrain, double x, double z) {
  constexpr double kCaves = 40, kStep = 0.25;  // and what was dug or filled, m
  const double nominal = terrain.preset->height(x, z), around = kCaves + terrain.preset->overhang();
  double air = nominal + around;
  double ground = air;
  while (density(terrain, {x, ground, z}) <= 0 && ground > nominal - around) {
    air = ground;
    ground -= kStep;
  }
  for (int i = 0; i < 40; ++i) {
    const double middle = (air + ground) / 2;
    (density(terrain, {x, middle, z}) <= 0 ? air : ground) = middle;
  }
  return ground;
}

}  // namespace

IVec3 find_site(const Scenario& scenario, const Terrain& terrain) {
  const Site& site = scenario.site;
  if (!site.on_surface_m) return site.cell;
  const Vec3 p = *site.on_surface_m;
  const double y = surface_height(terrain, p.x, p.z) + p.y;
  return site.cell + IVec3(std::floor(p.x / kCell), std::floor(y / kCell), std::floor(p.z / kCell));
}

}  // namespace talus
