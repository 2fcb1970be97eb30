// A triangle mesh as the writers take it.
//
// Triangles are counter-clockwise seen from outside (from the air). Positions are relative to
// `origin`, so that a mesh a thousand kilometres out is as smooth as one at home; world = origin +
// position.
#pragma once

#include <cstdint>
#include <vector>

#include "core/vec.h"

namespace talus {

struct Mesh {
  Vec3 origin{0};                      // metres, world
  std::vector<Vec3f> positions;        // metres from the origin
  std::vector<Vec3f> normals;          // unit, outward; as many as positions, or none
  std::vector<Vec3f> colors;           // linear RGB, 0 to 1; as many as positions, or none
  std::vector<std::uint32_t> indices;  // three a triangle

  std::size_t triangle_count() const { return indices.size() / 3; }
  bool empty() const { return indices.empty(); }
};

}  // namespace talus
