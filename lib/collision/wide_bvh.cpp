#include "collision/wide_bvh.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "collision/wide_bvh_kernel.h"

namespace talus {

namespace {

/// Quads that will make one child.
struct Part {
  std::size_t first, count;
  BvhBounds bounds;

  float size(std::size_t axis) const { return -bounds[4 + axis] - bounds[axis]; }
  float area() const { return size(0) * size(1) + size(1) * size(2) + size(2) * size(0); }
};

double middle(const BvhItem& item, std::size_t axis) {  // twice
  return double{item.bounds[axis]} - double{item.bounds[4 + axis]};
}

std::size_t part_at_mean(BvhItem* items, std::size_t count, std::size_t axis) {
  double mean = 0;
  for (std::size_t i = 0; i < count; ++i) mean += middle(items[i], axis);
  mean /= static_cast<double>(count);
  std::size_t left = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const BvhItem item = items[i];
    const bool below = middle(item, axis) < mean;
    items[i] = items[left];
    items[left] = item;
    left += below;
  }
  if (4 * left >= count && 4 * (count - left) >= count) return left;
  std::sort(items, items + count, [axis](const BvhItem& a, const BvhItem& b) {
    const double ma = middle(a, axis), mb = middle(b, axis);
    return ma != mb ? ma < mb : a.quad < b.quad;
  });
  return count / 2;
}

/// Cuts a part in two; the second one is returned.
Part split(BvhItem* items, Part& part) {
  std::size_t axis = 0;
  for (std::size_t a = 1; a < 3; ++a) {
    if (part.size(a) > part.size(axis)) axis = a;
  }
  BvhItem* const begin = items + part.first;
  const std::size_t left = part_at_mean(begin, part.count, axis);
  const Part right{part.first + left, part.count - left,
                   bounds_of_items(begin + left, part.count - left)};
  part = {part.first, left, bounds_of_items(begin, left)};
  return right;
}

/// A node's up to sixteen parts: the one of largest area is cut until there are enough, or until
/// all are leaves.
std::size_t make_parts(BvhItem* items, const Part& whole,
                       std::array<Part, WideBvh::kWidth>& parts) {
  std::size_t count = 0;
  parts[count++] = whole;
  while (count < WideBvh::kWidth) {
    Part* largest = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      if (parts[i].count <= WideBvh::kQuadsPerLeaf) continue;
      if (!largest || parts[i].area() > largest->area()) largest = &parts[i];
    }
    if (!largest) break;
    parts[count++] = split(items, *largest);
  }
  return count;
}

/// The finest power of two with which 255 steps span `size`.
std::int8_t exponent_for(double size) {
  int exponent = 0;
  std::frexp(size / 255, &exponent);
  return static_cast<std::int8_t>(std::clamp(exponent, -100, 120));
}

void set_planes(WideBvh::Node& node, const Part& whole,
                const std::array<Part, WideBvh::kWidth>& parts, std::size_t count) {
  for (std::size_t a = 0; a < 3; ++a) {
    node.origin[a] = whole.bounds[a];
    node.exponent[a] = exponent_for(double{-whole.bounds[4 + a]} - double{whole.bounds[a]});
    const double step = std::ldexp(1.0, node.exponent[a]), origin = node.origin[a];
    for (std::size_t i = 0; i < count; ++i) {
      const double low = std::floor((parts[i].bounds[a] - origin) / step);
      const double high = std::ceil((-parts[i].bounds[4 + a] - origin) / step);
      node.plane[0][a][i] = static_cast<std::uint8_t>(std::clamp(low, 0.0, 255.0));
      node.plane[1][a][i] = static_cast<std::uint8_t>(std::clamp(high, 0.0, 255.0));
    }
  }
}

std::vector<BvhItem> make_items(const Mesh& mesh, const std::vector<Quad<std::uint32_t>>& quads) {
  std::vector<BvhItem> items(quads.size());
  for (std::size_t q = 0; q < quads.size(); ++q) {
    BvhItem& item = items[q];
    item.bounds.fill(std::numeric_limits<float>::infinity());
    item.bounds[3] = item.bounds[7] = 0;
    for (const std::uint32_t vertex : quads[q]) {
      const Vec3f& p = mesh.positions[vertex];
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        item.bounds[a] = std::min(item.bounds[a], p[axis]);
        item.bounds[4 + a] = std::min(item.bounds[4 + a], -p[axis]);
      }
    }
    item.quad = static_cast<std::uint32_t>(q);
  }
  return items;
}

struct Pending {
  std::uint32_t node;
  Part part;
};

