// Closed meshes for tests of rays: every ray from inside has to hit.
#pragma once

#include <cstdint>

#include "mesh/mesh.h"

namespace talus {

/// A cube's faces of cells x cells quads, blown up to a sphere around `center` and jittered by the
/// seed; closed, 12 * cells^2 triangles. Vertices stand on the grid of 1/1024 m in the world.
Mesh jittered_sphere(int cells, double radius, Vec3 center, std::uint32_t seed);

}  // namespace talus
