// A slow, plain look at a mesh as a surface in space: vertices are their positions in the world.
#pragma once

#include <array>
#include <compare>
#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace talus {

struct Corner {
  std::array<double, 3> position;  // world, metres
  std::array<float, 3> normal;
  auto operator<=>(const Corner&) const = default;  // NOLINT(modernize-use-nullptr): its 0
};
using Triangle = std::array<Corner, 3>;

/// The triangles of meshes, each starting at its smallest corner, sorted: equal for equal surfaces.
std::vector<Triangle> sorted_triangles(const std::vector<Mesh>& meshes);

struct SurfaceCheck {
  int open_edges = 0;     // a direction more often than the other: a border, or a flipped triangle
  int crowded_edges = 0;  // more than one triangle each way
  int degenerate = 0;     // no area
  int bad_normals = 0;    // length not 1 within 1e-5
  int doubled_vertices = 0;  // same place, another vertex of the same mesh
  double volume = 0;         // of a closed surface, m3
  double area = 0;           // m2

  bool clean_but_open() const { return crowded_edges == 0 && degenerate == 0 && bad_normals == 0; }
  bool closed_and_clean() const { return open_edges == 0 && clean_but_open(); }
  std::string text() const;
};
SurfaceCheck check_surface(const std::vector<Mesh>& meshes);

}  // namespace talus
