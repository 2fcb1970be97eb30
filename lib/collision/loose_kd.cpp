#include "collision/loose_kd.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

#include "collision/loose_kd_kernel.h"

namespace talus {

namespace {

using GridPoint = std::array<std::int64_t, 3>;

/// The nearest grid point (halves to even), for points within 2^40 m of the world's origin.
std::int64_t to_grid(double metres) {
  constexpr double kMagic = 0x1.8p52;  // adding it leaves no bits for a fraction
  return std::bit_cast<std::int64_t>(metres / kVertexGrid + kMagic) -
         std::bit_cast<std::int64_t>(kMagic);
}

/// A box on a tree's own grid: the vertices v inside are those with lo <= v <= hi.
struct GridBox {
  std::array<std::uint16_t, 3> lo, hi;
};

/// A vertex and 2 bytes more, which follow the last one, too; all axes are compared at once.
using Four = std::uint16_t __attribute__((vector_size(8)));
Four four(const std::uint16_t* vertex) {
  Four loaded;
  std::memcpy(&loaded, vertex, sizeof(loaded));
  return loaded;
}
Four least(Four a, Four b) {
  return a < b ? a : b;
}
Four most(Four a, Four b) {
  return a > b ? a : b;
}

double to_metres(std::int64_t grid) {
  return static_cast<double>(grid) * kVertexGrid;
}

}  // namespace

LooseKd::LooseKd(const Mesh& mesh) {
  if (mesh.empty()) return;
  thread_local std::vector<GridPoint> points;
  thread_local std::vector<Quad<std::uint32_t>> quads;
  thread_local std::vector<KdItem> items;
  thread_local std::vector<Node> nodes;
  pair_triangles(mesh, quads);
  assert(mesh.triangle_count() <= kMostQuads && mesh.positions.size() <= 65535);

  points.resize(mesh.positions.size());
  GridPoint lo, hi;
  lo.fill(std::numeric_limits<std::int64_t>::max());
  hi.fill(std::numeric_limits<std::int64_t>::min());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      const std::int64_t v = to_grid(mesh.origin[axis] + double{mesh.positions[i][axis]});
      points[i][a] = v;
      lo[a] = std::min(lo[a], v);
      hi[a] = std::max(hi[a], v);
    }
  }
  corner_ = lo;
  for (std::size_t a = 0; a < 3; ++a) {
    assert(hi[a] - lo[a] <= 65535);
    size_[a] = static_cast<std::uint16_t>(hi[a] - lo[a]);
  }

  const auto corner_of = [&](std::uint32_t vertex, std::size_t a) {
    return static_cast<std::uint16_t>(points[vertex][a] - lo[a]);
  };
  items.resize(quads.size());
  for (std::size_t q = 0; q < quads.size(); ++q) {
    KdItem& item = items[q];
    item.quad = static_cast<std::uint32_t>(q);
    item.bounds[3] = item.bounds[7] = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      std::uint16_t least = 65535, most = 0;
      for (const std::uint32_t vertex : quads[q]) {
        least = std::min(least, corner_of(vertex, a));
        most = std::max(most, corner_of(vertex, a));
      }
      item.bounds[a] = least;
      item.bounds[4 + a] = static_cast<std::uint16_t>(65535 - most);
    }
  }
  nodes.resize(2 * items.size());
  const std::size_t made = split_loose_kd(items.data(), items.size(), size_, nodes.data());

  vertex_count_ = static_cast<std::uint16_t>(points.size());
  quad_count_ = static_cast<std::uint16_t>(items.size());
  node_count_ = static_cast<std::uint16_t>(made);
  data_ = std::make_unique_for_overwrite<std::uint16_t[]>(3 * points.size() + 4 * items.size() +
                                                          3 * made);
  std::uint16_t* out = data_.get();
  for (std::uint32_t v = 0; v < points.size(); ++v) {
    for (std::size_t a = 0; a < 3; ++a) *out++ = corner_of(v, a);
  }
  for (const KdItem& item : items) {
    for (const std::uint32_t vertex : quads[item.quad]) *out++ = static_cast<std::uint16_t>(vertex);
  }
  std::memcpy(out, nodes.data(), made * sizeof(Node));
}

