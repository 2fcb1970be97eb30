// Triangles of a mesh, two by two: what the leaves of both trees hold.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/mesh.h"

namespace talus {

/// Corners (a, b, c, d) of the triangles (a, b, c) and (a, c, d); c = d where there is only the
/// first.
template <class Index>
using Quad = std::array<Index, 4>;

/// The mesh's triangles as quads: two that follow one another and share an edge, wound alike, make
/// one.
void pair_triangles(const Mesh& mesh, std::vector<Quad<std::uint32_t>>& quads);

}  // namespace talus
