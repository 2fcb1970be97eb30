#include "collision/quads.h"

namespace talus {

namespace {

using Corners = std::array<std::uint32_t, 3>;

/// The quad of two triangles that share an edge, if they do.
bool join(const Corners& s, const Corners& t, Quad<std::uint32_t>& quad) {
  for (std::size_t i = 0; i < 3; ++i) {
    // s from its corner i ends with the edge c -> a; t has to have a -> c.
    const std::uint32_t a = s[i], c = s[(i + 2) % 3];
    for (std::size_t k = 0; k < 3; ++k) {
      if (t[k] != a || t[(k + 1) % 3] != c || t[(k + 2) % 3] == c) continue;
      quad = {a, s[(i + 1) % 3], c, t[(k + 2) % 3]};
      return true;
    }
  }
  return false;
}

}  // namespace

void pair_triangles(const Mesh& mesh, std::vector<Quad<std::uint32_t>>& quads) {
  quads.clear();
  const std::uint32_t* index = mesh.indices.data();
  const std::size_t count = mesh.triangle_count();
  quads.reserve(count / 2 + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Corners s = {index[3 * i], index[3 * i + 1], index[3 * i + 2]};
    Quad<std::uint32_t> quad = {s[0], s[1], s[2], s[2]};
    if (i + 1 < count) {
      const Corners t = {index[3 * i + 3], index[3 * i + 4], index[3 * i + 5]};
      if (t[0] == s[0] && t[1] == s[2] && t[2] != t[1]) {
        quad[3] = t[2];
        ++i;
      } else if (join(s, t, quad)) {
        ++i;
      }
    }
    quads.push_back(quad);
  }
}

}  // namespace talus
