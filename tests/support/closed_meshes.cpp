#include "support/closed_meshes.h"

#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include <glm/geometric.hpp>

namespace talus {

Mesh jittered_sphere(int cells, double radius, Vec3 center, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> jitter(-0.3, 0.3);
  Mesh mesh;
  mesh.origin = center;
  std::map<std::tuple<int, int, int>, std::uint32_t> vertices;
  const auto vertex = [&](IVec3 p) {
    const auto [entry, fresh] =
        vertices.try_emplace({p.x, p.y, p.z}, static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh) {
      const Vec3 moved = Vec3(p) + Vec3(jitter(random), jitter(random), jitter(random));
      const Vec3 at = glm::normalize(moved) * radius * (1 + 0.02 * jitter(random));
      Vec3f snapped;
      for (int a = 0; a < 3; ++a) {
        snapped[a] = static_cast<float>(std::nearbyint(at[a] * 1024) / 1024);
      }
      mesh.positions.push_back(snapped);
    }
    return entry->second;
  };
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int j = 0; j < cells; ++j) {
      for (int i = 0; i < cells; ++i) {
        const auto corner = [&](int di, int dj) {
          IVec3 p;
          p[axis] = face % 2 ? cells : -cells;
          p[u] = 2 * (i + di) - cells;
          p[v] = 2 * (j + dj) - cells;
          return vertex(p);
        };
        const std::uint32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
        if (face % 2) {
          mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
        } else {
          mesh.indices.insert(mesh.indices.end(), {a, c, b, a, d, c});
        }
      }
    }
  }
  return mesh;
}

}  // namespace talus
