#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "terrain/hills_density_inl.h"
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

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(columns);
HWY_EXPORT(noises);
HWY_EXPORT(point_densities);
HWY_EXPORT(row);

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

}  // namespace talus
#endif
