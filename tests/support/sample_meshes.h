// Small terrains for tests of files and of mesh algorithms: seeded, on the grid of 1/1024 m, with a
// surface that is open at the border and oriented upward.
#pragma once

#include "mesh/mesh.h"

namespace talus {

/// A square of cells x cells quads of about 1 m, heights and places jittered by the seed. Positions
/// are multiples of 1/1024 m, normals unit.
Mesh bumpy_ground(int cells, std::uint32_t seed, bool with_colors = false);

/// A closed cube of the given edge with its corner at the origin: 8 vertices, 12 triangles, no
/// normals.
Mesh cube(float edge);

}  // namespace talus
