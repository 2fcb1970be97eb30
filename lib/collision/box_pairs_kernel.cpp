#include "collision/box_pairs_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/box_pairs_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/box_axes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, BoxPairs::kLanes>;
using V = hn::Vec<D>;

HWY_INLINE void load(const BoxPairs::Lane (&lanes)[3], std::size_t l, V (&v)[3]) {
  for (int k = 0; k < 3; ++k) v[k] = hn::Load(D(), lanes[k] + l);
}
HWY_INLINE V dot(const V (&a)[3], const V (&b)[3]) {
  return sum(a[0], b[0], a[1], b[1], a[2], b[2]);
}

HWY_INLINE void measure(BoxPairs::Group& g, std::size_t l) {
  const D d;
  V axes_a[3][3], axes_b[3][3], b_from_a[3], half_a[3], half_b[3];
  load(g.b_from_a, l, b_from_a);
  load(g.half_a, l, half_a);
  load(g.half_b, l, half_b);
  for (int i = 0; i < 3; ++i) {
    load(g.axes_a[i], l, axes_a[i]);
    load(g.axes_b[i], l, axes_b[i]);
  }
  BoxAxes<D> axes;
  V way[3];
  for (int i = 0; i < 3; ++i) {
    way[i] = dot(b_from_a, axes_a[i]);
    for (int j = 0; j < 3; ++j) axes.rows[i][j] = dot(axes_a[i], axes_b[j]);
  }
  axes.take_abs();
  axes.measure_edges();
  V greatest = hn::Set(d, kNoGap);
  const auto keep = [&](V gap, float* lane) HWY_ATTR {
    hn::Store(gap, d, lane + l);
    greatest = hn::Max(greatest, gap);
  };
  for (int i = 0; i < 3; ++i) {
    keep(axes.face_of_a(i, way, half_a, half_b), g.along_a[i]);
    keep(axes.face_of_b(i, way, half_a, half_b), g.along_b[i]);
    for (int j = 0; j < 3; ++j) keep(axes.edges(i, j, way, half_a, half_b), g.along_edges[i][j]);
  }
  hn::Store(greatest, d, g.greatest + l);
}

HWY_ATTR void measure_all(std::span<BoxPairs::Group> groups) {
  for (BoxPairs::Group& g : groups) {
    for (std::size_t l = 0; l < BoxPairs::kLanes; l += hn::Lanes(D())) measure(g, l);
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(measure_all);
void measure_box_pairs(std::span<BoxPairs::Group> groups) {
  HWY_DYNAMIC_DISPATCH(measure_all)(groups);
}

}  // namespace talus
#endif
