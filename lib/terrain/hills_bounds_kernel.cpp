#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_bounds_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<double, kGroup>;
using V = hn::Vec<D>;

struct Range {
  V lo, hi;
};

/// Of the eight corners of a vector of blocks, widened.
HWY_INLINE Range corner_range(const CornerNoises& c, int noise, std::size_t at, double margin) {
  const D d;
  const auto pair = [&](std::size_t from) HWY_ATTR {
    const V a = hn::LoadU(d, c.noise[noise] + at + from);
    const V b = hn::LoadU(d, c.noise[noise] + at + from + 1);
    return Range{hn::Min(a, b), hn::Max(a, b)};
  };
  const auto join = [](Range a, Range b) HWY_ATTR {
    return Range{hn::Min(a.lo, b.lo), hn::Max(a.hi, b.hi)};
  };
  const Range all =
      join(join(pair(0), pair(c.stride_y)), join(pair(c.stride_z), pair(c.stride_y + c.stride_z)));
  return {hn::Sub(all.lo, hn::Set(d, margin)), hn::Add(all.hi, hn::Set(d, margin))};
}

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

HWY_ATTR void block_kinds(const HillsValues& v, const BlockRanges& r, const CornerNoises& corners,
                          std::size_t n, BlockKind* out) {
  const D d;
  const NoiseMargins& margins = corners.margins;
  const V slack = hn::Set(d, kBoundSlack), zero = hn::Zero(d);
  HWY_ALIGN double kinds[kGroup];
  for (std::size_t i = 0; i < n; i += hn::Lanes(d)) {
    const auto load = [&](const double* values) HWY_ATTR { return hn::LoadU(d, values + i); };
    const Range o = corner_range(corners, 0, i, margins.overhang),
                factor = {load(r.overhang_lo), load(r.overhang_hi)};
    const V o_lo = hn::Mul(o.lo, hn::IfThenElse(hn::Lt(o.lo, zero), factor.hi, factor.lo));
    const V o_hi = hn::Mul(o.hi, hn::IfThenElse(hn::Gt(o.hi, zero), factor.hi, factor.lo));
    const Range ground = {hn::Sub(hn::Add(hn::Sub(load(r.height_lo), load(r.y_hi)), o_lo), slack),
                          hn::Add(hn::Add(hn::Sub(load(r.height_hi), load(r.y_lo)), o_hi), slack)};
    const Range a = magnitude(corner_range(corners, 1, i, margins.cave)),
                b = magnitude(corner_range(corners, 2, i, margins.cave));
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

HWY_EXPORT(block_kinds);

void hills_block_kinds(const HillsValues& values, const BlockRanges& ranges,
                       const CornerNoises& corners, std::size_t n, BlockKind* out) {
  HWY_DYNAMIC_DISPATCH(block_kinds)(values, ranges, corners, n, out);
}

}  // namespace talus
#endif
