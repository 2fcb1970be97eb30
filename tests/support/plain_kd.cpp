#include "support/plain_kd.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>

namespace talus {

bool plain_ray_triangle(const RayFrame& ray, const std::array<Vec3f, 3>& corners, float& t) {
  const int kx = (ray.kz + 1) % 3, ky = (ray.kz + 2) % 3;
  float x[3], y[3], z[3];
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = corners[i][kx] - ray.shear_x * corners[i][ray.kz];
    y[i] = corners[i][ky] - ray.shear_y * corners[i][ray.kz];
    z[i] = ray.shear_z * corners[i][ray.kz];
  }
  const float u = x[1] * y[2] - y[1] * x[2], v = x[2] * y[0] - y[2] * x[0],
              w = x[0] * y[1] - y[0] * x[1];
  if ((u < 0 || v < 0 || w < 0) && (u > 0 || v > 0 || w > 0)) return false;
  const float det = u + v + w;
  if (det == 0) return false;
  t = (u * z[0] + v * z[1] + w * z[2]) / det + 0.0f;
  return t >= 0;
}

void GridTriangles::add(const Mesh& mesh) {
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    auto& triangle = corners.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      for (int a = 0; a < 3; ++a) {
        const double world = mesh.origin[a] + double{mesh.positions[mesh.indices[3 * t + i]][a]};
        triangle[i][static_cast<std::size_t>(a)] = std::llrint(world / kVertexGrid);
      }
    }
  }
}

Triangle GridTriangles::metres(std::size_t triangle, Vec3 relative_to) const {
  Triangle points;
  for (std::size_t i = 0; i < 3; ++i) {
    for (int a = 0; a < 3; ++a) {
      points[i][a] =
          static_cast<double>(corners[triangle][i][static_cast<std::size_t>(a)]) * kVertexGrid -
          relative_to[a];
    }
  }
  return points;
}

std::optional<float> GridTriangles::hit(const RayFrame& ray, std::size_t triangle) const {
  std::array<Vec3f, 3> points;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      points[i][static_cast<int>(a)] =
          static_cast<float>(corners[triangle][i][a] - ray.grid_cell[a]) - ray.grid_fraction[a];
    }
  }
  float t = 0;
  if (!plain_ray_triangle(ray, points, t) || t > static_cast<float>(ray.reach / kVertexGrid)) {
    return {};
  }
  return t;
}

std::vector<float> brute_force_hits(const GridTriangles& triangles, const RayFrame& ray) {
  std::vector<float> hits;
  for (std::size_t i = 0; i < triangles.corners.size(); ++i) {
    if (const auto t = triangles.hit(ray, i)) hits.push_back(*t);
  }
  std::sort(hits.begin(), hits.end());
  return hits;
}

PlainKd::PlainKd(const GridTriangles& triangles) : triangles_(triangles) {
  Box all{Vec3(1e300), Vec3(-1e300)};
  for (std::size_t i = 0; i < triangles.corners.size(); ++i) {
    order_.push_back(i);
    for (const Vec3& p : triangles.metres(i)) {
      all.lo = glm::min(all.lo, p);
      all.hi = glm::max(all.hi, p);
    }
  }
  if (!order_.empty()) build(0, order_.size(), all);
}

