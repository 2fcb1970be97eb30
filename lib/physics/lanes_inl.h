// Eight bodies or manifolds at a time as vectors, for the kernels of the solver. Included once for
// every instruction set.
#if defined(TALUS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_LANES_INL
#undef TALUS_LANES_INL
#else
#define TALUS_LANES_INL
#endif

#include <cstdint>

#include <hwy/highway.h>

#include "physics/soft_contacts.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, kLanes>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

struct V3 {
  V x, y, z;
};

HWY_INLINE V load(const float* lane) {
  return hn::Load(D(), lane);
}
HWY_INLINE V3 load(const Lane3& lanes, std::size_t l) {
  return {load(lanes[0] + l), load(lanes[1] + l), load(lanes[2] + l)};
}
HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE V3 sub(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE void add_scaled(V3& to, const V3& d, V by) {
  to.x = hn::Add(to.x, hn::Mul(d.x, by));
  to.y = hn::Add(to.y, hn::Mul(d.y, by));
  to.z = hn::Add(to.z, hn::Mul(d.z, by));
}
HWY_INLINE void sub_scaled(V3& to, const V3& d, V by) {
  to.x = hn::Sub(to.x, hn::Mul(d.x, by));
  to.y = hn::Sub(to.y, hn::Mul(d.y, by));
  to.z = hn::Sub(to.z, hn::Mul(d.z, by));
}

// ---- four floats of each body <-> a vector a coordinate

using D4 = hn::FixedTag<float, 4>;
using V4 = hn::Vec<D4>;

/// Transposes the 4 x 4 matrix with these rows.
HWY_INLINE void transpose(V4& r0, V4& r1, V4& r2, V4& r3) {
  const D4 d;
  const V4 a = hn::InterleaveLower(d, r0, r2), b = hn::InterleaveUpper(d, r0, r2);
  const V4 c = hn::InterleaveLower(d, r1, r3), e = hn::InterleaveUpper(d, r1, r3);
  r0 = hn::InterleaveLower(d, a, c);
  r1 = hn::InterleaveUpper(d, a, c);
  r2 = hn::InterleaveLower(d, b, e);
  r3 = hn::InterleaveUpper(d, b, e);
}

/// Offset of a member in SolverBody, in floats.
constexpr std::size_t kVelocity = 0, kSpin = 4, kShift = 8, kTurn = 12;
/// Offset of a row in SolverMass, in floats.
constexpr std::size_t kRowX = 0, kRowY = 4, kRowZ = 8;

struct V4x4 {
  V4 x, y, z, w;
};
struct V3w {
  V3 v;
  V w;
};

/// Four floats at `offset` of the entries of an array, a vector a coordinate.
template <class Entry>
HWY_INLINE V4x4 gather4(const Entry* entries, const std::uint32_t* index, std::size_t offset) {
  const D4 d;
  const auto row = [&](int i) HWY_ATTR {
    return hn::Load(d, reinterpret_cast<const float*>(entries + index[i]) + offset);
  };
  V4x4 m{row(0), row(1), row(2), row(3)};
  transpose(m.x, m.y, m.z, m.w);
  return m;
}

template <class Entry>
HWY_INLINE V3w gather_all(const Entry* entries, const std::uint32_t* index, std::size_t offset) {
  const V4x4 low = gather4(entries, index, offset);
#if HWY_TARGET == HWY_SSE4
  return {{low.x, low.y, low.z}, low.w};
#else
  const D d;
  const V4x4 high = gather4(entries, index + 4, offset);
  return {
      {hn::Combine(d, high.x, low.x), hn::Combine(d, high.y, low.y), hn::Combine(d, high.z, low.z)},
      hn::Combine(d, high.w, low.w)};
#endif
}
HWY_INLINE V3 gather(const SolverBody* bodies, const std::uint32_t* index, std::size_t member) {
  return gather_all(bodies, index, member).v;
}

HWY_INLINE void scatter4(SolverBody* bodies, const std::uint32_t* index, std::size_t member, V4 x,
                         V4 y, V4 z) {
  const D4 d;
  V4 w = hn::Zero(d);
  transpose(x, y, z, w);
  const auto row = [&](int i, V4 v) HWY_ATTR {
    // The fixed world is in many lanes, and stays as it is.
    if (index[i] != 0) hn::Store(v, d, reinterpret_cast<float*>(bodies + index[i]) + member);
  };
  row(0, x);
  row(1, y);
  row(2, z);
  row(3, w);
}

HWY_INLINE void scatter(SolverBody* bodies, const std::uint32_t* index, std::size_t member,
                        const V3& v) {
#if HWY_TARGET == HWY_SSE4
  scatter4(bodies, index, member, v.x, v.y, v.z);
#else
  const hn::Half<D> half;
  const D d;
  scatter4(bodies, index, member, hn::LowerHalf(half, v.x), hn::LowerHalf(half, v.y),
           hn::LowerHalf(half, v.z));
  scatter4(bodies, index + 4, member, hn::UpperHalf(half, v.x), hn::UpperHalf(half, v.y),
           hn::UpperHalf(half, v.z));
  (void)d;
#endif
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
