// Simplex noise on vectors of points, for kernels: included once for each instruction set, after
// hwy/highway.h. The same bits as Simplex2 and Simplex3 of noise.h.

// Highway compiles a kernel file again and again; the guard follows its toggle.
#if defined(TALUS_TERRAIN_SIMPLEX_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TALUS_TERRAIN_SIMPLEX_INL_H_
#undef TALUS_TERRAIN_SIMPLEX_INL_H_
#else
#define TALUS_TERRAIN_SIMPLEX_INL_H_
#endif

#include <hwy/highway.h>

#include "terrain/gradient_table.h"
#include "terrain/hills_kernel.h"

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

/// The bytes of a table at four indices a lane (bytes 0 to 3 of each lane, below 64). The other
/// bytes of the result mean nothing.
HWY_INLINE VU look_up(const std::uint8_t* table, VU indices) {
  const DB d;
  const auto index = hn::BitCast(d, indices);
#if HWY_TARGET <= HWY_AVX3_DL
  // One shuffle over all 64 bytes, which Highway has no name for.
  return hn::BitCast(DU(), hn::Vec<DB>{_mm512_permutexvar_epi8(index.raw, hn::Load(d, table).raw)});
#else
#if HWY_ARCH_X86
  const auto nibble = index;  // byte shuffles look at four bits
#else
  const auto nibble = hn::And(index, hn::Set(d, 0x0F));
#endif
  const auto part = [&](int i) HWY_ATTR {
    return hn::TableLookupBytes(hn::LoadDup128(d, table + 16 * i), nibble);
  };
  const auto odd = hn::TestBit(index, hn::Set(d, 0x10));
  const auto upper = hn::TestBit(index, hn::Set(d, 0x20));
  return hn::BitCast(DU(), hn::IfThenElse(upper, hn::IfThenElse(odd, part(3), part(2)),
                                          hn::IfThenElse(odd, part(1), part(0))));
#endif
}

/// A whole number below 64, repeated in the lane's four low bytes: the sum with 2^52 leaves it in
/// the low bits of the mantissa. The lane's other bytes mean nothing.
HWY_ATTR VU repeat_in_bytes(V index) {
  const D d;
  // Whole numbers far below 2^53: fused or not, the same.
  return hn::BitCast(DU(), hn::MulAdd(index, hn::Set(d, 0x01010101), hn::Set(d, 0x1p52)));
}

/// The first where all bits of a lane of `mask` are set, the second where none is.
HWY_INLINE V pick(V mask, V when_set, V otherwise) {
#if HWY_TARGET <= HWY_AVX3
  return hn::IfVecThenElse(mask, when_set, otherwise);  // one instruction, and no mask register
#else
  return hn::IfThenElse(hn::MaskFromVec(mask), when_set, otherwise);
#endif
}

/// `sum`, with these bits set too where all bits of a lane of `mask` are.
HWY_INLINE VU with_bits(VU sum, V mask, std::uint64_t bits) {
  return hn::OrAnd(sum, hn::BitCast(DU(), mask), hn::Set(DU(), bits));
}
/// The same, where none is.
HWY_INLINE VU with_bits_unless(VU sum, V mask, std::uint64_t bits) {
  const VU m = hn::BitCast(DU(), mask), b = hn::Set(DU(), bits);
#if HWY_TARGET <= HWY_AVX3
  return VU{_mm512_ternarylogic_epi64(sum.raw, m.raw, b.raw, 0xF2)};  // sum | (~m & b)
#else
  return hn::Or(sum, hn::AndNot(m, b));
#endif
}

HWY_ATTR V fourth_power_above_zero(V t) {
  t = hn::Max(hn::Zero(D()), t);
  t = hn::Mul(t, t);
  return hn::Mul(t, t);
}

