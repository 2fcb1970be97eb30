// A block: a cube of whole cells, of one material, with cuts along some of its edges.
//
//   sides:  0 -x   1 +x   2 -y   3 +y   4 -z   5 +z
//   edges:  4 * axis + (1 if on the high side of the next axis) + (2 if of the one after), where
//           axis is the one the edge runs along and x -> y -> z -> x are "next"
//
// A cut takes away what lies outside its surface, seen across the edge:
//
//     Round            Bevel            Ramp
//    +----.           +---.            .            Round: the cylinder about the block's middle
//    |     \          |    \           |\           axis, only in the quarter at the edge; where
//    |  +   |         |  +  |          | +\         all three edges of a corner are round, the
//    ball. |      |         |     |          |    \       Bevel: through the middles of the two
//    sides.
//    +------+         +-----+          +------\     Ramp: through the two neighbouring edges.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/box.h"
#include "voxel/material.h"

namespace talus {

/// Edge of a cell, metres.
inline constexpr double kCell = 0.5;
/// Most cells along a block's edge.
inline constexpr int kMaxBlockSize = 16;
/// Blocks lie within this many cells of the origin on every axis.
inline constexpr int kFarthestCell = 1 << 28;

enum class Cut : std::uint8_t { None, Round, Bevel, Ramp };
inline constexpr int kEdges = 12;
inline constexpr int kSides = 6;

/// The edge along `axis` on the sides that the signs of `out` name (out[axis] is not looked at).
constexpr int edge_index(int axis, IVec3 out) {
  return 4 * axis + (out[(axis + 1) % 3] > 0 ? 1 : 0) + (out[(axis + 2) % 3] > 0 ? 2 : 0);
}
constexpr int edge_axis(int edge) {
  return edge / 4;
}
/// Where the edge lies, from the block's middle: -1 or 1 on two axes, 0 on its own.
constexpr IVec3 edge_outward(int edge) {
  IVec3 out(0);
  out[(edge / 4 + 1) % 3] = edge & 1 ? 1 : -1;
  out[(edge / 4 + 2) % 3] = edge & 2 ? 1 : -1;
  return out;
}
constexpr IVec3 side_normal(int side) {
  IVec3 n(0);
  n[side / 2] = side % 2 ? 1 : -1;
  return n;
}

/// The cuts of the twelve edges, two bits each.
struct Cuts {
  std::uint32_t bits = 0;

  Cut at(int edge) const { return static_cast<Cut>(bits >> (2 * edge) & 3); }
  Cuts& set(int edge, Cut cut) {
    bits = (bits & ~(3u << (2 * edge))) | static_cast<std::uint32_t>(cut) << (2 * edge);
    return *this;
  }
  bool none() const { return bits == 0; }
  bool operator==(const Cuts&) const = default;
};

struct Block {
  IVec3 cell{0};  // the least cell
  int size = 1;   // cells along every edge, 1 to kMaxBlockSize
  MaterialId material = 0;
  Cuts cuts;

  bool operator==(const Block&) const = default;
  IBox cells() const { return {cell, cell + IVec3(size)}; }
  /// Middle of the cube, metres.
  Vec3 middle() const { return kCell * (Vec3(cell) + Vec3(0.5 * size)); }
  /// Half its edge, metres.
  double half() const { return 0.5 * kCell * size; }
};

/// True where no cut touches the side: it covers all of what lies against it.
bool side_is_whole(Cuts cuts, int side);

/// The cuts of a shape's name: cube, ball, pillar, ramp (rises along +x), wedge roof (ridge along
/// z), dome.
std::optional<Cuts> named_cuts(std::string_view name);
std::vector<std::string_view> shape_names();

/// The cuts after quarter turns about +y, counter-clockwise seen from above (+x goes to -z).
Cuts turned(Cuts cuts, int quarter_turns);
/// The cuts as a mirror across the axis shows them.
Cuts mirrored(Cuts cuts, int axis);

}  // namespace talus
