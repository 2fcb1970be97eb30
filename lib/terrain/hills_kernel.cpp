#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "terrain/simplex_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

HWY_ATTR V fbm(const std::vector<GradientTable2>& octaves, V x, V z) {
  const D d;
  V sum = hn::Zero(d);
  double frequency = 1;
  for (const GradientTable2& table : octaves) {
    const V f = hn::Set(d, frequency);
    const V n = noise2(table, hn::Mul(x, f), hn::Mul(z, f));
    // Powers of two: multiplying by the inverse is dividing.
    sum = hn::Add(sum, hn::Mul(n, hn::Set(d, 1 / (2 * frequency))));
    frequency *= 2;
  }
  return sum;
}

HWY_ATTR void columns(const HillsFormula& formula, const ColumnTables& tables, const double* xs,
                      double z, std::size_t n, double* heights, double* overhangs) {
  const D d;
  const HillsValues& v = formula.values();
  const V zero = hn::Zero(d), one = hn::Set(d, 1);
  const V mountain_z = hn::Set(d, z / v.mountain_scale_m + v.mountain_offset_z);
  const V ridge_z = hn::Set(d, z / v.ridge_scale_m + v.ridge_offset_z);
  const V hill_z = hn::Set(d, z / v.hill_scale_m);
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const V x = hn::LoadU(d, xs + i);
    const V raw =
        noise2(tables.mountain,
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
          fbm(tables.ridges,
              hn::Add(hn::Div(x, hn::Set(d, v.ridge_scale_m)), hn::Set(d, v.ridge_offset_x)),
              ridge_z));
      const V r = hn::Sqrt(hn::Add(hn::Mul(f, f), hn::Set(d, v.ridge_rounding * v.ridge_rounding)));
      ridge = hn::Max(zero, hn::Sub(one, r));
    }
    const V hills = fbm(tables.hills, hn::Div(x, hn::Set(d, v.hill_scale_m)), hill_z);
    const V cubed = hn::Mul(hn::Mul(ridge, ridge), ridge);
    const V mountain = hn::Mul(hn::Mul(hn::Set(d, v.mountain_height_m), m), cubed);
    const V ground = hn::Add(hn::Set(d, v.base_m), hn::Mul(hn::Set(d, v.hill_height_m), hills));
    hn::StoreU(hn::Add(ground, mountain), d, heights + i);
    hn::StoreU(hn::Add(hn::Set(d, v.overhang_m), hn::Mul(hn::Set(d, v.overhang_mountain_m), m)), d,
               overhangs + i);
  }
}

HWY_ATTR void noises(const PointTables& tables, const NoisePoints& p, std::size_t n,
                     double* overhang, double* cave_a, double* cave_b) {
  const D d;
  const auto at = [&](const GradientTable3& table, const double* x, const double* y,
                      const double* z, std::size_t i) HWY_ATTR {
    return noise3(table, hn::LoadU(d, x + i), hn::LoadU(d, y + i), hn::LoadU(d, z + i));
  };
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    hn::StoreU(at(tables.overhang, p.ox, p.oy, p.oz, i), d, overhang + i);
    hn::StoreU(at(tables.cave_a, p.ax, p.ay, p.az, i), d, cave_a + i);
    hn::StoreU(at(tables.cave_b, p.bx, p.by, p.bz, i), d, cave_b + i);
  }
}

/// A vector of points, loaded.
struct Points {
  V ox, oy, oz, ax, ay, az, bx, by, bz, y, height, overhang;
};

HWY_INLINE V tunnel(const HillsValues& v, const PointTables& tables, const Points& p) {
  const D d;
  const V a = noise3(tables.cave_a, p.ax, p.ay, p.az);
  const V b = noise3(tables.cave_b, p.bx, p.by, p.bz);
  const V distance = hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b)));
  return hn::Mul(hn::Sub(distance, hn::Set(d, v.cave_radius)), hn::Set(d, v.cave_slope_m));
}

/// Below this d the roof term alone lifts the cave above d (with a little slack for rounding).
double open_air_below(const HillsValues& v) {
  return (v.cave_roof_slope * v.cave_roof_m - v.cave_radius * v.cave_slope_m) /
             (1 + v.cave_roof_slope) -
         1e-6;
}

