// How the surface passes through a cell, for each of the 256 ways its corners can be solid.
//
//        6-------7       corner = x + 2 y + 4 z
//       /|      /|       edges 0..3 along x, 4..7 along y, 8..11 along z; within an axis by the
//       edge's
//      4-------5 |       place on the other two axes, the earlier axis first:
//      | 2-----|-3         edge 1 is the x edge from corner 2, edge 2 the x edge from corner 4,
//      |/      |/          edge 5 the y edge from corner 1,    edge 9 the z edge from corner 1
//      0-------1         face 2 a is at the low end of axis a, face 2 a + 1 at the high end
//
// An edge is crossed where one end is solid and the other not. On every face the crossed edges are
// joined by segments; followed around the cell these close into cycles, each the rim of one sheet
// of surface, listed counter-clockwise as seen from the air. A face whose solid corners stand on a
// diagonal could be joined in two ways: it always parts the solids, so both cells at a face agree.
#pragma once

#include <array>
#include <cstdint>

namespace talus {

struct CellCase {
  int cycles = 0;                            // sheets, 0 to 4
  std::array<std::uint16_t, 4> edges{};      // of each: its crossed edges, a bit an edge
  int triangle_count = 0;                    // 0 to 5
  std::array<std::uint8_t, 15> triangles{};  // three crossed edges each
  /// The face whose two segments belong to one sheet, or -1. Where the cell beyond has the same
  /// face, one vertex a sheet would give the edge between the two vertices four triangles; there
  /// both cells join the solids on that face instead: `joined_*`.
  int pinched_face = -1;
  int joined_cycles = 0;
  std::array<std::uint16_t, 4> joined_edges{};
};

/// Corner pairs of the edges, the lower corner first.
struct EdgeEnds {
  std::uint8_t low, high, axis;
};
constexpr EdgeEnds edge_ends(int edge) {
  const int axis = edge / 4, u = edge & 1, v = edge >> 1 & 1;
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  const int low = u << first | v << second;
  return {static_cast<std::uint8_t>(low), static_cast<std::uint8_t>(low | 1 << axis),
          static_cast<std::uint8_t>(axis)};
}
/// The edge along `axis` from corner `low`.
constexpr int edge_from(int axis, int low) {
  const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
  return 4 * axis + (low >> first & 1) + 2 * (low >> second & 1);
}

/// All 256, by the mask of solid corners. Built once, in about a millisecond.
const std::array<CellCase, 256>& cell_cases();

}  // namespace talus
