#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "terrain/simplex_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

template <bool kFits>
HWY_INLINE V fbm(const std::vector<GradientTable2>& octaves, V x, V z) {
  const D d;
  V sum = hn::Zero(d);
  double frequency = 1;
  for (const GradientTable2& table : octaves) {
    const V f = hn::Set(d, frequency);
    const V n = noise2<kFits>(table, hn::Mul(x, f), hn::Mul(z, f));
    // Powers of two: multiplying by the inverse is dividing.
    sum = hn::Add(sum, hn::Mul(n, hn::Set(d, 1 / (2 * frequency))));
    frequency *= 2;
  }
  return sum;
}

template <bool kFits>
HWY_INLINE void columns_by(const HillsFormula& formula, const ColumnTables& tables,
                           const double* xs, double z, std::size_t n, double* heights,
                           double* overhangs) {
  const D d;
  const HillsValues& v = formula.values();
  const V zero = hn::Zero(d), one = hn::Set(d, 1);
  const V mountain_z = hn::Set(d, z / v.mountain_scale_m + v.mountain_offset_z);
  const V ridge_z = hn::Set(d, z / v.ridge_scale_m + v.ridge_offset_z);
  const V hill_z = hn::Set(d, z / v.hill_scale_m);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V x = hn::LoadU(d, xs + i);
    const V raw = noise2<kFits>(
        tables.mountain,
        hn::Add(hn::Div(x, hn::Set(d, v.mountain_scale_m)), hn::Set(d, v.mountain_offset_x)),
        mountain_z);
    const V step = hn::Div(hn::Sub(raw, hn::Set(d, v.mountain_from)),
                           hn::Set(d, v.mountain_to - v.mountain_from));
    const V t = hn::Min(hn::Max(step, zero), one);
    const V m = hn::Mul(hn::Mul(t, t), hn::Sub(hn::Set(d, 3), hn::Mul(hn::Set(d, 2), t)));
    V ridge = zero;
    if (!hn::AllTrue(d, hn::Eq(m, zero))) {
      const V f = hn::Mul(
          hn::Set(d, v.ridge_sharpness),
          fbm<kFits>(tables.ridges,
                     hn::Add(hn::Div(x, hn::Set(d, v.ridge_scale_m)), hn::Set(d, v.ridge_offset_x)),
                     ridge_z));
      const V r = hn::Sqrt(hn::Add(hn::Mul(f, f), hn::Set(d, v.ridge_rounding * v.ridge_rounding)));
      ridge = hn::Max(zero, hn::Sub(one, r));
    }
    const V hills = fbm<kFits>(tables.hills, hn::Div(x, hn::Set(d, v.hill_scale_m)), hill_z);
    const V cubed = hn::Mul(hn::Mul(ridge, ridge), ridge);
    const V mountain = hn::Mul(hn::Mul(hn::Set(d, v.mountain_height_m), m), cubed);
    const V ground = hn::Add(hn::Set(d, v.base_m), hn::Mul(hn::Set(d, v.hill_height_m), hills));
    hn::StoreU(hn::Add(ground, mountain), d, heights + i);
    hn::StoreU(hn::Add(hn::Set(d, v.overhang_m), hn::Mul(hn::Set(d, v.overhang_mountain_m), m)), d,
               overhangs + i);
  }
}

HWY_ATTR void columns(const HillsFormula& formula, const ColumnTables& tables, const double* xs,
                      double z, std::size_t n, double* heights, double* overhangs) {
  if (tables.fit) {
    columns_by<true>(formula, tables, xs, z, n, heights, overhangs);
  } else {
    columns_by<false>(formula, tables, xs, z, n, heights, overhangs);
  }
}

template <bool kFits>
HWY_INLINE void noises_by(const PointTables& tables, const NoisePoints& p, std::size_t n,
                          double* overhang, double* cave_a, double* cave_b) {
  const D d;
  const auto at = [&](const GradientTable3& table, const double* x, const double* y,
                      const double* z, std::size_t i) HWY_ATTR {
    return noise3<kFits>(table, hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i));
  };
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(at(tables.overhang, p.ox, p.oy, p.oz, i), d, overhang + i);
    hn::StoreU(at(tables.cave_a, p.ax, p.ay, p.az, i), d, cave_a + i);
    hn::StoreU(at(tables.cave_b, p.bx, p.by, p.bz, i), d, cave_b + i);
  }
}

