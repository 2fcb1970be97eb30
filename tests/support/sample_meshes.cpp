#include "support/sample_meshes.h"

#include <cmath>

#include <glm/geometric.hpp>

#include "core/random.h"

namespace talus {
namespace {

float on_grid(double metres) {
  return static_cast<float>(std::nearbyint(metres * 1024) / 1024);
}

}  // namespace

Mesh bumpy_ground(int cells, std::uint32_t seed, bool with_colors) {
  Mesh mesh;
  Mulberry32 random(seed);
  const int side = cells + 1;
  for (int z = 0; z < side; ++z) {
    for (int x = 0; x < side; ++x) {
      const double bump = 3 * std::sin(x * 0.21 + seed) * std::cos(z * 0.17);
      mesh.positions.emplace_back(on_grid(x + 0.4 * random.next()), on_grid(bump + random.next()),
                                  on_grid(z + 0.4 * random.next()));
      mesh.normals.push_back(glm::normalize(Vec3f(static_cast<float>(random.next() - 0.5), 1,
                                                  static_cast<float>(random.next() - 0.5))));
      if (with_colors) {
        mesh.colors.emplace_back(static_cast<float>(random.next()),
                                 static_cast<float>(random.next()), 0.5f);
      }
    }
  }
  for (int z = 0; z < cells; ++z) {
    for (int x = 0; x < cells; ++x) {
      const auto a = static_cast<std::uint32_t>(z * side + x);
      const std::uint32_t b = a + 1;
      const auto c = a + static_cast<std::uint32_t>(side);
      mesh.indices.insert(mesh.indices.end(), {a, c, b, b, c, c + 1});
    }
  }
  return mesh;
}

Mesh cube(float edge) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    mesh.positions.emplace_back(corner & 1 ? edge : 0, corner & 2 ? edge : 0,
                                corner & 4 ? edge : 0);
  }
  mesh.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                  2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return mesh;
}

}  // namespace talus