/// Copies of a mesh's vertices for one node after another.
class NodeVertices {
 public:
  NodeVertices(const Mesh& mesh, std::vector<WideBvh::Vertex>& vertices)
      : mesh_(mesh), vertices_(vertices), copy_(mesh.positions.size(), kNone) {}
  /// A node's quads follow.
  void start_node() { first_ = static_cast<std::uint32_t>(vertices_.size()); }
  WideBvh::LeafQuad quad(const Quad<std::uint32_t>& quad) {
    WideBvh::LeafQuad made{first_, {}};
    for (std::size_t k = 0; k < 4; ++k) {
      std::uint32_t& copy = copy_[quad[k]];
      if (copy == kNone || copy < first_) {
        copy = static_cast<std::uint32_t>(vertices_.size());
        const Vec3f& p = mesh_.positions[quad[k]];
        vertices_.push_back({p.x, p.y, p.z});
      }
      made.corner[k] = static_cast<std::uint8_t>(copy - first_);
    }
    return made;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  const Mesh& mesh_;
  std::vector<WideBvh::Vertex>& vertices_;
  std::vector<std::uint32_t> copy_;  // where each vertex was copied to last
  std::uint32_t first_ = 0;
};

}  // namespace

WideBvh::WideBvh(const Mesh& mesh) : origin_(mesh.origin) {
  if (mesh.empty()) return;
  assert(mesh.triangle_count() <= std::size_t{1} << 30);
  std::vector<Quad<std::uint32_t>> paired;
  pair_triangles(mesh, paired);
  std::vector<BvhItem> items = make_items(mesh, paired);
  const Part all{0, items.size(), bounds_of_items(items.data(), items.size())};
  for (std::size_t a = 0; a < 3; ++a) {
    lo_[a] = all.bounds[a];
    hi_[a] = -all.bounds[4 + a];
  }

  quads_.reserve(paired.size());
  nodes_.reserve(paired.size() / 12 + 1);
  nodes_.emplace_back();
  vertices_.reserve(2 * mesh.positions.size());
  NodeVertices copies(mesh, vertices_);
  std::vector<Pending> stack = {{0, all}};
  std::array<Part, kWidth> parts;
  while (!stack.empty()) {
    const Pending now = stack.back();
    stack.pop_back();
    const std::size_t count = make_parts(items.data(), now.part, parts);
    Node node{};
    set_planes(node, now.part, parts, count);
    node.count = static_cast<std::uint8_t>(count);
    node.first_node = static_cast<std::uint32_t>(nodes_.size());
    node.first_quad = static_cast<std::uint32_t>(quads_.size());
    copies.start_node();
    for (std::size_t i = 0; i < count; ++i) {
      if (parts[i].count > kQuadsPerLeaf) {
        node.inner = static_cast<std::uint16_t>(node.inner | 1u << i);
        stack.push_back({static_cast<std::uint32_t>(nodes_.size()), parts[i]});
        nodes_.emplace_back();
        continue;
      }
      node.leaf[i] =
          static_cast<std::uint8_t>((quads_.size() - node.first_quad) << 2 | (parts[i].count - 1));
      for (std::size_t k = 0; k < parts[i].count; ++k) {
        quads_.push_back(copies.quad(paired[items[parts[i].first + k].quad]));
      }
    }
    nodes_[now.node] = node;
  }
  vertices_.push_back({0, 0, 0});
}

bool WideBvh::has_triangle(std::uint32_t triangle) const {
  const LeafQuad& quad = quads_[triangle / 2];
  return triangle % 2 == 0 || quad.corner[2] != quad.corner[3];
}

Triangle WideBvh::triangle(std::uint32_t triangle, Vec3 relative_to) const {
  const LeafQuad& quad = quads_[triangle / 2];
  const std::size_t second = triangle % 2;
  const Vec3 shift = origin_ - relative_to;
  Triangle points;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vertex& v = corner(quad, i == 0 ? 0 : i + second);
    points[i] = shift + Vec3(v[0], v[1], v[2]);
  }
  return points;
}

Box WideBvh::bounds() const {
  return {origin_ + Vec3(lo_[0], lo_[1], lo_[2]), origin_ + Vec3(hi_[0], hi_[1], hi_[2])};
}

std::size_t WideBvh::bytes() const {
  return sizeof(WideBvh) + tree_bytes() + quads_.size() * sizeof(quads_[0]) +
         vertices_.capacity() * sizeof(Vertex);
}

PlacedRay WideBvh::place(const RayFrame& ray) const {
  PlacedRay placed;
  float farthest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double from = ray.origin[axis] - origin_[axis];
    placed.high[a] = static_cast<float>(from);
    placed.low[a] = static_cast<float>(from - placed.high[a]);
    farthest =
        std::max({farthest, std::abs(lo_[a] - placed.high[a]), std::abs(hi_[a] - placed.high[a])});
  }
  placed.inverse = ray.inverse;
  placed.shear_x = ray.shear_x;
  placed.shear_y = ray.shear_y;
  placed.shear_z = ray.shear_z;
  placed.kz = ray.kz;
  placed.pad = 0x1p-20f * farthest;
  placed.reach = static_cast<float>(ray.reach);
  return placed;
}

TriangleHit WideBvh::exact(const RayFrame& ray, const NearHit& hit) const {
  return exact_hit(ray, triangle(hit.triangle, ray.origin), hit.t, hit.triangle);
}

