// Meshes as Wavefront OBJ text: `v` (with colours after the position, where there are any), `vn`
// with four decimals, `f`. Positions print exactly: the shortest text that reads back to the same
// bits.
//
// The functions touch nothing but `out`, so pieces can be formatted on several threads. Positions
// on the grid of 1/1024 m take a fast path, fastest when the pieces and `out` fit the cache (16 384
// vertices or triangles do) and `out` keeps its memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/vec.h"

namespace talus {

/// `v` lines, each position moved by `shift` (metres; the sum is made in double). Colours are as
/// many as positions, or none.
void append_obj_vertices(std::string& out, std::span<const Vec3f> positions,
                         std::span<const Vec3f> colors, Vec3 shift);

/// `vn` lines.
void append_obj_normals(std::string& out, std::span<const Vec3f> normals);

/// `f` lines, three indices each. Index 0 is vertex `first_vertex` of the file, which counts from
/// 1; a normal has the number of its vertex.
void append_obj_faces(std::string& out, std::span<const std::uint32_t> indices,
                      std::uint64_t first_vertex, bool with_normals);

}  // namespace talus
