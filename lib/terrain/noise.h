// Seeded simplex noise in two and three dimensions (Ken Perlin, "Noise hardware", 2001; after
// Stefan Gustavson, "Simplex noise demystified", 2005), one value at a time. This is the plain
// form, the oracle of the vector kernels in noise_kernel.h, and agrees with them to the bit.
//
// Values lie within (-1, 1). The 3D kernel reaches 0.6, a little past the simplex it is summed
// over, as published: where a point changes simplex the value may jump, by up to 0.0059.
#pragma once

#include <array>
#include <cstdint>

#include "core/random.h"

namespace talus {

/// A permutation of 0..255, drawn by Fisher-Yates from the front.
using Permutation = std::array<std::uint8_t, 256>;
Permutation draw_permutation(Mulberry32& random);

/// Skew and unskew factors of the simplex lattices, as doubles of the formulas.
inline constexpr double kSqrt3 = 1.7320508075688772;
inline constexpr double kSkew2 = (kSqrt3 - 1) / 2;
inline constexpr double kUnskew2 = (3 - kSqrt3) / 6;
inline constexpr double kSkew3 = 1.0 / 3;
inline constexpr double kUnskew3 = 1.0 / 6;

/// A 3D gradient is +-u +-v on two different axes; its byte holds, from bit 7 down: u negative,
/// v negative, u is y (not x), v is z (not y).
inline constexpr std::uint8_t kUNegative = 0x80, kVNegative = 0x40, kUIsY = 0x20, kVIsZ = 0x10;
/// A 2D gradient is +-x, +-y, or both; its byte holds, from bit 7 down: x negative, y negative, x
/// absent, y absent.
inline constexpr std::uint8_t kXNegative = 0x80, kYNegative = 0x40, kNoX = 0x20, kNoY = 0x10;

class Simplex2 {
 public:
  explicit Simplex2(const Permutation& permutation) : permutation_(permutation) {}
  double operator()(double x, double y) const;
  /// The gradient byte of lattice point (i, j); the pattern repeats every 256.
  std::uint8_t gradient(std::int64_t i, std::int64_t j) const;

 private:
  Permutation permutation_;
};

class Simplex3 {
 public:
  explicit Simplex3(const Permutation& permutation) : permutation_(permutation) {}
  double operator()(double x, double y, double z) const;
  /// The gradient byte of lattice point (i, j, k); the pattern repeats every 256.
  std::uint8_t gradient(std::int64_t i, std::int64_t j, std::int64_t k) const;

 private:
  Permutation permutation_;
};

}  // namespace talus