/// Four of a gradient's bits are flags; bit `kBit` of the byte of a corner.
template <int kCorner, int kBit>
HWY_INLINE V choose(VU gradients, V when_set, V otherwise) {
#if HWY_TARGET <= HWY_AVX3
  const auto set = hn::TestBit(gradients, hn::Set(DU(), 1ull << (8 * kCorner + kBit)));
  return hn::IfThenElse(hn::RebindMask(D(), set), when_set, otherwise);
#else
  const VU at_top = hn::ShiftLeft<63 - 8 * kCorner - kBit>(gradients);
  return hn::IfNegativeThenElse(hn::BitCast(D(), at_top), when_set, otherwise);
#endif
}
/// The value, negated where the flag is set.
template <int kCorner, int kBit>
HWY_INLINE V with_sign(VU gradients, V value) {
  const VU at_top = hn::ShiftLeft<63 - 8 * kCorner - kBit>(gradients);
  const VU sign = hn::Set(DU(), 1ull << 63), bits = hn::BitCast(DU(), value);
#if HWY_TARGET <= HWY_AVX3
  const VU signed_bits{_mm512_ternarylogic_epi64(bits.raw, at_top.raw, sign.raw, 0x78)};
#else
  const VU signed_bits = hn::Xor(bits, hn::And(at_top, sign));
#endif
  return hn::BitCast(D(), signed_bits);
}

template <int kCorner>
HWY_INLINE V corner3(VU gradients, V x, V y, V z) {
  const D d;
  V t = hn::Sub(hn::Set(d, 0.6), hn::Mul(x, x));
  t = fourth_power_above_zero(hn::Sub(hn::Sub(t, hn::Mul(y, y)), hn::Mul(z, z)));
  const V u = with_sign<kCorner, 7>(gradients, choose<kCorner, 5>(gradients, y, x));
  const V v = with_sign<kCorner, 6>(gradients, choose<kCorner, 4>(gradients, z, y));
  return hn::Mul(t, hn::Add(u, v));
}

