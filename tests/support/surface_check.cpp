#include "support/surface_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace talus {

namespace {

Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

}  // namespace

std::vector<Triangle> sorted_triangles(const std::vector<Mesh>& meshes) {
  std::vector<Triangle> all;
  for (const Mesh& mesh : meshes) {
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      Triangle triangle;
      for (std::size_t c = 0; c < 3; ++c) {
        const std::uint32_t v = mesh.indices[i + c];
        const Vec3 p = mesh.origin + Vec3(mesh.positions.at(v));
        const Vec3f n = mesh.normals.at(v);
        triangle[c] = {{p.x, p.y, p.z}, {n.x, n.y, n.z}};
      }
      std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()),
                  triangle.end());
      all.push_back(triangle);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

SurfaceCheck check_surface(const std::vector<Mesh>& meshes) {
  using Place = std::array<double, 3>;
  SurfaceCheck check;
  std::map<std::pair<Place, Place>, int> edges;
  for (const Mesh& mesh : meshes) {
    std::set<Place> places;
    for (const Vec3f& p : mesh.positions) {
      if (!places.insert({p.x, p.y, p.z}).second) ++check.doubled_vertices;
    }
    for (const Vec3f& n : mesh.normals) {
      if (!(std::abs(std::sqrt(dot(Vec3(n), Vec3(n))) - 1) < 1e-5)) ++check.bad_normals;
    }
  }
  const Vec3 near = meshes.empty() ? Vec3(0) : meshes.front().origin;
  for (const Triangle& t : sorted_triangles(meshes)) {
    const auto at = [&](std::size_t i) {
      return Vec3(t[i].position[0], t[i].position[1], t[i].position[2]) - near;
    };
    const Vec3 normal = cross(at(1) - at(0), at(2) - at(0));
    const double area = std::sqrt(dot(normal, normal)) / 2;
    if (!(area > 0)) ++check.degenerate;
    check.area += area;
    check.volume += dot(at(0), cross(at(1), at(2))) / 6;
    for (std::size_t i = 0; i < 3; ++i) ++edges[{t[i].position, t[(i + 1) % 3].position}];
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (back == edges.end() || back->second != count) ++check.open_edges;
    if (count > 1) ++check.crowded_edges;
  }
  return check;
}

std::string SurfaceCheck::text() const {
  return fmt::format(
      "open {} crowded {} degenerate {} bad normals {} doubled vertices {} volume {} area {}",
      open_edges, crowded_edges, degenerate, bad_normals, doubled_vertices, volume, area);
}

}  // namespace talus
