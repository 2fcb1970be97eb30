#include "collision/wide_bvh_kernel.h"

#include <algorithm>
#include <bit>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/wide_bvh_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/quad_leaf_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

// All sixteen children at once; eight or four at a time where vectors are shorter.
using D = hn::CappedTag<float, WideBvh::kWidth>;
using V = hn::Vec<D>;

/// Planes of the children from `lane` on, as floats.
HWY_INLINE HWY_ATTR V planes(const std::array<std::uint8_t, WideBvh::kWidth>& bytes,
                             std::size_t lane) {
  const D d;
  const hn::Rebind<std::uint8_t, D> d8;
  const hn::Rebind<std::int32_t, D> d32;
  return hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, bytes.data() + lane)));
}

/// A bit a lane. The bytes are read one by one, as they may have been written.
HWY_INLINE HWY_ATTR std::uint32_t bits_of(hn::Mask<D> mask) {
  const D d;
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  const std::uint32_t bits = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8;
  return bits & ((1u << hn::Lanes(d)) - 1);
}

/// 2^exponent.
HWY_INLINE float power(std::int8_t exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// What waits to be visited: a node, or a leaf (count > 0).
struct Later {
  float t;
  std::uint32_t first, count;
};

/// Child `child` of a node, entered at t.
HWY_INLINE Later child_of(const WideBvh::Node& node, std::uint32_t child, float t) {
  if (node.inner >> child & 1) {
    const auto before = static_cast<std::uint32_t>(node.inner & ((1u << child) - 1));
    return {t, node.first_node + static_cast<std::uint32_t>(std::popcount(before)), 0};
  }
  const WideBvh::Leaf leaf = WideBvh::leaf_of(node, child);
  return {t, leaf.first, leaf.count};
}

/// Visits the leaves along a ray, nearest first. leaf(first, count) returns how far to look on.
class Walk {
 public:
  HWY_INLINE HWY_ATTR Walk(const WideBvh::Node* nodes, const PlacedRay& ray)
      : nodes_(nodes), high_(four(ray.high)), inverse_(four(ray.inverse)) {
    // Planes move outward: those where the ray enters against its direction, the others along it.
    const V4 pad = hn::Mul(hn::Set(D4(), ray.pad), hn::Abs(inverse_));
    const V4 low = hn::Mul(four(ray.low), inverse_);
    before_ = hn::Neg(hn::Add(low, pad));
    behind_ = hn::Sub(pad, low);
    for (std::size_t a = 0; a < 3; ++a) near_[a] = ray.inverse[a] < 0 ? 1 : 0;
  }

  template <class Leaf>
  HWY_INLINE HWY_ATTR void operator()(float farthest, const Leaf& leaf) const {
    // At most fifteen siblings wait at each level, and a quarter at least of the quads parts two
    // levels.
    Later stack[1024];
    std::size_t waiting = 0;
    Later now{0, 0, 0};
    while (true) {
      if (now.count > 0) {
        farthest = leaf(now.first, now.count);
      } else {
        const WideBvh::Node& node = nodes_[now.first];
        HWY_ALIGN float t[WideBvh::kWidth];
        std::uint32_t met = enter(node, farthest, t);
        if (met != 0) {
          now = nearest_of(node, met, t, stack, waiting);
          continue;
        }
      }
      do {
        if (waiting == 0) return;
        now = stack[--waiting];
      } while (now.t > farthest);
    }
  }

 private:
  static HWY_INLINE HWY_ATTR V4 four(const std::array<float, 3>& xyz) {
    const float values[4] = {xyz[0], xyz[1], xyz[2], 0};
    return hn::LoadU(D4(), values);
  }

  /// The nearest of the children met; the others wait, farthest at the bottom.
  static HWY_INLINE Later nearest_of(const WideBvh::Node& node, std::uint32_t met, const float* t,
                                     Later* stack, std::size_t& waiting) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(met));
    Later nearest = child_of(node, first, t[first]);
    const std::size_t bottom = waiting;
    while ((met &= met - 1) != 0) {
      const auto child = static_cast<std::uint32_t>(std::countr_zero(met));
      Later later = child_of(node, child, t[child]);
      if (later.t < nearest.t) std::swap(later, nearest);
      std::size_t at = waiting++;
      for (; at > bottom && stack[at - 1].t < later.t; --at) stack[at] = stack[at - 1];
      stack[at] = later;
    }
    return nearest;
  }

  /// Where the ray enters each of a node's children; which are met up to `farthest`, a bit each.
  HWY_INLINE HWY_ATTR std::uint32_t enter(const WideBvh::Node& node, float farthest,
                                          float* t) const {
    const D4 d4;
    const hn::RebindToSigned<D4> i4;
    const hn::Rebind<std::int8_t, D4> i8;
    // Three exponents, and a byte that is not looked at.
    const auto exponents = hn::PromoteTo(i4, hn::LoadU(i8, node.exponent.data()));
    const V4 power = hn::BitCast(d4, hn::ShiftLeft<23>(hn::Add(exponents, hn::Set(i4, 127))));
    const V4 from_ray = hn::Mul(hn::Sub(hn::LoadU(d4, node.origin.data()), high_), inverse_);
    HWY_ALIGN float scale[4], in_from[4], out_from[4];
    hn::Store(hn::Mul(power, inverse_), d4, scale);
    hn::Store(hn::Add(from_ray, before_), d4, in_from);
    hn::Store(hn::Add(from_ray, behind_), d4, out_from);
    const D d;
    std::uint32_t met = 0;
    for (std::size_t lane = 0; lane < WideBvh::kWidth; lane += hn::Lanes(d)) {
      V in = hn::Zero(d), out = hn::Set(d, farthest);
      for (std::size_t a = 0; a < 3; ++a) {
        const V s = hn::Set(d, scale[a]);
        in = hn::Max(
            in, hn::Add(hn::Mul(planes(node.plane[near_[a]][a], lane), s), hn::Set(d, in_from[a])));
        out = hn::Min(out, hn::Add(hn::Mul(planes(node.plane[1 - near_[a]][a], lane), s),
                                   hn::Set(d, out_from[a])));
      }
      hn::StoreU(in, d, t + lane);
      met |= bits_of(hn::Le(in, out)) << lane;
    }
    return met & ((1u << node.count) - 1);
  }

  const WideBvh::Node* nodes_;
  V4 high_, inverse_;
  V4 before_, behind_;  // t that planes move by when entered, and when left
  std::array<std::size_t, 3> near_;
};