HWY_INLINE V density(const HillsValues& v, const PointTables& tables, DensityParts parts,
                     double open_air, const Points& p) {
  const D d;
  if (parts == DensityParts::CaveOnly) return tunnel(v, tables, p);
  const V overhang = noise3(tables.overhang, p.ox, p.oy, p.oz);
  const V ground = hn::Add(hn::Sub(p.height, p.y), hn::Mul(overhang, p.overhang));
  if (parts == DensityParts::GroundOnly || hn::AllTrue(d, hn::Lt(ground, hn::Set(d, open_air)))) {
    return ground;
  }
  const V roof = hn::Max(hn::Zero(d), hn::Sub(hn::Set(d, v.cave_roof_m), ground));
  const V cave = hn::Add(tunnel(v, tables, p), hn::Mul(hn::Set(d, v.cave_roof_slope), roof));
  return hn::Min(ground, cave);
}

HWY_ATTR void point_densities(const HillsFormula& formula, const PointTables& tables,
                              DensityParts parts, const NoisePoints& p, const ColumnPoints& c,
                              std::size_t n, double* out) {
  const D d;
  const double open_air = open_air_below(formula.values());
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto load = [&](const double* values) HWY_ATTR { return hn::LoadU(d, values + i); };
    const Points points = {load(p.ox), load(p.oy), load(p.oz),     load(p.ax),
                           load(p.ay), load(p.az), load(p.bx),     load(p.by),
                           load(p.bz), load(c.y),  load(c.height), load(c.overhang)};
    hn::StoreU(density(formula.values(), tables, parts, open_air, points), d, out + i);
  }
}

HWY_ATTR void block(const HillsFormula& formula, const PointTables& tables, DensityParts parts,
                    const BlockPoints& p, double* out) {
  const D d;
  const double open_air = open_air_below(formula.values());
  for (std::size_t k = 0; k < kBlockSide; ++k) {
    const V oz = hn::Set(d, p.oz[k]), az = hn::Set(d, p.az[k]), bz = hn::Set(d, p.bz[k]);
    for (std::size_t i = 0; i < 16; i += hn::Lanes(d)) {
      const std::size_t x = i % 4, column = k * p.column_stride + x;
      const Points points = {hn::LoadU(d, p.ox + x),
                             hn::LoadU(d, p.oy + i),
                             oz,
                             hn::LoadU(d, p.ax + x),
                             hn::LoadU(d, p.ay + i),
                             az,
                             hn::LoadU(d, p.bx + x),
                             hn::LoadU(d, p.by + i),
                             bz,
                             hn::LoadU(d, p.y + i),
                             hn::LoadU(d, p.height + column),
                             hn::LoadU(d, p.overhang + column)};
      hn::StoreU(density(formula.values(), tables, parts, open_air, points), d, out + 16 * k + i);
    }
  }
}

// Intervals.

struct Range {
  V lo, hi;
};

/// How far from zero the numbers of a range are.
HWY_INLINE Range magnitude(Range r) {
  const V zero = hn::Zero(D());
  return {hn::Max(zero, hn::Max(r.lo, hn::Neg(r.hi))), hn::Max(hn::Neg(r.lo), r.hi)};
}

HWY_INLINE V cave_bound(const HillsValues& v, V a, V b, V ground) {
  const D d;
  const V distance = hn::Sqrt(hn::Add(hn::Mul(a, a), hn::Mul(b, b)));
  const V wall = hn::Mul(hn::Sub(distance, hn::Set(d, v.cave_radius)), hn::Set(d, v.cave_slope_m));
  const V roof = hn::Max(hn::Zero(d), hn::Sub(hn::Set(d, v.cave_roof_m), ground));
  return hn::Add(wall, hn::Mul(hn::Set(d, v.cave_roof_slope), roof));
}

