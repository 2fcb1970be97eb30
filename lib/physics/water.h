// What water does to a piece: it lifts, brakes and is thrown up.
//
// A piece displaces water with its cells, and with what is left of them where blocks are cut; what
// is hollow fills up. A cell counts as a level slab about its middle: under water in the share of
// its height that is below the surface, so that a piece that floats upright is exactly as deep as
// Archimedes has it. Lift depends on where the cells' middles are and on nothing else, hence has an
// energy (water_energy).
//
// Three things brake: the drag of the faces that water reaches, with the square of their speed; the
// waves that whatever breaks the surface makes, in proportion to it; and a little, always, viscous
// drag. They are taken at the end of the step (implicit Euler over all six motions at once), so
// they never speed anything up, however light the piece.
#pragma once

#include "collision/water.h"
#include "physics/body.h"

namespace talus {

inline constexpr double kWaterDensity = 1000;  // kg/m3

/// What the water adds to gravity.
struct WaterPush {
  double submerged = 0;  // volume under water, m3
  Vec3 acceleration{0};  // m/s2
  Vec3 turning{0};       // rad/s2
};
/// Of a body with float_cells; nothing where it has none.
WaterPush push_of_water(const Body& body, const Water& water, double gravity, double dt);

/// The energy that the body has because it is in or under water, J: 0 where it is above.
double water_energy(const Body& body, const Water& water, double gravity);

/// True where water could carry the body, and carries more than half of its weight.
bool floats(const Body& body);

}  // namespace talus
