// The density of preset `hills` on vectors of points, for kernels: included once for each
// instruction set, after hwy/highway.h. The same bits as HillsFormula.

// Highway compiles a kernel file again and again; the guard follows its toggle.
#if defined(TALUS_TERRAIN_HILLS_DENSITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_TERRAIN_HILLS_DENSITY_INL_H_
#undef TALUS_TERRAIN_HILLS_DENSITY_INL_H_
#else
#define TALUS_TERRAIN_HILLS_DENSITY_INL_H_
#endif

#include <hwy/highway.h>

#include "terrain/simplex_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

/// A vector of points, loaded.
struct Points {
  V ox, oy, oz, ax, ay, az, bx, by, bz, y, height, overhang;
};

HWY_INLINE V tunnel_wall(const HillsValues& v, V a, V b) {
  const D d;
  const V distance = hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b)));
  return hn::Mul(hn::Sub(distance, hn::Set(d, v.cave_radius)), hn::Set(d, v.cave_slope_m));
}

/// What decides without being worked out.
struct Shortcuts {
  double open_air;  // below this d the roof term alone lifts the cave above d
  double rock;      // from this far from 0 a noise alone keeps the point out of tunnels

  explicit Shortcuts(const HillsValues& v)
      : open_air((v.cave_roof_slope * v.cave_roof_m - v.cave_radius * v.cave_slope_m) /
                     (1 + v.cave_roof_slope) -
                 kBoundSlack),
        rock(v.cave_radius + kBoundSlack) {}
};

template <bool kFits>
HWY_INLINE V density(const HillsValues& v, const PointTables& tables, const Shortcuts& shortcuts,
                     bool ground_only, const Points& p) {
  const D d;
  const V overhang = noise3<kFits>(tables.overhang, p.ox, p.oy, p.oz);
  const V ground = hn::Add(hn::Sub(p.height, p.y), hn::Mul(overhang, p.overhang));
  if (ground_only || hn::AllTrue(d, hn::Lt(ground, hn::Set(d, shortcuts.open_air)))) return ground;
  const V roof = hn::Max(hn::Zero(d), hn::Sub(hn::Set(d, v.cave_roof_m), ground));
  const V lift = hn::Mul(hn::Set(d, v.cave_roof_slope), roof);
  const V a = noise3<kFits>(tables.cave_a, p.ax, p.ay, p.az);
  // The first cave noise alone can show that the cave is above the ground.
  const V least = hn::Add(tunnel_wall(v, a, hn::Zero(d)), lift);
  if (hn::AllTrue(d, hn::Gt(least, hn::Add(ground, hn::Set(d, kBoundSlack))))) return ground;
  const V b = noise3<kFits>(tables.cave_b, p.bx, p.by, p.bz);
  return hn::Min(ground, hn::Add(tunnel_wall(v, a, b), lift));
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TALUS_TERRAIN_HILLS_DENSITY_INL_H_