std::uint32_t PlainKd::build(std::size_t first, std::size_t count, Box region) {
  const auto at = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  if (count <= 2) {
    nodes_[at].link = static_cast<std::uint32_t>((first * 4 + count) << 2 | 3);
    return at;
  }
  const Vec3 size = region.hi - region.lo;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const auto span = [&](std::size_t i) {
    const Triangle t = triangles_.metres(i);
    return std::pair{std::min({t[0][axis], t[1][axis], t[2][axis]}),
                     std::max({t[0][axis], t[1][axis], t[2][axis]})};
  };
  const auto middle = [&](std::size_t i) { return 0.5 * (span(i).first + span(i).second); };
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(count);
  double mean = 0;
  for (auto i = begin; i != end; ++i) mean += middle(*i) / static_cast<double>(count);
  auto cut = std::partition(begin, end, [&](std::size_t i) { return middle(i) < mean; });
  if (4 * (cut - begin) < end - begin || 4 * (end - cut) < end - begin) {
    std::sort(begin, end, [&](std::size_t a, std::size_t b) {
      return std::pair{middle(a), a} < std::pair{middle(b), b};
    });
    cut = begin + (end - begin) / 2;
  }
  double left_end = -1e300, right_start = 1e300;
  for (auto i = begin; i != cut; ++i) left_end = std::max(left_end, span(*i).second);
  for (auto i = cut; i != end; ++i) right_start = std::min(right_start, span(*i).first);
  const auto outward = [](double plane, float towards) {
    const float pad = 0x1p-20f * static_cast<float>(std::abs(plane) + 1);
    return std::nextafter(static_cast<float>(plane) + (towards > 0 ? pad : -pad), towards);
  };
  nodes_[at].plane[0] = outward(left_end, HUGE_VALF);
  nodes_[at].plane[1] = outward(right_start, -HUGE_VALF);
  Box left = region, right = region;
  left.hi[axis] = left_end;
  right.lo[axis] = right_start;
  const auto left_count = static_cast<std::size_t>(cut - begin);
  build(first, left_count, left);
  const std::uint32_t child = build(first + left_count, count - left_count, right);
  nodes_[at].link = child << 2 | static_cast<std::uint32_t>(axis);
  return at;
}

std::vector<float> PlainKd::hits(const RayFrame& ray) const {
  struct Segment {
    std::uint32_t node;
    double t_min, t_max;
  };
  std::vector<float> found;
  std::vector<Segment> stack;
  if (!nodes_.empty()) stack.push_back({0, 0, ray.reach});
  while (!stack.empty()) {
    const Segment now = stack.back();
    stack.pop_back();
    const Node& node = nodes_[now.node];
    const int axis = node.link & 3;
    if (axis == 3) {
      const std::size_t first = node.link >> 4, count = node.link >> 2 & 3;
      for (std::size_t i = first; i < first + count; ++i) {
        if (const auto t = triangles_.hit(ray, order_[i])) found.push_back(*t);
      }
      continue;
    }
    const double o = ray.origin[axis], d = ray.direction[axis];
    Segment left{now.node + 1, now.t_min, now.t_max}, right{node.link >> 2, now.t_min, now.t_max};
    if (d == 0) {
      if (o <= node.plane[0]) stack.push_back(left);
      if (o >= node.plane[1]) stack.push_back(right);
      continue;
    }
    const double to_left = (node.plane[0] - o) / d, to_right = (node.plane[1] - o) / d;
    const double wider = 4e-7 * std::max(std::abs(to_left), std::abs(to_right));
    if (d > 0) {
      left.t_max = std::min(left.t_max, to_left + wider);
      right.t_min = std::max(right.t_min, to_right - wider);
    } else {
      left.t_min = std::max(left.t_min, to_left - wider);
      right.t_max = std::min(right.t_max, to_right + wider);
    }
    const Segment& near = d > 0 ? left : right;
    const Segment& far = d > 0 ? right : left;
    if (far.t_min <= far.t_max) stack.push_back(far);
    if (near.t_min <= near.t_max) stack.push_back(near);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<float> PlainKd::first_hit(const RayFrame& ray) const {
  const std::vector<float> all = hits(ray);
  if (all.empty()) return {};
  return all.front();
}

std::vector<std::size_t> PlainKd::touched(const Box& box) const {
  std::vector<std::size_t> found;
  std::vector<std::uint32_t> stack;
  if (!nodes_.empty()) stack.push_back(0);
  while (!stack.empty()) {
    const std::uint32_t at = stack.back();
    stack.pop_back();
    const Node& node = nodes_[at];
    const int axis = node.link & 3;
    if (axis == 3) {
      const std::size_t first = node.link >> 4, count = node.link >> 2 & 3;
      for (std::size_t i = first; i < first + count; ++i) {
        const Triangle t = triangles_.metres(order_[i]);
        bool apart = false;
        for (int a = 0; a < 3; ++a) {
          apart = apart || std::min({t[0][a], t[1][a], t[2][a]}) > box.hi[a] ||
                  std::max({t[0][a], t[1][a], t[2][a]}) < box.lo[a] || box.lo[a] > box.hi[a];
        }
        if (!apart) found.push_back(order_[i]);
      }
      continue;
    }
    if (box.lo[axis] <= node.plane[0]) stack.push_back(at + 1);
    if (box.hi[axis] >= node.plane[1]) stack.push_back(node.link >> 2);
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace talus
