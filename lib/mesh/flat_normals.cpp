#include "mesh/flat_normals.h"

#include <cmath>

#include <glm/geometric.hpp>

namespace talus {
namespace {

// In double: squares of millimetres would fall out of a float.
Vec3f face_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 across = glm::cross(b - a, c - a);
  const double length = std::sqrt(glm::dot(across, across));
  return length > 0 ? Vec3f(across / length) : Vec3f(0, 1, 0);
}

}  // namespace

Mesh flat_normals(const Mesh& mesh) {
  Mesh flat;
  flat.origin = mesh.origin;
  flat.positions.reserve(mesh.indices.size());
  flat.normals.reserve(mesh.indices.size());
  flat.indices.reserve(mesh.indices.size());
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    const std::uint32_t* corner = &mesh.indices[i];
    const Vec3f normal =
        face_normal(Vec3(mesh.positions[corner[0]]), Vec3(mesh.positions[corner[1]]),
                    Vec3(mesh.positions[corner[2]]));
    for (int k = 0; k < 3; ++k) {
      flat.indices.push_back(static_cast<std::uint32_t>(flat.positions.size()));
      flat.positions.push_back(mesh.positions[corner[k]]);
      flat.normals.push_back(normal);
      if (!mesh.colors.empty()) flat.colors.push_back(mesh.colors[corner[k]]);
    }
  }
  return flat;
}

}  // namespace talus
