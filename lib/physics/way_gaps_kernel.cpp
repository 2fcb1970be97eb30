#include <cmath>

#include "physics/way_gaps.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/way_gaps_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/box_axes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

using D = hn::CappedTag<float, kMoments>;
using V = hn::Vec<D>;

struct Rotation {
  V w, x, y, z;  // a unit quaternion
};

HWY_INLINE V all(float x) {
  return hn::Set(D(), x);
}
HWY_INLINE V twice(V x) {
  return hn::Add(x, x);
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
    return hn::Sub(difference(a.w, bi, b.w, ai), difference(aj, bk, ak, bj));
  };
  return {hn::Add(hn::Mul(a.w, b.w), sum(a.x, b.x, a.y, b.y, a.z, b.z)),
          part(a.x, b.x, a.y, b.z, a.z, b.y), part(a.y, b.y, a.z, b.x, a.x, b.z),
          part(a.z, b.z, a.x, b.y, a.y, b.x)};
}

/// A vector of the common frame in the axes that the rotation leads to.
HWY_INLINE void turn_back(const Rotation& r, V (&v)[3]) {
  // v + 2 w (v x u) + 2 (v x u) x u, with u the rotation's axis times the sine.
  const V x = twice(difference(v[1], r.z, v[2], r.y));
  const V y = twice(difference(v[2], r.x, v[0], r.z));
  const V z = twice(difference(v[0], r.y, v[1], r.x));
  v[0] = hn::Add(hn::Add(v[0], hn::Mul(r.w, x)), difference(y, r.z, z, r.y));
  v[1] = hn::Add(hn::Add(v[1], hn::Mul(r.w, y)), difference(z, r.x, x, r.z));
  v[2] = hn::Add(hn::Add(v[2], hn::Mul(r.w, z)), difference(x, r.y, y, r.x));
}

HWY_INLINE void set_rows(const Rotation& r, V (&rows)[3][3]) {
  const V one = all(1);
  const V xx = hn::Mul(r.x, r.x), yy = hn::Mul(r.y, r.y), zz = hn::Mul(r.z, r.z);
  const V xy = hn::Mul(r.x, r.y), xz = hn::Mul(r.x, r.z), yz = hn::Mul(r.y, r.z);
  const V wx = hn::Mul(r.w, r.x), wy = hn::Mul(r.w, r.y), wz = hn::Mul(r.w, r.z);
  rows[0][0] = hn::Sub(one, twice(hn::Add(yy, zz)));
  rows[1][1] = hn::Sub(one, twice(hn::Add(xx, zz)));
  rows[2][2] = hn::Sub(one, twice(hn::Add(xx, yy)));
  rows[0][1] = twice(hn::Sub(xy, wz));
  rows[1][0] = twice(hn::Add(xy, wz));
  rows[0][2] = twice(hn::Add(xz, wy));
  rows[2][0] = twice(hn::Sub(xz, wy));
  rows[1][2] = twice(hn::Sub(yz, wx));
  rows[2][1] = twice(hn::Add(yz, wx));
}

/// B as A sees it, at each of the moments.
struct View {
  BoxAxes<D> axes;
  V offset[3];  // of B's centre, in A's axes
};

HWY_INLINE void look(const BoxesUnderWay& a, const BoxesUnderWay& b, V moments, View& view) {
  const V ta = hn::Min(moments, all(a.end)), tb = hn::Min(moments, all(b.end));
  for (int k = 0; k < 3; ++k) {
    view.offset[k] = hn::Add(all(b.start[k] - a.start[k]),
                             hn::Sub(hn::Mul(all(b.shift[k]), tb), hn::Mul(all(a.shift[k]), ta)));
  }
  const Rotation from_a = rotation_at(a, ta);
  turn_back(from_a, view.offset);
  set_rows(relative(from_a, rotation_at(b, tb)), view.axes.rows);
  view.axes.take_abs();
}

HWY_INLINE V gap_between(View& view, const ColliderShape::Part& a, const ColliderShape::Part& b,
                         bool& edges_known) {
  const auto& axes = view.axes;
  V way[3], half_a[3], half_b[3];
  for (int i = 0; i < 3; ++i) {
    const V middle = sum(axes.rows[i][0], all(b.middle.x), axes.rows[i][1], all(b.middle.y),
                         axes.rows[i][2], all(b.middle.z));
    way[i] = hn::Add(hn::Sub(view.offset[i], all(a.middle[i])), middle);
    half_a[i] = all(a.half[i]);
    half_b[i] = all(b.half[i]);
  }
  V faces = all(kNoGap);
  for (int i = 0; i < 3; ++i) {
    faces = hn::Max(faces, axes.face_of_a(i, way, half_a, half_b));
    faces = hn::Max(faces, axes.face_of_b(i, way, half_a, half_b));
  }
  // Edges matter where faces do not tell the two apart. Each lane's own affair, so that the width
  // of vectors makes no difference.
  const D d;
  const auto overlap = hn::Lt(faces, hn::Zero(d));
  if (hn::AllFalse(d, overlap)) return faces;
  if (!edges_known) view.axes.measure_edges();
  edges_known = true;
  V most = faces;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) most = hn::Max(most, axes.edges(i, j, way, half_a, half_b));
  }
  return hn::IfThenElse(overlap, most, faces);
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
        least = hn::Min(least, gap_between(view, mine, other, edges_known));
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
