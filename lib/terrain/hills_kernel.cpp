#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kGroup>;
using DU = hn::RebindToUnsigned<D>;
using DB = hn::Repartition<std::uint8_t, D>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;
using M = hn::Mask<D>;

// Gradient bytes travel four (2D: three) to a 64-bit lane, one for each corner of the simplex.

/// The bytes of a table at four indices a lane (bytes 0 to 3 of each lane, below 64).
HWY_INLINE VU look_up(const std::uint8_t* table, VU indices) {
  const DB d;
  const auto index = hn::BitCast(d, indices);
  const auto nibble = hn::And(index, hn::Set(d, 0x0F));
  const auto part = [&](int i) HWY_ATTR {
    return hn::TableLookupBytes(hn::LoadDup128(d, table + 16 * i), nibble);
  };
  const auto odd = hn::Ne(hn::And(index, hn::Set(d, 0x10)), hn::Zero(d));
  const auto upper = hn::Ne(hn::And(index, hn::Set(d, 0x20)), hn::Zero(d));
  return hn::BitCast(DU(), hn::IfThenElse(upper, hn::IfThenElse(odd, part(3), part(2)),
                                          hn::IfThenElse(odd, part(1), part(0))));
}

/// A whole number below 64, repeated in the lane's four low bytes. The sum with 2^52 leaves it in
/// the low bits of the mantissa.
HWY_ATTR VU repeat_in_bytes(V index) {
  const D d;
  const V bits = hn::Add(hn::Mul(index, hn::Set(d, 0x01010101)), hn::Set(d, 0x1p52));
  return hn::And(hn::BitCast(DU(), bits), hn::Set(DU(), 0xFFFFFFFFu));
}

HWY_ATTR VU where(M mask, std::uint64_t bits) {
  return hn::And(hn::BitCast(DU(), hn::VecFromMask(D(), mask)), hn::Set(DU(), bits));
}

HWY_ATTR V fourth_power_above_zero(V t) {
  t = hn::Max(hn::Zero(D()), t);
  t = hn::Mul(t, t);
  return hn::Mul(t, t);
}

/// The sign bit of `flags` (a gradient byte shifted to the top of the lane) applied to a value.
HWY_ATTR V with_sign(V value, VU flags) {
  const auto sign = hn::And(flags, hn::Set(DU(), 1ull << 63));
  return hn::Xor(value, hn::BitCast(D(), sign));
}
/// The other value where the top bit of the flags is set.
HWY_ATTR V choose(VU flags, V when_set, V otherwise) {
  return hn::IfNegativeThenElse(hn::BitCast(D(), flags), when_set, otherwise);
}

template <int kCorner>
HWY_INLINE V corner3(VU gradients, V x, V y, V z) {
  const D d;
  V t = hn::Sub(hn::Set(d, 0.6), hn::Mul(x, x));
  t = fourth_power_above_zero(hn::Sub(hn::Sub(t, hn::Mul(y, y)), hn::Mul(z, z)));
  const VU flags = hn::ShiftLeft<56 - 8 * kCorner>(gradients);
  const V u = with_sign(choose(hn::ShiftLeft<2>(flags), y, x), flags);
  const V v = with_sign(choose(hn::ShiftLeft<3>(flags), z, y), hn::ShiftLeft<1>(flags));
  return hn::Mul(t, hn::Add(u, v));
}

template <int kCorner>
HWY_INLINE V corner2(VU gradients, V x, V y) {
  const D d;
  const V zero = hn::Zero(d);
  const V t =
      fourth_power_above_zero(hn::Sub(hn::Sub(hn::Set(d, 0.5), hn::Mul(x, x)), hn::Mul(y, y)));
  const VU flags = hn::ShiftLeft<56 - 8 * kCorner>(gradients);
  const V u = with_sign(choose(hn::ShiftLeft<2>(flags), zero, x), flags);
  const V v = with_sign(choose(hn::ShiftLeft<3>(flags), zero, y), hn::ShiftLeft<1>(flags));
  return hn::Mul(t, hn::Add(u, v));
}

/// For tables that do not fit: every lane hashes its own corners. `steps` has, in bytes 1 and 2,
/// the way to the middle corners as index differences of the table (1, 4, 16).
HWY_NOINLINE HWY_ATTR VU hash3(const Simplex3& noise, V i, V j, V k, VU steps) {
  const D d;
  HWY_ALIGN double pi[kGroup], pj[kGroup], pk[kGroup];
  HWY_ALIGN std::uint64_t packed[kGroup];
  hn::Store(i, d, pi);
  hn::Store(j, d, pj);
  hn::Store(k, d, pk);
  hn::Store(steps, DU(), packed);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    std::uint64_t gradients = 0;
    for (int corner = 0; corner < 4; ++corner) {
      const auto step = static_cast<std::int64_t>(packed[lane] >> (8 * corner) & 0xFF);
      const std::uint64_t g = noise.gradient(static_cast<std::int64_t>(pi[lane]) + (step & 1),
                                             static_cast<std::int64_t>(pj[lane]) + (step >> 2 & 1),
                                             static_cast<std::int64_t>(pk[lane]) + (step >> 4 & 1));
      gradients |= g << (8 * corner);
    }
    packed[lane] = gradients;
  }
  return hn::Load(DU(), packed);
}