HWY_ATTR void noises(const PointTables& tables, const NoisePoints& p, std::size_t n,
                     double* overhang, double* cave_a, double* cave_b) {
  if (tables.fit()) {
    noises_by<true>(tables, p, n, overhang, cave_a, cave_b);
  } else {
    noises_by<false>(tables, p, n, overhang, cave_a, cave_b);
  }
}

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

/// Densities, and whether they are exact; where not, they are above zero as the exact ones.
struct Densities {
  V value;
  bool exact;
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

/// Where the cave term is known to be the smaller, and the roof too far to matter.
template <bool kFits>
HWY_INLINE Densities cave_density(const HillsValues& v, const PointTables& tables,
                                  const Shortcuts& shortcuts, const Points& p) {
  const D d;
  const V a = noise3<kFits>(tables.cave_a, p.ax, p.ay, p.az);
  if (hn::AllTrue(d, hn::Ge(hn::Abs(a), hn::Set(d, shortcuts.rock)))) {
    return {tunnel_wall(v, a, hn::Zero(d)), false};
  }
  return {tunnel_wall(v, a, noise3<kFits>(tables.cave_b, p.bx, p.by, p.bz)), true};
}

template <bool kFits>
HWY_INLINE void point_densities_by(const HillsFormula& formula, const PointTables& tables,
                                   const NoisePoints& p, const ColumnPoints& c, std::size_t n,
                                   double* out) {
  const D d;
  const HillsValues& v = formula.values();
  const Shortcuts shortcuts(v);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto load = [&](const double* values) HWY_ATTR { return hn::LoadU(d, values + i); };
    const Points points = {load(p.ox), load(p.oy), load(p.oz),     load(p.ax),
                           load(p.ay), load(p.az), load(p.bx),     load(p.by),
                           load(p.bz), load(c.y),  load(c.height), load(c.overhang)};
    hn::StoreU(density<kFits>(v, tables, shortcuts, false, points), d, out + i);
  }
}

HWY_ATTR void point_densities(const HillsFormula& formula, const PointTables& tables,
                              const NoisePoints& p, const ColumnPoints& c, std::size_t n,
                              double* out) {
  if (tables.fit()) {
    point_densities_by<true>(formula, tables, p, c, n, out);
  } else {
    point_densities_by<false>(formula, tables, p, c, n, out);
  }
}

template <bool kFits>
HWY_INLINE void row_by(const HillsFormula& formula, const PointTables& tables, const RowPoints& p,
                       std::size_t n, double* out) {
  const D d;
  const HillsValues& v = formula.values();
  const Shortcuts shortcuts(v);
  const V oy = hn::Set(d, p.oy), ay = hn::Set(d, p.ay), by = hn::Set(d, p.by);
  const V oz = hn::Set(d, p.oz), az = hn::Set(d, p.az), bz = hn::Set(d, p.bz);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto load = [&](const double* values) HWY_ATTR { return hn::LoadU(d, values + i); };
    const Points points = {load(p.ox),
                           oy,
                           oz,
                           load(p.ax),
                           ay,
                           az,
                           load(p.bx),
                           by,
                           bz,
                           hn::Set(d, p.y),
                           load(p.height),
                           load(p.overhang)};
    hn::StoreU(density<kFits>(v, tables, shortcuts, false, points), d, out + i);
  }
}

HWY_ATTR void row(const HillsFormula& formula, const PointTables& tables, const RowPoints& p,
                  std::size_t n, double* out) {
  if (tables.fit()) {
    row_by<true>(formula, tables, p, n, out);
  } else {
    row_by<false>(formula, tables, p, n, out);
  }
}

/// density_to_float() of every lane. Up to 2^-150 a double becomes the float 0.
HWY_INLINE auto to_float(V density) {
  const D d;
  const hn::Rebind<float, D> df;
  const M vanishes = hn::And(hn::Gt(density, hn::Zero(d)), hn::Le(density, hn::Set(d, 0x1p-150)));
  return hn::DemoteTo(df, hn::IfThenElse(vanishes, hn::Set(d, 0x1p-126), density));
}