bool LooseKd::has_triangle(std::uint32_t triangle) const {
  const auto& quad = quad_data()[triangle / 2];
  return triangle % 2 == 0 || quad[2] != quad[3];
}

Triangle LooseKd::triangle(std::uint32_t triangle, Vec3 relative_to) const {
  const auto& quad = quad_data()[triangle / 2];
  const std::size_t second = triangle % 2;
  const std::uint16_t corners[3] = {quad[0], quad[1 + second], quad[2 + second]};
  Triangle points;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vertex& v = vertex_data()[corners[i]];
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      points[i][axis] = to_metres(corner_[a] + v[a]) - relative_to[axis];
    }
  }
  return points;
}

Box LooseKd::bounds() const {
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    box.lo[axis] = to_metres(corner_[a]);
    box.hi[axis] = to_metres(corner_[a] + size_[a]);
  }
  return box;
}

std::size_t LooseKd::bytes() const {
  return sizeof(LooseKd) + sizeof(std::uint16_t) * (3u * vertex_count_ + 4u * quad_count_) +
         sizeof(Node) * node_count_;
}

bool LooseKd::place(const RayFrame& ray, GridRay& placed) const {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 30;
  if (empty()) return false;
  float farthest = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t offset = corner_[a] - ray.grid_cell[a];
    if (offset > kFarthest || offset < -kFarthest) return false;
    placed.offset[a] = static_cast<std::int32_t>(offset);
    farthest = std::max({farthest, std::abs(static_cast<float>(offset)),
                         std::abs(static_cast<float>(offset + size_[a]))});
  }
  placed.fraction = ray.grid_fraction;
  placed.inverse = ray.inverse;
  placed.shear_x = ray.shear_x;
  placed.shear_y = ray.shear_y;
  placed.shear_z = ray.shear_z;
  placed.kz = ray.kz;
  placed.pad = 0x1p-20f * (farthest + 1);
  placed.reach = static_cast<float>(ray.reach / kVertexGrid);
  placed.t_min = 0;
  placed.t_max = std::numeric_limits<float>::infinity();
  for (std::size_t a = 0; a < 3; ++a) {
    const float lo = static_cast<float>(placed.offset[a]) - placed.fraction[a] - placed.pad;
    const float hi =
        static_cast<float>(placed.offset[a] + size_[a]) - placed.fraction[a] + placed.pad;
    const float in = (placed.inverse[a] < 0 ? hi : lo) * placed.inverse[a];
    const float out = (placed.inverse[a] < 0 ? lo : hi) * placed.inverse[a];
    placed.t_min = std::max(placed.t_min, in);
    placed.t_max = std::min(placed.t_max, out);
  }
  return placed.t_min <= placed.t_max;
}

bool LooseKd::trace(const RayFrame& ray, NearHit& best) const {
  GridRay placed;
  return place(ray, placed) && placed.t_min <= best.t && trace_loose_kd(*this, placed, best);
}

TriangleHit LooseKd::exact(const RayFrame& ray, const NearHit& hit) const {
  return exact_hit(ray, triangle(hit.triangle, ray.origin), hit.t * kVertexGrid, hit.triangle);
}

std::optional<TriangleHit> LooseKd::first_hit(const RayFrame& ray) const {
  NearHit best;
  best.t = static_cast<float>(ray.reach / kVertexGrid);
  if (!trace(ray, best)) return {};
  return exact(ray, best);
}

void LooseKd::all_hits(const RayFrame& ray, std::vector<TriangleHit>& hits) const {
  GridRay placed;
  if (!place(ray, placed) || placed.t_min > placed.reach) return;
  std::vector<NearHit> found;
  trace_all_loose_kd(*this, placed, found);
  const auto first = static_cast<std::ptrdiff_t>(hits.size());
  for (const NearHit& hit : found) hits.push_back(exact(ray, hit));
  std::sort(hits.begin() + first, hits.end(), [](const TriangleHit& a, const TriangleHit& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.triangle < b.triangle;
  });
}