HWY_ATTR void block_kinds(const HillsValues& v, const BlockRanges& r, const NoiseMargins& margins,
                          std::size_t n, BlockKind* out) {
  const D d;
  // Bounds are worked out in another order than densities; this is far more than rounding differs.
  const V slack = hn::Set(d, 1e-6), zero = hn::Zero(d);
  HWY_ALIGN double kinds[kGroup];
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto load = [&](const double* values) HWY_ATTR { return hn::LoadU(d, values + i); };
    const auto widened = [&](int noise, double margin) HWY_ATTR {
      return Range{hn::Sub(load(r.noise_lo[noise]), hn::Set(d, margin)),
                   hn::Add(load(r.noise_hi[noise]), hn::Set(d, margin))};
    };
    const Range o = widened(0, margins.overhang),
                factor = {load(r.overhang_lo), load(r.overhang_hi)};
    const V o_lo = hn::Mul(o.lo, hn::IfThenElse(hn::Lt(o.lo, zero), factor.hi, factor.lo));
    const V o_hi = hn::Mul(o.hi, hn::IfThenElse(hn::Gt(o.hi, zero), factor.hi, factor.lo));
    const Range ground = {hn::Sub(hn::Add(hn::Sub(load(r.height_lo), load(r.y_hi)), o_lo), slack),
                          hn::Add(hn::Add(hn::Sub(load(r.height_hi), load(r.y_lo)), o_hi), slack)};
    const Range a = magnitude(widened(1, margins.cave)), b = magnitude(widened(2, margins.cave));
    const V cave_lo = hn::Sub(cave_bound(v, a.lo, b.lo, ground.hi), slack);
    const V cave_hi = hn::Add(cave_bound(v, a.hi, b.hi, ground.lo), slack);
    const auto kind = [&](BlockKind k) HWY_ATTR { return hn::Set(d, static_cast<double>(k)); };
    // The last that applies stands.
    V result = kind(BlockKind::SampleBoth);
    result = hn::IfThenElse(
        hn::And(hn::Ge(ground.lo, hn::Set(d, v.cave_roof_m)), hn::Ge(ground.lo, cave_hi)),
        kind(BlockKind::SampleCave), result);
    result = hn::IfThenElse(hn::Ge(cave_lo, ground.hi), kind(BlockKind::SampleGround), result);
    result = hn::IfThenElse(hn::And(hn::Gt(ground.lo, zero), hn::Gt(cave_lo, zero)),
                            kind(BlockKind::Rock), result);
    result = hn::IfThenElse(hn::Or(hn::Lt(ground.hi, zero), hn::Lt(cave_hi, zero)),
                            kind(BlockKind::Air), result);
    hn::Store(result, d, kinds);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      out[i + lane] = static_cast<BlockKind>(static_cast<int>(kinds[lane]));
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
HWY_EXPORT(block);
HWY_EXPORT(block_kinds);

void hills_columns(const HillsFormula& formula, const ColumnTables& tables, const double* x,
                   double z, std::size_t n, double* height, double* overhang) {
  HWY_DYNAMIC_DISPATCH(columns)(formula, tables, x, z, n, height, overhang);
}

void hills_noises(const PointTables& tables, const NoisePoints& points, std::size_t n,
                  double* overhang, double* cave_a, double* cave_b) {
  HWY_DYNAMIC_DISPATCH(noises)(tables, points, n, overhang, cave_a, cave_b);
}

void hills_densities(const HillsFormula& formula, const PointTables& tables, DensityParts parts,
                     const NoisePoints& points, const ColumnPoints& columns, std::size_t n,
                     double* out) {
  HWY_DYNAMIC_DISPATCH(point_densities)(formula, tables, parts, points, columns, n, out);
}

void hills_block(const HillsFormula& formula, const PointTables& tables, DensityParts parts,
                 const BlockPoints& points, double* out) {
  HWY_DYNAMIC_DISPATCH(block)(formula, tables, parts, points, out);
}

void hills_block_kinds(const HillsValues& values, const BlockRanges& ranges,
                       const NoiseMargins& margins, std::size_t n, BlockKind* out) {
  HWY_DYNAMIC_DISPATCH(block_kinds)(values, ranges, margins, n, out);
}

}  // namespace talus
#endif