HWY_NOINLINE HWY_ATTR VU hash2(const Simplex2& noise, V i, V j, VU steps) {
  const D d;
  HWY_ALIGN double pi[kGroup], pj[kGroup];
  HWY_ALIGN std::uint64_t packed[kGroup];
  hn::Store(i, d, pi);
  hn::Store(j, d, pj);
  hn::Store(steps, DU(), packed);
  for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
    std::uint64_t gradients = 0;
    for (int corner = 0; corner < 3; ++corner) {
      const auto step = static_cast<std::int64_t>(packed[lane] >> (8 * corner) & 0xFF);
      const std::uint64_t g = noise.gradient(static_cast<std::int64_t>(pi[lane]) + (step & 1),
                                             static_cast<std::int64_t>(pj[lane]) + (step >> 3 & 1));
      gradients |= g << (8 * corner);
    }
    packed[lane] = gradients;
  }
  return hn::Load(DU(), packed);
}

HWY_INLINE V noise2(const GradientTable2& table, V x, V y) {
  const D d;
  const V s = hn::Mul(hn::Add(x, y), hn::Set(d, kSkew2));
  const V i = hn::Floor(hn::Add(x, s)), j = hn::Floor(hn::Add(y, s));
  const V t = hn::Mul(hn::Add(i, j), hn::Set(d, kUnskew2));
  const V x0 = hn::Sub(x, hn::Sub(i, t)), y0 = hn::Sub(y, hn::Sub(j, t));
  const M right = hn::Gt(x0, y0);
  const VU steps =
      hn::Add(hn::Set(DU(), 9u << 16), hn::Sub(hn::Set(DU(), 8u << 8), where(right, 7u << 8)));
  VU gradients;
  if (table.fits) {
    const V index = hn::Add(hn::Sub(i, hn::Set(d, table.i0)),
                            hn::Mul(hn::Sub(j, hn::Set(d, table.j0)), hn::Set(d, 8)));
    gradients = look_up(table.gradients, hn::Add(repeat_in_bytes(index), steps));
  } else {
    gradients = hash2(*table.noise, i, j, steps);
  }
  const V stay = hn::Set(d, kUnskew2), move = hn::Set(d, kUnskew2 - 1),
          both = hn::Set(d, 2 * kUnskew2 - 1);
  const V n0 = corner2<0>(gradients, x0, y0);
  const V n1 = corner2<1>(gradients, hn::Add(x0, hn::IfThenElse(right, move, stay)),
                          hn::Add(y0, hn::IfThenElse(right, stay, move)));
  const V n2 = corner2<2>(gradients, hn::Add(x0, both), hn::Add(y0, both));
  return hn::Mul(hn::Set(d, 70), hn::Add(hn::Add(n0, n1), n2));
}

HWY_INLINE V noise3(const GradientTable3& table, V x, V y, V z) {
  const D d;
  const V s = hn::Mul(hn::Add(hn::Add(x, y), z), hn::Set(d, kSkew3));
  const V i = hn::Floor(hn::Add(x, s)), j = hn::Floor(hn::Add(y, s)), k = hn::Floor(hn::Add(z, s));
  const V t = hn::Mul(hn::Add(hn::Add(i, j), k), hn::Set(d, kUnskew3));
  const V x0 = hn::Sub(x, hn::Sub(i, t)), y0 = hn::Sub(y, hn::Sub(j, t)),
          z0 = hn::Sub(z, hn::Sub(k, t));
  const M a = hn::Ge(x0, y0), b = hn::Ge(y0, z0), c = hn::Ge(x0, z0);
  const M i1 = hn::And(a, c), j1 = hn::AndNot(a, b), k1 = hn::Not(hn::Or(b, c));
  const M i2 = hn::Or(a, c), j2 = hn::Or(hn::Not(a), b), k2 = hn::Not(hn::And(b, c));
  const VU first = hn::Or(hn::Or(where(i1, 1u << 8), where(j1, 4u << 8)), where(k1, 16u << 8));
  const VU second = hn::Or(hn::Or(where(i2, 1u << 16), where(j2, 4u << 16)), where(k2, 16u << 16));
  const VU steps = hn::Or(hn::Or(first, second), hn::Set(DU(), 21u << 24));
  VU gradients;
  if (table.fits) {
    const V row = hn::Add(hn::Sub(j, hn::Set(d, table.j0)),
                          hn::Mul(hn::Sub(k, hn::Set(d, table.k0)), hn::Set(d, 4)));
    const V index = hn::Add(hn::Sub(i, hn::Set(d, table.i0)), hn::Mul(row, hn::Set(d, 4)));
    gradients = look_up(table.gradients, hn::Add(repeat_in_bytes(index), steps));
  } else {
    gradients = hash3(*table.noise, i, j, k, steps);
  }
  const V stay = hn::Set(d, kUnskew3), move = hn::Set(d, kUnskew3 - 1);
  const V stay2 = hn::Set(d, 2 * kUnskew3), move2 = hn::Set(d, 2 * kUnskew3 - 1);
  const V last = hn::Set(d, 3 * kUnskew3 - 1);
  const V n0 = corner3<0>(gradients, x0, y0, z0);
  const V n1 = corner3<1>(gradients, hn::Add(x0, hn::IfThenElse(i1, move, stay)),
                          hn::Add(y0, hn::IfThenElse(j1, move, stay)),
                          hn::Add(z0, hn::IfThenElse(k1, move, stay)));
  const V n2 = corner3<2>(gradients, hn::Add(x0, hn::IfThenElse(i2, move2, stay2)),
                          hn::Add(y0, hn::IfThenElse(j2, move2, stay2)),
                          hn::Add(z0, hn::IfThenElse(k2, move2, stay2)));
  const V n3 = corner3<3>(gradients, hn::Add(x0, last), hn::Add(y0, last), hn::Add(z0, last));
  return hn::Mul(hn::Set(d, 32), hn::Add(hn::Add(hn::Add(n0, n1), n2), n3));
}

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
