#include "collision/loose_kd_kernel.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/loose_kd_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "collision/quad_leaf_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

/// Left and right hold at least a quarter each: never deeper than this for kMostQuads.
constexpr std::size_t kDeepest = 48;

// --- rays ---

struct Later {
  std::uint32_t node;
  float t_min, t_max;
};

/// Visits the leaves along a ray, nearest first. leaf(first, count) returns how far to look on.
struct Walk {
  const LooseKd::Node* nodes;
  const GridRay& ray;

  template <class Leaf>
  HWY_INLINE HWY_ATTR void operator()(float farthest, const Leaf& leaf) const {
    const float pads[2] = {ray.pad, -ray.pad};
    Later stack[kDeepest];
    std::size_t waiting = 0;
    std::uint32_t at = 0;
    float t_min = ray.t_min, t_max = std::min(ray.t_max, farthest);
    while (true) {
      const LooseKd::Node node = nodes[at];
      const std::uint32_t axis = node.link >> 14;
      if (axis == 3) {
        farthest = leaf(node.plane[0], node.plane[1]);
      } else {
        // Along the ray the near child ends where the far one's plane may already lie behind.
        const float inverse = ray.inverse[axis];
        const std::uint32_t near = inverse < 0 ? 1 : 0, far = 1 - near;
        const auto reached = [&](std::uint32_t side) HWY_ATTR {
          const auto on_grid = static_cast<float>(node.plane[side] + ray.offset[axis]);
          return ((on_grid - ray.fraction[axis]) + pads[side]) * inverse;
        };
        const float near_end = std::min(t_max, reached(near));
        const float far_start = std::max(t_min, reached(far));
        const std::uint32_t child[2] = {at + 1, node.link & 0x3FFFu};
        const bool visit_near = t_min <= near_end, visit_far = far_start <= t_max;
        if (visit_near) {
          if (visit_far) stack[waiting++] = {child[far], far_start, t_max};
          at = child[near];
          t_max = near_end;
          continue;
        }
        if (visit_far) {
          at = child[far];
          t_min = far_start;
          continue;
        }
      }
      do {
        if (waiting == 0) return;
        const Later& later = stack[--waiting];
        at = later.node;
        t_min = later.t_min;
        t_max = std::min(later.t_max, farthest);
      } while (t_min > farthest);
    }
  }
};

/// Corners of a tree's quads relative to the ray's origin. Whole grid units are subtracted as whole
/// numbers first: a vertex that two chunks share has the same bits from both.
class Corners {
 public:
  HWY_INLINE HWY_ATTR Corners(const LooseKd& tree, const GridRay& ray)
      : vertices_(tree.vertex_data()),
        quads_(tree.quad_data()),
        offset_(four(hn::FixedTag<std::int32_t, 4>(), ray.offset)),
        fraction_(four(D4(), ray.fraction)) {}
  HWY_INLINE HWY_ATTR V4 operator()(std::uint32_t quad, std::uint32_t k) const {
    const hn::FixedTag<std::uint16_t, 4> d16;
    const hn::FixedTag<std::int32_t, 4> d32;
    // Reads 2 bytes past the vertex: quads follow the last.
    const auto grid = hn::LoadU(d16, vertices_[quads_[quad][k]].data());
    const auto from_ray = hn::Add(hn::PromoteTo(d32, grid), offset_);
    return hn::Sub(hn::ConvertTo(D4(), from_ray), fraction_);
  }

 private:
  template <class D, class T>
  static HWY_INLINE HWY_ATTR hn::Vec<D> four(D d, const std::array<T, 3>& xyz) {
    const T values[4] = {xyz[0], xyz[1], xyz[2], 0};
    return hn::LoadU(d, values);
  }

  const LooseKd::Vertex* vertices_;
  const Quad<std::uint16_t>* quads_;
  hn::Vec<hn::FixedTag<std::int32_t, 4>> offset_;
  V4 fraction_;
};

HWY_ATTR bool trace(const LooseKd& tree, const GridRay& ray, NearHit& best) {
  return nearest_hit(ray, Corners(tree, ray), Walk{tree.node_data(), ray}, best);
}

HWY_ATTR void trace_all(const LooseKd& tree, const GridRay& ray, std::vector<NearHit>& hits) {
  add_hits(ray, Corners(tree, ray), Walk{tree.node_data(), ray}, hits);
}

// --- building ---

using D16 = hn::FixedTag<std::uint16_t, 8>;

std::uint32_t middle(const KdItem& item, std::size_t axis) {  // twice, and never below 0
  return item.bounds[axis] + (65535u - item.bounds[4 + axis]);
}

