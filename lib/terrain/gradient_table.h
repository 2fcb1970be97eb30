// The gradients that simplex noise needs within a small box of its lattice, hashed once and kept in
// 64 bytes, so that a vector of points looks them up with byte shuffles.
//
// A terrain chunk spans few lattice points of each noise: at most 4 x 4 x 4 of a 3D noise, 8 x 8 of
// an octave of a 2D one. Where it spans more (a coarse step, a small scale), `fits` is false and
// the gradients are hashed point by point: slower, the same bits.
#pragma once

#include <cstdint>

#include "core/box.h"
#include "terrain/noise.h"

namespace talus {

struct GradientTable2 {
  const Simplex2* noise = nullptr;
  bool fits = false;
  double i0 = 0, j0 = 0;                        // the lattice point of entry 0
  alignas(64) std::uint8_t gradients[64] = {};  // i - i0 + 8 (j - j0)
};

struct GradientTable3 {
  const Simplex3* noise = nullptr;
  bool fits = false;
  double i0 = 0, j0 = 0, k0 = 0;                // the lattice point of entry 0
  alignas(64) std::uint8_t gradients[64] = {};  // i - i0 + 4 (j - j0) + 16 (k - k0)
};

/// For points with x in [x_lo, x_hi], y in [y_lo, y_hi] (noise coordinates).
GradientTable2 make_table(const Simplex2& noise, double x_lo, double x_hi, double y_lo,
                          double y_hi);
/// For points in the box (noise coordinates).
GradientTable3 make_table(const Simplex3& noise, const Box& box);

}  // namespace talus