void LooseKd::touched(const Box& box, std::vector<std::uint32_t>& triangles) const {
  if (empty()) return;
  GridBox on_grid;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto corner = static_cast<double>(corner_[a]);
    const double lo = std::ceil(box.lo[axis] / kVertexGrid) - corner;
    const double hi = std::floor(box.hi[axis] / kVertexGrid) - corner;
    if (!(lo <= hi && lo <= size_[a] && hi >= 0)) return;
    on_grid.lo[a] = static_cast<std::uint16_t>(std::max(lo, 0.0));
    on_grid.hi[a] = static_cast<std::uint16_t>(std::min(hi, 65535.0));
  }
  const Four box_lo = {on_grid.lo[0], on_grid.lo[1], on_grid.lo[2], 0};
  const Four box_hi = {on_grid.hi[0], on_grid.hi[1], on_grid.hi[2], 65535};
  const auto test = [&](std::uint32_t number) {
    const auto& quad = quad_data()[number];
    const auto corner = [&](std::size_t k) { return four(vertex_data()[quad[k]].data()); };
    const Four a = corner(0), c = corner(2), lo = least(a, c), hi = most(a, c);
    const auto meets = [&](Four other) {
      const auto apart = (least(lo, other) > box_hi) | (most(hi, other) < box_lo);
      return std::bit_cast<std::uint64_t>(apart) == 0;
    };
    if (meets(corner(1))) triangles.push_back(2 * number);
    if (quad[2] != quad[3] && meets(corner(3))) triangles.push_back(2 * number + 1);
  };
  std::array<std::uint16_t, 64> stack;
  std::size_t waiting = 0;
  stack[waiting++] = 0;
  while (waiting > 0) {
    const std::uint16_t at = stack[--waiting];
    const Node& node = node_data()[at];
    const std::size_t axis = node.link >> 14;
    if (axis == 3) {
      const std::uint32_t first = node.plane[0], end = first + node.plane[1];
      for (std::uint32_t number = first; number < end; ++number) test(number);
      continue;
    }
    if (on_grid.hi[axis] >= node.plane[1]) stack[waiting++] = node.link & 0x3FFF;
    if (on_grid.lo[axis] <= node.plane[0]) stack[waiting++] = static_cast<std::uint16_t>(at + 1);
  }
}

namespace {

/// A node that waits, and how far its region is from the point along each axis, metres.
struct Waiting {
  std::uint32_t node;
  Vec3 away;
};

}  // namespace

std::optional<NearestPoint> LooseKd::nearest(Vec3 point, double reach) const {
  if (empty()) return {};
  const Box box = bounds();
  double best = reach * reach;
  std::optional<NearestPoint> found;
  std::array<Waiting, 64> stack;
  std::size_t waiting = 0;
  Waiting root{0, Vec3(0)};
  for (int axis = 0; axis < 3; ++axis) {
    root.away[axis] = std::max({0.0, box.lo[axis] - point[axis], point[axis] - box.hi[axis]});
  }
  const auto squared = [](const Vec3& v) { return v.x * v.x + v.y * v.y + v.z * v.z; };
  stack[waiting++] = root;
  while (waiting > 0) {
    const Waiting now = stack[--waiting];
    if (squared(now.away) > best) continue;
    const Node& node = node_data()[now.node];
    const int axis = node.link >> 14;
    if (axis == 3) {
      const std::uint32_t first = 2u * node.plane[0], end = first + 2u * node.plane[1];
      for (std::uint32_t number = first; number < end; ++number) {
        if (!has_triangle(number)) continue;
        const Vec3 offset = closest_point(triangle(number, point), Vec3(0));
        const double distance = squared(offset);
        if (distance < best || (distance == best && !found)) {
          best = distance;
          found = {point + offset, std::sqrt(distance), number};
        }
      }
      continue;
    }
    const double corner = to_metres(corner_[static_cast<std::size_t>(axis)]);
    Waiting left{now.node + 1, now.away}, right{node.link & 0x3FFFu, now.away};
    left.away[axis] = std::max(now.away[axis], point[axis] - (corner + to_metres(node.plane[0])));
    right.away[axis] = std::max(now.away[axis], corner + to_metres(node.plane[1]) - point[axis]);
    const bool left_first = left.away[axis] <= right.away[axis];
    stack[waiting++] = left_first ? right : left;
    stack[waiting++] = left_first ? left : right;
  }
  return found;
}

}  // namespace talus