HWY_INLINE HWY_ATTR std::array<std::uint16_t, 8> bounds_of(const KdItem* items, std::size_t count) {
  const D16 d;
  auto least = hn::Set(d, 65535);
  for (std::size_t i = 0; i < count; ++i) {
    least = hn::Min(least, hn::LoadU(d, items[i].bounds.data()));
  }
  std::array<std::uint16_t, 8> bounds;
  hn::StoreU(least, d, bounds.data());
  return bounds;
}

/// Puts the items whose middle is below the mean first; how many.
std::size_t part_at_mean(KdItem* items, std::size_t count, std::size_t axis) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += middle(items[i], axis);
  const auto mean = static_cast<std::uint32_t>((sum + count - 1) / count);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const KdItem item = items[i];
    const bool below = middle(item, axis) < mean;
    items[i] = items[left];
    items[left] = item;
    left += below;
  }
  return left;
}

/// Parts the items in two: at the mean, or where that is lopsided or, close to the leaves, costs a
/// leaf more than need be, at the middle of the sorted list.
std::size_t part(KdItem* items, std::size_t count, std::size_t axis) {
  constexpr std::size_t kLeaf = LooseKd::kQuadsPerLeaf, kFew = 3 * kLeaf;
  const auto leaves = [](std::size_t quads) { return (quads + kLeaf - 1) / kLeaf; };
  const std::size_t left = part_at_mean(items, count, axis), right = count - left;
  const bool few = count <= kFew;
  if (few ? leaves(left) + leaves(right) == leaves(count) && left != 0 && right != 0
          : 4 * left >= count && 4 * right >= count) {
    return left;
  }
  std::sort(items, items + count, [axis](const KdItem& a, const KdItem& b) {
    const std::uint32_t ma = middle(a, axis), mb = middle(b, axis);
    return ma != mb ? ma < mb : a.quad < b.quad;
  });
  return few ? (count / 2 + kLeaf / 2) / kLeaf * kLeaf : count / 2;
}

struct Region {
  std::array<std::uint16_t, 3> lo, hi;

  std::size_t longest_axis() const {
    std::size_t axis = 0;
    int longest = -70000;
    for (std::size_t a = 0; a < 3; ++a) {
      const int length = hi[a] - lo[a];
      if (length > longest) {
        longest = length;
        axis = a;
      }
    }
    return axis;
  }
};

struct Pending {
  std::size_t first, count, parent;
  Region region;
};

HWY_ATTR std::size_t split(KdItem* items, std::size_t count, std::array<std::uint16_t, 3> size,
                           LooseKd::Node* nodes) {
  constexpr std::size_t kNoParent = ~std::size_t{0};
  Pending stack[kDeepest];
  std::size_t waiting = 0, made = 0;
  stack[waiting++] = {0, count, kNoParent, {{0, 0, 0}, size}};
  while (waiting > 0) {
    Pending now = stack[--waiting];
    if (now.parent != kNoParent) {
      nodes[now.parent].link = static_cast<std::uint16_t>(nodes[now.parent].link | made);
    }
    // Down the left children; the right ones wait.
    while (now.count > LooseKd::kQuadsPerLeaf) {
      const std::size_t axis = now.region.longest_axis();
      KdItem* const begin = items + now.first;
      const std::size_t left = part(begin, now.count, axis);
      const auto left_end = static_cast<std::uint16_t>(65535 - bounds_of(begin, left)[4 + axis]);
      const std::uint16_t right_start = bounds_of(begin + left, now.count - left)[axis];
      Pending right = {now.first + left, now.count - left, made, now.region};
      right.region.lo[axis] = right_start;
      stack[waiting++] = right;
      nodes[made++] = {{left_end, right_start}, static_cast<std::uint16_t>(axis << 14)};
      now.count = left;
      now.region.hi[axis] = left_end;
    }
    nodes[made++] = {{static_cast<std::uint16_t>(now.first), static_cast<std::uint16_t>(now.count)},
                     3 << 14};
  }
  return made;
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(trace);
HWY_EXPORT(trace_all);
HWY_EXPORT(split);

bool trace_loose_kd(const LooseKd& tree, const GridRay& ray, NearHit& best) {
  return HWY_DYNAMIC_DISPATCH(trace)(tree, ray, best);
}

void trace_all_loose_kd(const LooseKd& tree, const GridRay& ray, std::vector<NearHit>& hits) {
  HWY_DYNAMIC_DISPATCH(trace_all)(tree, ray, hits);
}

std::size_t split_loose_kd(KdItem* items, std::size_t count, std::array<std::uint16_t, 3> size,
                           LooseKd::Node* nodes) {
  return HWY_DYNAMIC_DISPATCH(split)(items, count, size, nodes);
}

}  // namespace talus
#endif
