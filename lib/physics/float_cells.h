// A piece as water sees it: what is solid of each of its cells.
#pragma once

#include <vector>

#include "structure/piece.h"

namespace talus {

/// The solid part of one cell.
struct FloatCell {
  Vec3 middle{0};     // of it, from the piece's centre of mass, in its axes, metres
  double volume = 0;  // m3
  double face = 0;    // of its cube's faces that no other cell covers, m2
};

/// Cells by block, then z, y, x; volumes add up to the blocks' own. Cost: the cells; those of cut
/// blocks 64 look-ups each.
std::vector<FloatCell> float_cells(const Piece& piece);

}  // namespace talus
