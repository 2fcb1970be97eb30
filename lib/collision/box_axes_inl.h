// What the kernels about boxes share: the gaps of two boxes along the fifteen separating axes of
// Gottschalk, Lin and Manocha ("OBBTree", 1996), a pair of boxes a lane. Included once for every
// instruction set.
#if defined(TALUS_BOX_AXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_BOX_AXES_INL
#undef TALUS_BOX_AXES_INL
#else
#define TALUS_BOX_AXES_INL
#endif

#include <hwy/highway.h>

#include "collision/box_contact.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr int next(int axis) {
  return axis == 2 ? 0 : axis + 1;
}
constexpr int after_next(int axis) {
  return axis == 0 ? 2 : axis - 1;
}

/// a0 * b0 + a1 * b1 + a2 * b2
template <class V>
HWY_INLINE V sum(V a0, V b0, V a1, V b1, V a2, V b2) {
  return hn::Add(hn::Add(hn::Mul(a0, b0), hn::Mul(a1, b1)), hn::Mul(a2, b2));
}
/// a0 * b1 - a1 * b0
template <class V>
HWY_INLINE V difference(V a0, V b1, V a1, V b0) {
  return hn::Sub(hn::Mul(a0, b1), hn::Mul(a1, b0));
}

template <class D>
struct BoxAxes {
  using V = hn::Vec<D>;
  using V3 = V[3];

  V rows[3][3], abs[3][3];  // [i][j]: axis i of A times axis j of B
  // Of the cross product of those two: one by its length, and 0; or, where they are nearly
  // parallel, 0 and what makes any gap along it count for nothing.
  V per_length[3][3], counts[3][3];

  HWY_INLINE void take_abs() {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) abs[i][j] = hn::Abs(rows[i][j]);
    }
  }
  HWY_INLINE void measure_edges() {
    const D d;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const V sine2 = hn::Sub(hn::Set(d, 1), hn::Mul(rows[i][j], rows[i][j]));
        const auto crossing = hn::Ge(sine2, hn::Set(d, kParallelSine2));
        const V length = hn::Sqrt(hn::IfThenElse(crossing, sine2, hn::Set(d, 1)));
        per_length[i][j] = hn::IfThenElseZero(crossing, hn::Div(hn::Set(d, 1), length));
        counts[i][j] = hn::IfThenElse(crossing, hn::Zero(d), hn::Set(d, kNoGap));
      }
    }
  }

  // `way`: from the middle of A's box to that of B's, in A's axes; halves of their sizes.
  HWY_INLINE V face_of_a(int i, const V3& way, const V3& half_a, const V3& half_b) const {
    const V reach =
        hn::Add(half_a[i], sum(abs[i][0], half_b[0], abs[i][1], half_b[1], abs[i][2], half_b[2]));
    return hn::Sub(hn::Abs(way[i]), reach);
  }
  HWY_INLINE V face_of_b(int j, const V3& way, const V3& half_a, const V3& half_b) const {
    const V reach =
        hn::Add(half_b[j], sum(abs[0][j], half_a[0], abs[1][j], half_a[1], abs[2][j], half_a[2]));
    const V along = sum(way[0], rows[0][j], way[1], rows[1][j], way[2], rows[2][j]);
    return hn::Sub(hn::Abs(along), reach);
  }
  /// After measure_edges().
  HWY_INLINE V edges(int i, int j, const V3& way, const V3& half_a, const V3& half_b) const {
    const int i1 = next(i), i2 = after_next(i), j1 = next(j), j2 = after_next(j);
    const V along = difference(way[i2], rows[i1][j], way[i1], rows[i2][j]);
    const V reach =
        hn::Add(hn::Add(hn::Mul(half_a[i1], abs[i2][j]), hn::Mul(half_a[i2], abs[i1][j])),
                hn::Add(hn::Mul(half_b[j1], abs[i][j2]), hn::Mul(half_b[j2], abs[i][j1])));
    return hn::Add(hn::Mul(hn::Sub(hn::Abs(along), reach), per_length[i][j]), counts[i][j]);
  }
};

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
