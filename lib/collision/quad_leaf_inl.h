// What the kernels of both trees share: a ray against up to four quads at once (the watertight test
// of Woop, Benthin and Wald, 2013), and which of the hits in a tree's leaves count. Included once
// for every instruction set.
#if defined(TALUS_QUAD_LEAF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_QUAD_LEAF_INL
#undef TALUS_QUAD_LEAF_INL
#else
#define TALUS_QUAD_LEAF_INL
#endif

#include <cstdint>
#include <vector>

#include <hwy/highway.h>

#include "collision/ray.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;

/// One corner of four quads, in the ray's sheared space: the ray is the z axis.
struct Sheared {
  V4 x, y, z;
};

/// Four points (x, y, z, -) to columns, sheared.
template <int kZ>
HWY_INLINE HWY_ATTR Sheared sheared(V4 a, V4 b, V4 c, V4 d, V4 shear_x, V4 shear_y, V4 shear_z) {
  const D4 d4;
  const V4 ac_lo = hn::InterleaveLower(d4, a, c), bd_lo = hn::InterleaveLower(d4, b, d);
  const V4 ac_hi = hn::InterleaveUpper(d4, a, c), bd_hi = hn::InterleaveUpper(d4, b, d);
  const V4 axes[3] = {hn::InterleaveLower(d4, ac_lo, bd_lo), hn::InterleaveUpper(d4, ac_lo, bd_lo),
                      hn::InterleaveLower(d4, ac_hi, bd_hi)};
  const V4 x = axes[(kZ + 1) % 3], y = axes[(kZ + 2) % 3], z = axes[kZ];
  return {hn::Sub(x, hn::Mul(shear_x, z)), hn::Sub(y, hn::Mul(shear_y, z)), hn::Mul(shear_z, z)};
}

/// Twice the area that p, q and the ray span: exactly the negative of side(q, p).
HWY_INLINE HWY_ATTR V4 side(const Sheared& p, const Sheared& q) {
  return hn::Sub(hn::Mul(p.x, q.y), hn::Mul(p.y, q.x));
}

/// Which of four triangles are hit no farther than `farthest`; t where they are.
HWY_INLINE HWY_ATTR hn::Mask<D4> crossed(V4 u, V4 v, V4 w, V4 az, V4 bz, V4 cz, V4 farthest,
                                         V4& t) {
  const D4 d4;
  const V4 zero = hn::Zero(d4);
  const V4 det = hn::Add(hn::Add(u, v), w);
  const auto inside =
      hn::Or(hn::Ge(hn::Min(hn::Min(u, v), w), zero), hn::Le(hn::Max(hn::Max(u, v), w), zero));
  const V4 scaled = hn::Add(hn::Add(hn::Mul(u, az), hn::Mul(v, bz)), hn::Mul(w, cz));
  t = hn::Add(hn::Div(scaled, det), zero);
  return hn::And(hn::And(inside, hn::Ne(det, zero)), hn::And(hn::Ge(t, zero), hn::Le(t, farthest)));
}

/// Tests the quads first to first + count of a tree, count at most 4. `corner(quad, k)` loads
/// corner k of a quad, relative to the ray's origin. found(t, triangle) is called for every hit
/// with t at most `farthest`.
template <int kZ, class RayOf, class Corner, class Found>
HWY_INLINE HWY_ATTR void test_quads(const RayOf& ray, std::uint32_t first, std::uint32_t count,
                                    float farthest, const Corner& corner, const Found& found) {
  const D4 d4;
  const V4 sx = hn::Set(d4, ray.shear_x), sy = hn::Set(d4, ray.shear_y),
           sz = hn::Set(d4, ray.shear_z);
  std::uint32_t quad[4];
  for (std::uint32_t i = 0; i < 4; ++i) quad[i] = first + (i < count ? i : count - 1);
  Sheared p[4];
  for (std::uint32_t k = 0; k < 4; ++k) {
    p[k] = sheared<kZ>(corner(quad[0], k), corner(quad[1], k), corner(quad[2], k),
                       corner(quad[3], k), sx, sy, sz);
  }
  const V4 far = hn::Set(d4, farthest);
  const V4 ac = side(p[0], p[2]);
  V4 t[2];
  const auto one =
      crossed(side(p[1], p[2]), hn::Neg(ac), side(p[0], p[1]), p[0].z, p[1].z, p[2].z, far, t[0]);
  const auto two =
      crossed(side(p[2], p[3]), side(p[3], p[0]), ac, p[0].z, p[2].z, p[3].z, far, t[1]);
  if (hn::AllFalse(d4, hn::Or(one, two))) return;
  HWY_ALIGN float at[2][4];
  HWY_ALIGN float hit[2][4];
  for (int half = 0; half < 2; ++half) {
    hn::Store(t[half], d4, at[half]);
    hn::Store(hn::IfThenElseZero(half ? two : one, hn::Set(d4, 1.0f)), d4, hit[half]);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      if (hit[half][i] != 0) found(at[half][i], 2 * quad[i] + half);
    }
  }
}

/// The tests of a tree along one axis. `walk(farthest, leaf)` visits the leaves along the ray,
/// nearest first; leaf(first, count) returns how far to look on.
template <int kZ, class RayOf, class Corner, class Walk>
HWY_ATTR bool nearest_along(const RayOf& ray, const Corner& corner, const Walk& walk,
                            NearHit& best) {
  bool any = false;
  walk(best.t, [&](std::uint32_t first, std::uint32_t count) HWY_ATTR {
    test_quads<kZ>(ray, first, count, best.t, corner,
                   [&](float t, std::uint32_t triangle) HWY_ATTR {
                     if (t < best.t || (t == best.t && !any)) {
                       best = {t, triangle};
                       any = true;
                     }
                   });
    return best.t;
  });
  return any;
}

template <int kZ, class RayOf, class Corner, class Walk>
HWY_ATTR void all_along(const RayOf& ray, const Corner& corner, const Walk& walk,
                        std::vector<NearHit>& hits) {
  walk(ray.reach, [&](std::uint32_t first, std::uint32_t count) HWY_ATTR {
    test_quads<kZ>(ray, first, count, ray.reach, corner,
                   [&](float t, std::uint32_t triangle) HWY_ATTR {
                     hits.push_back({t, triangle});
                   });
    return ray.reach;
  });
}

/// Takes `best` to the nearest hit up to it; whether there is one.
template <class RayOf, class Corner, class Walk>
HWY_ATTR bool nearest_hit(const RayOf& ray, const Corner& corner, const Walk& walk, NearHit& best) {
  return ray.kz == 0   ? nearest_along<0>(ray, corner, walk, best)
         : ray.kz == 1 ? nearest_along<1>(ray, corner, walk, best)
                       : nearest_along<2>(ray, corner, walk, best);
}

/// Adds every hit within the ray's reach.
template <class RayOf, class Corner, class Walk>
HWY_ATTR void add_hits(const RayOf& ray, const Corner& corner, const Walk& walk,
                       std::vector<NearHit>& hits) {
  ray.kz == 0   ? all_along<0>(ray, corner, walk, hits)
  : ray.kz == 1 ? all_along<1>(ray, corner, walk, hits)
                : all_along<2>(ray, corner, walk, hits);
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