template <int kCorner>
HWY_INLINE V corner2(VU gradients, V x, V y) {
  const D d;
  const V zero = hn::Zero(d);
  const V t =
      fourth_power_above_zero(hn::Sub(hn::Sub(hn::Set(d, 0.5), hn::Mul(x, x)), hn::Mul(y, y)));
  const V u = with_sign<kCorner, 7>(gradients, choose<kCorner, 5>(gradients, zero, x));
  const V v = with_sign<kCorner, 6>(gradients, choose<kCorner, 4>(gradients, zero, y));
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

// kFits: the table does. Known when compiling, so that loops over tables that fit hold no call.

template <bool kFits>
HWY_INLINE V noise2(const GradientTable2& table, V x, V y) {
  const D d;
  const V s = hn::Mul(hn::Add(x, y), hn::Set(d, kSkew2));
  const V i = hn::Floor(hn::Add(x, s)), j = hn::Floor(hn::Add(y, s));
  const V t = hn::Mul(hn::Add(i, j), hn::Set(d, kUnskew2));
  const V x0 = hn::Sub(x, hn::Sub(i, t)), y0 = hn::Sub(y, hn::Sub(j, t));
  const V right = hn::VecFromMask(d, hn::Gt(x0, y0));
  const VU steps = hn::Add(hn::Set(DU(), 9u << 16),
                           hn::BitCast(DU(), pick(right, hn::BitCast(d, hn::Set(DU(), 1u << 8)),
                                                  hn::BitCast(d, hn::Set(DU(), 8u << 8)))));
  VU gradients;
  if constexpr (kFits) {
    const V index = hn::Sub(hn::MulAdd(j, hn::Set(d, 8), i), hn::Set(d, table.i0 + 8 * table.j0));
    gradients = look_up(table.gradients, hn::Add(repeat_in_bytes(index), steps));
  } else {
    gradients = hash2(*table.noise, i, j, steps);
  }
  const V stay = hn::Set(d, kUnskew2), move = hn::Set(d, kUnskew2 - 1),
          both = hn::Set(d, 2 * kUnskew2 - 1);
  const V n0 = corner2<0>(gradients, x0, y0);
  const V n1 = corner2<1>(gradients, hn::Add(x0, pick(right, move, stay)),
                          hn::Add(y0, pick(right, stay, move)));
  const V n2 = corner2<2>(gradients, hn::Add(x0, both), hn::Add(y0, both));
  return hn::Mul(hn::Set(d, 70), hn::Add(hn::Add(n0, n1), n2));
}

template <bool kFits>
HWY_INLINE V noise3(const GradientTable3& table, V x, V y, V z) {
  const D d;
  const V s = hn::Mul(hn::Add(hn::Add(x, y), z), hn::Set(d, kSkew3));
  const V i = hn::Floor(hn::Add(x, s)), j = hn::Floor(hn::Add(y, s)), k = hn::Floor(hn::Add(z, s));
  const V t = hn::Mul(hn::Add(hn::Add(i, j), k), hn::Set(d, kUnskew3));
  const V x0 = hn::Sub(x, hn::Sub(i, t)), y0 = hn::Sub(y, hn::Sub(j, t)),
          z0 = hn::Sub(z, hn::Sub(k, t));
  // The way to the second corner steps along the greatest coordinate, to the third along the
  // greatest two; ties go to x before y before z.
  const V a = hn::VecFromMask(d, hn::Ge(x0, y0)), b = hn::VecFromMask(d, hn::Ge(y0, z0)),
          c = hn::VecFromMask(d, hn::Ge(x0, z0));
  const V i1 = hn::And(a, c), j1 = hn::AndNot(a, b), not_k1 = hn::Or(b, c);
  const V i2 = hn::Or(a, c), not_j2 = hn::AndNot(b, a), not_k2 = hn::And(b, c);
  VU steps = hn::Set(DU(), 21u << 24);
  steps = with_bits(with_bits(steps, i1, 1u << 8), j1, 4u << 8);
  steps = with_bits_unless(steps, not_k1, 16u << 8);
  steps = with_bits(steps, i2, 1u << 16);
  steps = with_bits_unless(steps, not_j2, 4u << 16);
  steps = with_bits_unless(steps, not_k2, 16u << 16);
  VU gradients;
  if constexpr (kFits) {
    const V index = hn::MulAdd(hn::MulAdd(k, hn::Set(d, 4), j), hn::Set(d, 4), i);
    const V first = hn::Set(d, table.i0 + 4 * table.j0 + 16 * table.k0);
    gradients = look_up(table.gradients, hn::Add(repeat_in_bytes(hn::Sub(index, first)), steps));
  } else {
    gradients = hash3(*table.noise, i, j, k, steps);
  }
  const V stay = hn::Set(d, kUnskew3), move = hn::Set(d, kUnskew3 - 1);
  const V stay2 = hn::Set(d, 2 * kUnskew3), move2 = hn::Set(d, 2 * kUnskew3 - 1);
  const V last = hn::Set(d, 3 * kUnskew3 - 1);
  const V n0 = corner3<0>(gradients, x0, y0, z0);
  const V n1 = corner3<1>(gradients, hn::Add(x0, pick(i1, move, stay)),
                          hn::Add(y0, pick(j1, move, stay)), hn::Add(z0, pick(not_k1, stay, move)));
  const V n2 =
      corner3<2>(gradients, hn::Add(x0, pick(i2, move2, stay2)),
                 hn::Add(y0, pick(not_j2, stay2, move2)), hn::Add(z0, pick(not_k2, stay2, move2)));
  const V n3 = corner3<3>(gradients, hn::Add(x0, last), hn::Add(y0, last), hn::Add(z0, last));
  return hn::Mul(hn::Set(d, 32), hn::Add(hn::Add(hn::Add(n0, n1), n2), n3));
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TALUS_TERRAIN_SIMPLEX_INL_H_
