// As many bodies or manifolds at a time as vectors hold, for the kernels of the solver. Included
// once for every instruction set.
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

/// Transposes the 4 x 4 matrix with these rows; longer vectors hold one in every four lanes.
template <class Tag, class Row = hn::Vec<Tag>>
HWY_INLINE void transpose(Tag d, Row& r0, Row& r1, Row& r2, Row& r3) {
  const Row a = hn::InterleaveLower(d, r0, r2), b = hn::InterleaveUpper(d, r0, r2);
  const Row c = hn::InterleaveLower(d, r1, r3), e = hn::InterleaveUpper(d, r1, r3);
  r0 = hn::InterleaveLower(d, a, c);
  r1 = hn::InterleaveUpper(d, a, c);
  r2 = hn::InterleaveLower(d, b, e);
  r3 = hn::InterleaveUpper(d, b, e);
}

/// Offset in SolverBody, in floats, of velocity and spin, and of shift and turn.
constexpr std::size_t kVelocities = 0, kWays = 8;
/// Offset of a row in SolverMass, in floats.
constexpr std::size_t kRowX = 0, kRowY = 4, kRowZ = 8;

template <class Tag>
struct Columns {
  hn::Vec<Tag> x, y, z, w;
};
/// A vector's worth of floats at `offset` of four entries of an array, transposed.
template <class Tag, class Entry>
HWY_INLINE Columns<Tag> gather_four(Tag d, const Entry* entries, const std::uint32_t* index,
                                    std::size_t offset) {
  const auto row = [&](int i) HWY_ATTR {
    return hn::Load(d, reinterpret_cast<const float*>(entries + index[i]) + offset);
  };
  Columns<Tag> m{row(0), row(1), row(2), row(3)};
  transpose(d, m.x, m.y, m.z, m.w);
  return m;
}
/// Four floats at `offset` of as many entries as a vector has lanes.
template <class Tag, class Entry>
HWY_INLINE Columns<Tag> gather(Tag d, const Entry* entries, const std::uint32_t* index,
                               std::size_t offset) {
  if constexpr (hn::MaxLanes(d) == 4) {
    return gather_four(d, entries, index, offset);
  } else {
    const hn::Half<Tag> half;
    const auto low = gather(half, entries, index, offset);
    const auto high = gather(half, entries, index + hn::MaxLanes(half), offset);
    return {hn::Combine(d, high.x, low.x), hn::Combine(d, high.y, low.y),
            hn::Combine(d, high.z, low.z), hn::Combine(d, high.w, low.w)};
  }
}

/// Two members of bodies that follow one another: x, y, z of the first, and of the second.
template <class Tag>
struct Six {
  hn::Vec<Tag> v[6];
};
template <class Tag>
HWY_INLINE Six<Tag> gather_six(Tag d, const SolverBody* bodies, const std::uint32_t* index,
                               std::size_t offset) {
  if constexpr (hn::MaxLanes(d) == 4) {
    const auto first = gather(d, bodies, index, offset);
    const auto second = gather(d, bodies, index, offset + 4);
    return {{first.x, first.y, first.z, second.x, second.y, second.z}};
  } else if constexpr (hn::MaxLanes(d) == 8) {
    // Both members at once: a vector has the first of four bodies, then the second of them.
    const auto low = gather_four(d, bodies, index, offset);
    const auto high = gather_four(d, bodies, index + 4, offset);
    return {{hn::ConcatLowerLower(d, high.x, low.x), hn::ConcatLowerLower(d, high.y, low.y),
             hn::ConcatLowerLower(d, high.z, low.z), hn::ConcatUpperUpper(d, high.x, low.x),
             hn::ConcatUpperUpper(d, high.y, low.y), hn::ConcatUpperUpper(d, high.z, low.z)}};
  } else {
    const hn::Half<Tag> half;
    const auto low = gather_six(half, bodies, index, offset);
    const auto high = gather_six(half, bodies, index + hn::MaxLanes(half), offset);
    Six<Tag> all;
    for (int k = 0; k < 6; ++k) all.v[k] = hn::Combine(d, high.v[k], low.v[k]);
    return all;
  }
}

/// The opposite of gather_four(). The fixed world is in many lanes, and stays as it is.
template <class Tag, class Row = hn::Vec<Tag>>
HWY_INLINE void scatter_four(Tag d, SolverBody* bodies, const std::uint32_t* index,
                             std::size_t offset, Row x, Row y, Row z) {
  Row w = hn::Zero(d);
  transpose(d, x, y, z, w);
  const auto row = [&](int i, Row v) HWY_ATTR {
    if (index[i] != 0) hn::Store(v, d, reinterpret_cast<float*>(bodies + index[i]) + offset);
  };
  row(0, x);
  row(1, y);
  row(2, z);
  row(3, w);
}
template <class Tag>
HWY_INLINE void scatter_six(Tag d, SolverBody* bodies, const std::uint32_t* index,
                            std::size_t offset, const Six<Tag>& six) {
  const auto& v = six.v;
  if constexpr (hn::MaxLanes(d) == 4) {
    scatter_four(d, bodies, index, offset, v[0], v[1], v[2]);
    scatter_four(d, bodies, index, offset + 4, v[3], v[4], v[5]);
  } else if constexpr (hn::MaxLanes(d) == 8) {
    scatter_four(d, bodies, index, offset, hn::ConcatLowerLower(d, v[3], v[0]),
                 hn::ConcatLowerLower(d, v[4], v[1]), hn::ConcatLowerLower(d, v[5], v[2]));
    scatter_four(d, bodies, index + 4, offset, hn::ConcatUpperUpper(d, v[3], v[0]),
                 hn::ConcatUpperUpper(d, v[4], v[1]), hn::ConcatUpperUpper(d, v[5], v[2]));
  } else {
    const hn::Half<Tag> half;
    Six<hn::Half<Tag>> low, high;
    for (int k = 0; k < 6; ++k) {
      low.v[k] = hn::LowerHalf(half, v[k]);
      high.v[k] = hn::UpperHalf(half, v[k]);
    }
    scatter_six(half, bodies, index, offset, low);
    scatter_six(half, bodies, index + hn::MaxLanes(half), offset, high);
  }
}

struct Two {
  V3 first, second;
};
HWY_INLINE Two gather_two(const SolverBody* bodies, const std::uint32_t* index,
                          std::size_t offset) {
  const auto [v] = gather_six(D(), bodies, index, offset);
  return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}
HWY_INLINE void scatter_two(SolverBody* bodies, const std::uint32_t* index, std::size_t offset,
                            const V3& first, const V3& second) {
  scatter_six(D(), bodies, index, offset,
              {{first.x, first.y, first.z, second.x, second.y, second.z}});
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
