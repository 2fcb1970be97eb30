#include <algorithm>
#include <cmath>

#include "physics/way_gaps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/way_gaps_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kMoments>;
using V = hn::Vec<D>;

struct V3 {
  V v[3];
};
struct Rotation {
  V w, x, y, z;  // a unit quaternion
};

constexpr int next(int axis) {
  return axis == 2 ? 0 : axis + 1;
}
constexpr int after_next(int axis) {
  return axis == 0 ? 2 : axis - 1;
}

HWY_INLINE V all(float x) {
  return hn::Set(D(), x);
}
HWY_INLINE V twice(V x) {
  return hn::Add(x, x);
}
/// a0 * b0 + a1 * b1 + a2 * b2
HWY_INLINE V sum(V a0, V b0, V a1, V b1, V a2, V b2) {
  return hn::Add(hn::Add(hn::Mul(a0, b0), hn::Mul(a1, b1)), hn::Mul(a2, b2));
}
HWY_INLINE V cross_part(V a0, V b1, V a1, V b0) {
  return hn::Sub(hn::Mul(a0, b1), hn::Mul(a1, b0));
}

HWY_INLINE Rotation rotation_at(const BoxesUnderWay& body, V t) {
  const V share = hn::Mul(hn::Sub(t, all(body.from_t)), all(1 / (body.to_t - body.from_t)));
  const auto mix = [&](float from, float to)
                       HWY_ATTR { return hn::Add(all(from), hn::Mul(all(to - from), share)); };
  const V w = mix(body.from.w, body.to.w), x = mix(body.from.x, body.to.x),
          y = mix(body.from.y, body.to.y), z = mix(body.from.z, body.to.z);
  const V length2 = hn::Add(sum(x, x, y, y, z, z), hn::Mul(w, w));
  const V scale = hn::Div(all(1), hn::Sqrt(length2));
  return {hn::Mul(w, scale), hn::Mul(x, scale), hn::Mul(y, scale), hn::Mul(z, scale)};
}

/// From B's axes to A's: the conjugate of A's rotation, times B's.
HWY_INLINE Rotation relative(const Rotation& a, const Rotation& b) {
  const auto part = [&](V ai, V bi, V aj, V bk, V ak, V bj) HWY_ATTR {
    return hn::Sub(cross_part(a.w, bi, b.w, ai), cross_part(aj, bk, ak, bj));
  };
  return {hn::Add(hn::Mul(a.w, b.w), sum(a.x, b.x, a.y, b.y, a.z, b.z)),
          part(a.x, b.x, a.y, b.z, a.z, b.y), part(a.y, b.y, a.z, b.x, a.x, b.z),
          part(a.z, b.z, a.x, b.y, a.y, b.x)};
}

/// A vector of the common frame in the axes that the rotation leads to.
HWY_INLINE V3 in_axes_of(const Rotation& r, const V3& v) {
  // v + 2 w (v x u) + 2 (v x u) x u, with u the rotation's axis times the sine.
  const V cx = twice(cross_part(v.v[1], r.z, v.v[2], r.y));
  const V cy = twice(cross_part(v.v[2], r.x, v.v[0], r.z));
  const V cz = twice(cross_part(v.v[0], r.y, v.v[1], r.x));
  return {{hn::Add(hn::Add(v.v[0], hn::Mul(r.w, cx)), cross_part(cy, r.z, cz, r.y)),
           hn::Add(hn::Add(v.v[1], hn::Mul(r.w, cy)), cross_part(cz, r.x, cx, r.z)),
           hn::Add(hn::Add(v.v[2], hn::Mul(r.w, cz)), cross_part(cx, r.y, cy, r.x))}};
}

/// B as A sees it.
struct View {
  V3 offset;                // of B's centre
  V rows[3][3], abs[3][3];  // [i][j]: axis i of A times axis j of B
  // Of the cross product of those two: one by its length, and 0; or, where they are nearly
  // parallel, 0 and what makes any gap along it count for nothing.
  V per_length[3][3], counts[3][3];
};

HWY_INLINE void look(const BoxesUnderWay& a, const BoxesUnderWay& b, V moments, View& view) {
  const V ta = hn::Min(moments, all(a.end)), tb = hn::Min(moments, all(b.end));
  const Rotation from_a = rotation_at(a, ta);
  V3 offset;
  for (int k = 0; k < 3; ++k) {
    offset.v[k] = hn::Add(all(b.start[k] - a.start[k]),
                          hn::Sub(hn::Mul(all(b.shift[k]), tb), hn::Mul(all(a.shift[k]), ta)));
  }
  view.offset = in_axes_of(from_a, offset);
  const Rotation r = relative(from_a, rotation_at(b, tb));
  const V xx = hn::Mul(r.x, r.x), yy = hn::Mul(r.y, r.y), zz = hn::Mul(r.z, r.z);
  const V xy = hn::Mul(r.x, r.y), xz = hn::Mul(r.x, r.z), yz = hn::Mul(r.y, r.z);
  const V wx = hn::Mul(r.w, r.x), wy = hn::Mul(r.w, r.y), wz = hn::Mul(r.w, r.z);
  view.rows[0][0] = hn::Sub(all(1), twice(hn::Add(yy, zz)));
  view.rows[1][1] = hn::Sub(all(1), twice(hn::Add(xx, zz)));
  view.rows[2][2] = hn::Sub(all(1), twice(hn::Add(xx, yy)));
  view.rows[0][1] = twice(hn::Sub(xy, wz));
  view.rows[1][0] = twice(hn::Add(xy, wz));
  view.rows[0][2] = twice(hn::Add(xz, wy));
  view.rows[2][0] = twice(hn::Sub(xz, wy));
  view.rows[1][2] = twice(hn::Sub(yz, wx));
  view.rows[2][1] = twice(hn::Add(yz, wx));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) view.abs[i][j] = hn::Abs(view.rows[i][j]);
  }
}

