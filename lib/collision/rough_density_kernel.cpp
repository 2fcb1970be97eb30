#include <algorithm>
#include <cstdint>

#include "collision/rough_density.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/rough_density_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
using V = hn::Vec<D>;
using I = hn::RebindToSigned<D>;

HWY_INLINE HWY_ATTR V mix(V a, V b, V t) {
  return hn::Add(a, hn::Mul(hn::Sub(b, a), t));
}

/// A coordinate's cell (as a float) among `size` samples, and the part beyond its first sample.
struct Place {
  V cell, fraction;
};
HWY_INLINE HWY_ATTR Place place_of(V coordinate, int size) {
  const D d;
  const V last = hn::Set(d, static_cast<float>(size - 2));
  const V cell = hn::Min(hn::Max(hn::Floor(coordinate), hn::Zero(d)), last);
  return {cell, hn::Sub(coordinate, cell)};
}

HWY_INLINE HWY_ATTR V blend_at(const RoughSamples& samples, const Place& x, const Place& y,
                               const Place& z) {
  const D d;
  const I di;
  const int row = samples.size.x, slice = row * samples.size.y;
  const auto first = hn::Add(hn::ConvertTo(di, x.cell),
                             hn::Add(hn::Mul(hn::ConvertTo(di, y.cell), hn::Set(di, row)),
                                     hn::Mul(hn::ConvertTo(di, z.cell), hn::Set(di, slice))));
  // Both ends of an edge along x at once: they lie side by side.
  const hn::RebindToUnsigned<hn::Repartition<double, D>> pairs;
  const hn::Repartition<std::int64_t, D> wide;
  const auto at = hn::ShiftLeft<2>(first);  // in bytes
  const hn::Half<I> half;
  const auto low = hn::PromoteTo(wide, hn::LowerHalf(half, at));
  const auto high = hn::PromoteTo(wide, hn::UpperHalf(half, at));
  const auto edge = [&](int offset) HWY_ATTR {
    const auto* const from = reinterpret_cast<const std::uint64_t*>(samples.values + offset);
    const V a = hn::BitCast(d, hn::GatherOffset(pairs, from, low));
    const V b = hn::BitCast(d, hn::GatherOffset(pairs, from, high));
    return mix(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a), x.fraction);
  };
  return mix(mix(edge(0), edge(row), y.fraction), mix(edge(slice), edge(slice + row), y.fraction),
             z.fraction);
}

/// As many points as a vector has lanes.
HWY_INLINE HWY_ATTR V densities_of(const RoughSamples& samples, Vec3f origin, const glm::mat3& axes,
                                   const float* points) {
  const D d;
  V x, y, z;
  hn::LoadInterleaved3(d, points, x, y, z);
  const auto along = [&](int axis) HWY_ATTR {
    return hn::Add(
        hn::Add(hn::Set(d, origin[axis]), hn::Mul(x, hn::Set(d, axes[0][axis]))),
        hn::Add(hn::Mul(y, hn::Set(d, axes[1][axis])), hn::Mul(z, hn::Set(d, axes[2][axis]))));
  };
  return blend_at(samples, place_of(along(0), samples.size.x), place_of(along(1), samples.size.y),
                  place_of(along(2), samples.size.z));
}

HWY_ATTR void all_densities(const RoughSamples& samples, Vec3f origin, const glm::mat3& axes,
                            std::span<const Vec3f> points, std::span<float> densities) {
  const D d;
  const std::size_t lanes = hn::Lanes(d);
  const float* from = points.empty() ? nullptr : &points[0].x;
  std::size_t i = 0;
  for (; i + lanes <= points.size(); i += lanes) {
    hn::StoreU(densities_of(samples, origin, axes, from + 3 * i), d, densities.data() + i);
  }
  if (i == points.size()) return;
  HWY_ALIGN float rest[3 * 16] = {}, found[16];
  std::copy(from + 3 * i, from + 3 * points.size(), rest);
  hn::Store(densities_of(samples, origin, axes, rest), d, found);
  std::copy(found, found + (points.size() - i), densities.data() + i);
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(all_densities);
void rough_densities(const RoughSamples& samples, Vec3f origin, const glm::mat3& axes,
                     std::span<const Vec3f> points, std::span<float> densities) {
  HWY_DYNAMIC_DISPATCH(all_densities)(samples, origin, axes, points, densities);
}

}  // namespace talus
#endif