/// Corners of a tree's quads relative to the ray's origin.
class Corners {
 public:
  HWY_INLINE HWY_ATTR Corners(const WideBvh& tree, const PlacedRay& ray)
      : vertices_(tree.vertex_data()),
        quads_(tree.quad_data()),
        high_(four(ray.high)),
        low_(four(ray.low)) {}
  HWY_INLINE HWY_ATTR V4 operator()(std::uint32_t quad, std::uint32_t k) const {
    const WideBvh::LeafQuad& of = quads_[quad];
    const V4 vertex = hn::LoadU(D4(), vertices_[of.first_vertex + of.corner[k]].data());
    return hn::Sub(hn::Sub(vertex, high_), low_);
  }

 private:
  static HWY_INLINE HWY_ATTR V4 four(const std::array<float, 3>& xyz) {
    const float values[4] = {xyz[0], xyz[1], xyz[2], 0};
    return hn::LoadU(D4(), values);
  }

  const WideBvh::Vertex* vertices_;
  const WideBvh::LeafQuad* quads_;
  V4 high_, low_;
};

HWY_ATTR bool trace(const WideBvh& tree, const PlacedRay& ray, NearHit& best) {
  return nearest_hit(ray, Corners(tree, ray), Walk(tree.node_data(), ray), best);
}

HWY_ATTR void trace_all(const WideBvh& tree, const PlacedRay& ray, std::vector<NearHit>& hits) {
  add_hits(ray, Corners(tree, ray), Walk(tree.node_data(), ray), hits);
}

HWY_ATTR std::uint32_t touched(const WideBvh::Node& node, const float* lo, const float* hi) {
  const D d;
  std::uint32_t met = 0;
  for (std::size_t lane = 0; lane < WideBvh::kWidth; lane += hn::Lanes(d)) {
    auto apart = hn::Lt(hn::Zero(d), hn::Zero(d));
    for (std::size_t a = 0; a < 3; ++a) {
      // In planes of the node: a division by a power of two is exact.
      const float per_plane = power(static_cast<std::int8_t>(-node.exponent[a]));
      const V low = hn::Set(d, (lo[a] - node.origin[a]) * per_plane);
      const V high = hn::Set(d, (hi[a] - node.origin[a]) * per_plane);
      apart = hn::Or(apart, hn::Or(hn::Gt(low, planes(node.plane[1][a], lane)),
                                   hn::Lt(high, planes(node.plane[0][a], lane))));
    }
    met |= bits_of(hn::Not(apart)) << lane;
  }
  return met & ((1u << node.count) - 1);
}

HWY_ATTR void bounds_of(const BvhItem* items, std::size_t count, BvhBounds* bounds) {
  const D4 d;
  V4 low = hn::Set(d, std::numeric_limits<float>::infinity()), high = low;
  for (std::size_t i = 0; i < count; ++i) {
    low = hn::Min(low, hn::LoadU(d, items[i].bounds.data()));
    high = hn::Min(high, hn::LoadU(d, items[i].bounds.data() + 4));
  }
  hn::StoreU(low, d, bounds->data());
  hn::StoreU(high, d, bounds->data() + 4);
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(trace);
HWY_EXPORT(trace_all);
HWY_EXPORT(touched);
HWY_EXPORT(bounds_of);

bool trace_wide_bvh(const WideBvh& tree, const PlacedRay& ray, NearHit& best) {
  return HWY_DYNAMIC_DISPATCH(trace)(tree, ray, best);
}

void trace_all_wide_bvh(const WideBvh& tree, const PlacedRay& ray, std::vector<NearHit>& hits) {
  HWY_DYNAMIC_DISPATCH(trace_all)(tree, ray, hits);
}

std::uint32_t touched_children(const WideBvh::Node& node, const float* lo, const float* hi) {
  return HWY_DYNAMIC_DISPATCH(touched)(node, lo, hi);
}

BvhBounds bounds_of_items(const BvhItem* items, std::size_t count) {
  BvhBounds bounds;
  HWY_DYNAMIC_DISPATCH(bounds_of)(items, count, &bounds);
  return bounds;
}

}  // namespace talus
#endif