HWY_INLINE std::uint64_t bits_of(M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  return bytes[0];
}

template <bool kFits>
HWY_INLINE void sample_block(const HillsFormula& formula, const PointTables& tables,
                             const Shortcuts& shortcuts, const BlockCoordinates& c,
                             const BlockPlace& place, BlockSamples& out) {
  const D d;
  const HillsValues& v = formula.values();
  const auto x8 = 8 * static_cast<std::size_t>(place.x),
             y16 = 16 * static_cast<std::size_t>(place.y);
  constexpr std::uint64_t kVector = (1ull << hn::MaxLanes(d)) - 1;
  out.solid = out.exact = 0;
  for (std::size_t k = 0; k < kBlockSide; ++k) {
    const std::size_t z = 4 * static_cast<std::size_t>(place.z) + k;
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      const std::size_t x = x8 + i % 4, y = y16 + i, column = z * c.column_stride + x;
      const Points points = {hn::LoadU(d, c.ox + x),
                             hn::LoadU(d, c.oy + y),
                             hn::Set(d, c.oz[z]),
                             hn::LoadU(d, c.ax + x),
                             hn::LoadU(d, c.ay + y),
                             hn::Set(d, c.az[z]),
                             hn::LoadU(d, c.bx + x),
                             hn::LoadU(d, c.by + y),
                             hn::Set(d, c.bz[z]),
                             hn::LoadU(d, c.y + y),
                             hn::LoadU(d, c.height + column),
                             hn::LoadU(d, c.overhang + column)};
      const bool ground_only = place.kind == BlockKind::SampleGround;
      const Densities densities =
          place.kind == BlockKind::SampleCave
              ? cave_density<kFits>(v, tables, shortcuts, points)
              : Densities{density<kFits>(v, tables, shortcuts, ground_only, points), true};
      const std::size_t at = 16 * k + i;
      hn::StoreU(to_float(densities.value), hn::Rebind<float, D>(), out.density + at);
      out.solid |= bits_of(hn::Gt(densities.value, hn::Zero(d))) << at;
      out.exact |= (densities.exact ? kVector : 0) << at;
    }
  }
}

HWY_ATTR void blocks(const HillsFormula& formula, const PointTables& tables,
                     const BlockCoordinates& coordinates, const BlockPlace* places, std::size_t n,
                     BlockSamples* out) {
  const Shortcuts shortcuts(formula.values());
  if (tables.fit()) {
    for (std::size_t i = 0; i < n; ++i) {
      sample_block<true>(formula, tables, shortcuts, coordinates, places[i], out[i]);
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      sample_block<false>(formula, tables, shortcuts, coordinates, places[i], out[i]);
    }
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(columns);
HWY_EXPORT(noises);
HWY_EXPORT(point_densities);
HWY_EXPORT(row);
HWY_EXPORT(blocks);

void hills_columns(const HillsFormula& formula, const ColumnTables& tables, const double* x,
                   double z, std::size_t n, double* height, double* overhang) {
  HWY_DYNAMIC_DISPATCH(columns)(formula, tables, x, z, n, height, overhang);
}

void hills_noises(const PointTables& tables, const NoisePoints& points, std::size_t n,
                  double* overhang, double* cave_a, double* cave_b) {
  HWY_DYNAMIC_DISPATCH(noises)(tables, points, n, overhang, cave_a, cave_b);
}

void hills_densities(const HillsFormula& formula, const PointTables& tables,
                     const NoisePoints& points, const ColumnPoints& columns, std::size_t n,
                     double* out) {
  HWY_DYNAMIC_DISPATCH(point_densities)(formula, tables, points, columns, n, out);
}

void hills_row(const HillsFormula& formula, const PointTables& tables, const RowPoints& points,
               std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(row)(formula, tables, points, n, out);
}

void hills_blocks(const HillsFormula& formula, const PointTables& tables,
                  const BlockCoordinates& coordinates, const BlockPlace* places, std::size_t n,
                  BlockSamples* out) {
  HWY_DYNAMIC_DISPATCH(blocks)(formula, tables, coordinates, places, n, out);
}

}  // namespace talus
#endif
