// Blocks of 4^3 samples, and what noise can be within one. For the files of preset `hills`.
#pragma once

#include <cstddef>
#include <vector>

#include "core/vec.h"
#include "terrain/hills_kernel.h"

namespace talus {

/// Blocks of a lattice, with the corners between them; arrays over corners have room for one corner
/// more than blocks along every axis, so block b and corner b share an index. Level by level, so
/// that what lies above the ground is at the end.
struct BlockGrid {
  IVec3 blocks;
  std::size_t stride_z, stride_y, count;

  explicit BlockGrid(IVec3 samples)
      : blocks((samples + IVec3(kBlockSide - 1)) / kBlockSide),
        stride_z(static_cast<std::size_t>(blocks.x) + 1),
        stride_y(stride_z * (static_cast<std::size_t>(blocks.z) + 1)),
        count(stride_y * (static_cast<std::size_t>(blocks.y) + 1)) {}
  std::size_t at(int x, int y, int z) const {
    return static_cast<std::size_t>(x) + stride_y * static_cast<std::size_t>(y) +
           stride_z * static_cast<std::size_t>(z);
  }
};

/// How far noises are, within a block, from what is blended between its eight corners, at a
/// lattice's step (metres).
NoiseMargins noise_margins(const HillsValues& values, double step);

}  // namespace talus