/// Only where faces do not tell all boxes apart.
HWY_INLINE void look_along_edges(View& view) {
  constexpr float kNothing = -1e6F;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const V sine2 = hn::Sub(all(1), hn::Mul(view.rows[i][j], view.rows[i][j]));
      const auto crossing = hn::Ge(sine2, all(kParallelSine2));
      const V length = hn::Sqrt(hn::IfThenElse(crossing, sine2, all(1)));
      view.per_length[i][j] = hn::IfThenElseZero(crossing, hn::Div(all(1), length));
      view.counts[i][j] = hn::IfThenElse(crossing, hn::Zero(D()), all(kNothing));
    }
  }
}

/// The middle of a box of B from that of one of A, in A's axes.
HWY_INLINE V3 between(const View& view, Vec3f a, Vec3f b) {
  V3 way;
  for (int i = 0; i < 3; ++i) {
    const V turned =
        sum(view.rows[i][0], all(b.x), view.rows[i][1], all(b.y), view.rows[i][2], all(b.z));
    way.v[i] = hn::Add(hn::Sub(view.offset.v[i], all(a[i])), turned);
  }
  return way;
}

HWY_INLINE V gap_along_faces(const View& view, const V3& way, Vec3f half_a, Vec3f half_b) {
  V most = all(-HUGE_VALF);
  for (int i = 0; i < 3; ++i) {
    const V reach = hn::Add(all(half_a[i]), sum(view.abs[i][0], all(half_b.x), view.abs[i][1],
                                                all(half_b.y), view.abs[i][2], all(half_b.z)));
    most = hn::Max(most, hn::Sub(hn::Abs(way.v[i]), reach));
  }
  for (int j = 0; j < 3; ++j) {
    const V reach = hn::Add(all(half_b[j]), sum(view.abs[0][j], all(half_a.x), view.abs[1][j],
                                                all(half_a.y), view.abs[2][j], all(half_a.z)));
    const V along =
        sum(way.v[0], view.rows[0][j], way.v[1], view.rows[1][j], way.v[2], view.rows[2][j]);
    most = hn::Max(most, hn::Sub(hn::Abs(along), reach));
  }
  return most;
}

HWY_INLINE V gap_along_edges(const View& view, const V3& way, Vec3f half_a, Vec3f half_b) {
  V most = all(-HUGE_VALF);
  for (int i = 0; i < 3; ++i) {
    const int i1 = next(i), i2 = after_next(i);
    for (int j = 0; j < 3; ++j) {
      const int j1 = next(j), j2 = after_next(j);
      const V along = cross_part(way.v[i2], view.rows[i1][j], way.v[i1], view.rows[i2][j]);
      const V reach = hn::Add(hn::Add(hn::Mul(all(half_a[i1]), view.abs[i2][j]),
                                      hn::Mul(all(half_a[i2]), view.abs[i1][j])),
                              hn::Add(hn::Mul(all(half_b[j1]), view.abs[i][j2]),
                                      hn::Mul(all(half_b[j2]), view.abs[i][j1])));
      const V gap = hn::Mul(hn::Sub(hn::Abs(along), reach), view.per_length[i][j]);
      most = hn::Max(most, hn::Add(gap, view.counts[i][j]));
    }
  }
  return most;
}

HWY_ATTR void least_gaps(const BoxesUnderWay& a, const BoxesUnderWay& b, const Moments& moments,
                         Moments& gaps) {
  const D d;
  for (std::size_t l = 0; l < kMoments; l += hn::Lanes(d)) {
    View view;
    look(a, b, hn::LoadU(d, moments.data() + l), view);
    bool edges_known = false;
    V least = all(HUGE_VALF);
    for (const auto& other : b.boxes) {
      for (const auto& mine : a.boxes) {
        const V3 way = between(view, mine.middle, other.middle);
        V gap = gap_along_faces(view, way, mine.half, other.half);
        // Each lane's own affair, so that the width of vectors makes no difference.
        const auto overlap = hn::Lt(gap, hn::Zero(d));
        if (!hn::AllFalse(d, overlap)) {
          if (!edges_known) look_along_edges(view);
          edges_known = true;
          const V edges = gap_along_edges(view, way, mine.half, other.half);
          gap = hn::IfThenElse(overlap, hn::Max(gap, edges), gap);
        }
        least = hn::Min(least, gap);
      }
    }
    hn::StoreU(least, d, gaps.data() + l);
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(least_gaps);
Moments gaps_under_way(const BoxesUnderWay& a, const BoxesUnderWay& b, const Moments& moments) {
  Moments gaps;
  HWY_DYNAMIC_DISPATCH(least_gaps)(a, b, moments, gaps);
  return gaps;
}

}  // namespace talus
#endif
