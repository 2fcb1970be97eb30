// Vertices of equal place made one: how chunks written one by one become one surface again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"
#include "mesh/mesh.h"

namespace talus {

/// A surface in world coordinates, no two vertices of it at one place.
struct WeldedMesh {
  std::vector<Vec3> positions;         // metres, world; in order of first appearance
  std::vector<std::uint32_t> indices;  // three a triangle, of all meshes in order
};

/// Merges the vertices whose world positions are equal to the bit (-0 is 0); nothing else is
/// merged, no triangle is dropped, and attributes do not matter. World positions are origin +
/// position in double, exact where both are on one grid. At most 2^31 vertices. About 30 ns a
/// vertex and index.
WeldedMesh weld(std::span<const Mesh> meshes);

}  // namespace talus