std::optional<TriangleHit> WideBvh::first_hit(const RayFrame& ray) const {
  if (empty()) return {};
  const PlacedRay placed = place(ray);
  NearHit best;
  best.t = placed.reach;
  if (!trace_wide_bvh(*this, placed, best)) return {};
  return exact(ray, best);
}

void WideBvh::all_hits(const RayFrame& ray, std::vector<TriangleHit>& hits) const {
  if (empty()) return;
  std::vector<NearHit> found;
  trace_all_wide_bvh(*this, place(ray), found);
  const auto first = static_cast<std::ptrdiff_t>(hits.size());
  for (const NearHit& hit : found) hits.push_back(exact(ray, hit));
  std::sort(hits.begin() + first, hits.end(), [](const TriangleHit& a, const TriangleHit& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.triangle < b.triangle;
  });
}

void WideBvh::touched(const Box& box, std::vector<std::uint32_t>& triangles) const {
  if (empty()) return;
  float lo[3], hi[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double low = box.lo[axis] - origin_[axis], high = box.hi[axis] - origin_[axis];
    const auto a = static_cast<std::size_t>(axis);
    if (!(box.lo[axis] <= box.hi[axis] && low <= hi_[a] && high >= lo_[a])) return;
    // The floats that vertices can be and still lie in the box.
    lo[axis] = static_cast<float>(low);
    hi[axis] = static_cast<float>(high);
    constexpr float kMost = std::numeric_limits<float>::max();
    if (lo[axis] < low) lo[axis] = std::nextafter(lo[axis], kMost);
    if (hi[axis] > high) hi[axis] = std::nextafter(hi[axis], -kMost);
  }
  const auto test = [&](std::uint32_t number) {
    const LeafQuad& quad = quads_[number / 2];
    const std::size_t second = number % 2;
    const Vertex &p = corner(quad, 0), &q = corner(quad, 1 + second), &r = corner(quad, 2 + second);
    for (std::size_t a = 0; a < 3; ++a) {
      if (std::min({p[a], q[a], r[a]}) > hi[a] || std::max({p[a], q[a], r[a]}) < lo[a]) return;
    }
    triangles.push_back(number);
  };
  std::vector<std::uint32_t> stack = {0};
  while (!stack.empty()) {
    const Node& node = nodes_[stack.back()];
    stack.pop_back();
    std::uint32_t inner_before = 0;
    const std::uint32_t met = touched_children(node, lo, hi);
    for (std::uint32_t child = 0; child < node.count; ++child) {
      const bool inner = node.inner >> child & 1;
      if (met >> child & 1) {
        if (inner) {
          stack.push_back(node.first_node + inner_before);
        } else {
          const Leaf leaf = leaf_of(node, child);
          for (std::uint32_t n = 2 * leaf.first; n < 2 * (leaf.first + leaf.count); ++n) {
            if (has_triangle(n)) test(n);
          }
        }
      }
      inner_before += inner;
    }
  }
}

namespace {

struct Waiting {
  std::uint32_t node;
  double squared;  // from the point to its box
};

double squared_distance(const WideBvh::Node& node, std::uint32_t child, const Vec3& point) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double step = std::ldexp(1.0, node.exponent[a]), origin = node.origin[a];
    const double away = std::max({0.0, origin + node.plane[0][a][child] * step - point[axis],
                                  point[axis] - origin - node.plane[1][a][child] * step});
    sum += away * away;
  }
  return sum;
}

}  // namespace

std::optional<NearestPoint> WideBvh::nearest(Vec3 point, double reach) const {
  std::optional<NearestPoint> found;
  if (empty()) return found;
  const Vec3 local = point - origin_;
  double best = reach * reach;
  const auto consider = [&](std::uint32_t number) {
    const Vec3 offset = closest_point(triangle(number, point), Vec3(0));
    const double squared = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
    if (squared < best || (squared == best && !found)) {
      best = squared;
      found = {point + offset, std::sqrt(squared), number};
    }
  };
  std::vector<Waiting> stack = {{0, 0}};
  while (!stack.empty()) {
    const Waiting now = stack.back();
    stack.pop_back();
    if (now.squared > best) continue;
    const Node& node = nodes_[now.node];
    const std::size_t bottom = stack.size();
    std::uint32_t inner_before = 0;
    for (std::uint32_t child = 0; child < node.count; ++child) {
      if (node.inner >> child & 1) {
        const double squared = squared_distance(node, child, local);
        if (squared <= best) stack.push_back({node.first_node + inner_before, squared});
        ++inner_before;
      } else if (squared_distance(node, child, local) <= best) {
        const Leaf leaf = leaf_of(node, child);
        for (std::uint32_t n = 2 * leaf.first; n < 2 * (leaf.first + leaf.count); ++n) {
          if (has_triangle(n)) consider(n);
        }
      }
    }
    std::sort(stack.begin() + static_cast<std::ptrdiff_t>(bottom), stack.end(),
              [](const Waiting& a, const Waiting& b) { return a.squared > b.squared; });
  }
  return found;
}

}  // namespace talus
