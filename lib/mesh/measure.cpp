#include "mesh/measure.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include <glm/geometric.hpp>

#include "mesh/weld.h"

namespace talus {
namespace {

struct Triangle {
  std::uint32_t a, b, c;
};

Triangle triangle_of(std::span<const std::uint32_t> indices, std::size_t number) {
  return {indices[3 * number], indices[3 * number + 1], indices[3 * number + 2]};
}

// a * b == c * d without rounding: equal products round alike and leave equal remainders.
bool equal_products(double a, double b, double c, double d) {
  const double left = a * b;
  const double right = c * d;
  return left == right && std::fma(a, b, -left) == std::fma(c, d, -right);
}

// Differences of nearby floats are exact in double.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  return equal_products(u.x, v.y, u.y, v.x) && equal_products(u.y, v.z, u.z, v.y) &&
         equal_products(u.z, v.x, u.x, v.z);
}

void measure_size(const WeldedMesh& mesh, MeshMeasure& result) {
  const Vec3& first = mesh.positions[mesh.indices.front()];
  result.bounds = {first, first};
  for (const std::uint32_t index : mesh.indices) {
    result.bounds.lo = glm::min(result.bounds.lo, mesh.positions[index]);
    result.bounds.hi = glm::max(result.bounds.hi, mesh.positions[index]);
  }
  // Tetrahedra from a point near by, so that a surface far out loses no digits.
  const Vec3 apex = 0.5 * (result.bounds.lo + result.bounds.hi);
  double doubled_area = 0;
  double sixfold_volume = 0;
  for (std::size_t i = 0; i < mesh.indices.size() / 3; ++i) {
    const Triangle t = triangle_of(mesh.indices, i);
    const Vec3 &a = mesh.positions[t.a], &b = mesh.positions[t.b], &c = mesh.positions[t.c];
    const Vec3 normal = glm::cross(b - a, c - a);
    doubled_area += std::sqrt(glm::dot(normal, normal));
    sixfold_volume += glm::dot(a - apex, normal);
    result.degenerate_triangles += has_no_area(a, b, c);
  }
  result.area_m2 = doubled_area / 2;
  result.volume_m3 = sixfold_volume / 6;
}

// Every edge at its lower vertex: the other end, and whether the triangle runs from the lower one.
class EdgeTable {
 public:
  explicit EdgeTable(const WeldedMesh& mesh) : first_(mesh.positions.size() + 1) {
    for_each_edge(mesh,
                  [&](std::uint32_t from, std::uint32_t to) { ++first_[std::min(from, to)]; });
    std::exclusive_scan(first_.begin(), first_.end(), first_.begin(), std::uint64_t{0});
    ends_.resize(first_.back());
    std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
    for_each_edge(mesh, [&](std::uint32_t from, std::uint32_t to) {
      ends_[next[std::min(from, to)]++] = std::max(from, to) << 1 | (from < to);
    });
  }

  void count(MeshMeasure& result) {
    for (std::size_t vertex = 0; vertex + 1 < first_.size(); ++vertex) {
      const auto begin = ends_.begin() + static_cast<std::ptrdiff_t>(first_[vertex]);
      const auto end = ends_.begin() + static_cast<std::ptrdiff_t>(first_[vertex + 1]);
      std::sort(begin, end);
      for (auto at = begin; at != end;) {
        auto next = at;
        while (next != end && *next >> 1 == *at >> 1) ++next;
        const auto uses = next - at;
        result.open_edges += uses == 1;
        result.crowded_edges += uses > 2;
        result.misdirected_edges += uses == 2 && at[0] == at[1];
        at = next;
      }
    }
  }

 private:
  template <class Visit>
  static void for_each_edge(const WeldedMesh& mesh, const Visit& visit) {
    for (std::size_t i = 0; i < mesh.indices.size() / 3; ++i) {
      const Triangle t = triangle_of(mesh.indices, i);
      if (t.a != t.b) visit(t.a, t.b);
      if (t.b != t.c) visit(t.b, t.c);
      if (t.c != t.a) visit(t.c, t.a);
    }
  }

  std::vector<std::uint64_t> first_;
  std::vector<std::uint32_t> ends_;
};

std::uint64_t count_components(const WeldedMesh& mesh) {
  std::vector<std::uint32_t> parent(mesh.positions.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<bool> used(parent.size());
  std::uint64_t count = 0;
  const auto use = [&](std::uint32_t v) {
    count += !used[v];
    used[v] = true;
  };
  const auto join = [&](std::uint32_t v, std::uint32_t w) {
    v = root(v);
    w = root(w);
    if (v == w) return;
    parent[std::max(v, w)] = std::min(v, w);
    --count;
  };
  for (std::size_t i = 0; i < mesh.indices.size() / 3; ++i) {
    const Triangle t = triangle_of(mesh.indices, i);
    use(t.a), use(t.b), use(t.c);
    join(t.a, t.b), join(t.b, t.c);
  }
  return count;
}

std::uint64_t count_flipped(const Mesh& mesh) {
  std::uint64_t count = 0;
  if (mesh.normals.empty()) return 0;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Triangle t = triangle_of(mesh.indices, i);
    const Vec3 a(mesh.positions[t.a]), b(mesh.positions[t.b]), c(mesh.positions[t.c]);
    const Vec3 facing = glm::cross(b - a, c - a);
    const auto opposes = [&](std::uint32_t v) {
      return glm::dot(facing, Vec3(mesh.normals[v])) < 0;
    };
    count += opposes(t.a) && opposes(t.b) && opposes(t.c);
  }
  return count;
}

}  // namespace

MeshMeasure measure(std::span<const Mesh> meshes) {
  MeshMeasure result;
  for (const Mesh& mesh : meshes) {
    result.vertices += mesh.positions.size();
    result.triangles += mesh.triangle_count();
    result.flipped_triangles += count_flipped(mesh);
  }
  const WeldedMesh welded = weld(meshes);
  result.welded_vertices = welded.positions.size();
  if (result.triangles == 0) return result;
  measure_size(welded, result);
  EdgeTable(welded).count(result);
  result.components = count_components(welded);
  return result;
}

}  // namespace talus
