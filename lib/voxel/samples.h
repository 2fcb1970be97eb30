// Densities on a box of the sample lattice, and which of them are solid: what every mesher reads.
//
// Density is positive in rock and soil, negative in air; a sample is solid where its density is
// above zero. One rule, kept as one bit a sample, so that nobody decides it twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voxel/lattice.h"

namespace talus {

/// One bit a lattice point, in rows along x: bit x % 64 of word x / 64 of row y + size.y * z.
struct SolidBits {
  IVec3 size{0};
  int words_per_row = 0;
  std::vector<std::uint64_t> words;  // bits past size.x are 0

  explicit SolidBits(IVec3 box = IVec3(0))
      : size(box),
        words_per_row((box.x + 63) / 64),
        words(static_cast<std::size_t>(words_per_row) * static_cast<std::size_t>(box.y) *
              static_cast<std::size_t>(box.z)) {}
  /// Another box in the memory of this one; the bits are not cleared.
  void reshape(IVec3 box) {
    size = box;
    words_per_row = (box.x + 63) / 64;
    words.resize(static_cast<std::size_t>(words_per_row) * static_cast<std::size_t>(box.y) *
                 static_cast<std::size_t>(box.z));
  }
  std::size_t row(int y, int z) const {
    return static_cast<std::size_t>(words_per_row) *
           (static_cast<std::size_t>(y) +
            static_cast<std::size_t>(size.y) * static_cast<std::size_t>(z));
  }
  bool at(int x, int y, int z) const {
    return words[row(y, z) + static_cast<std::size_t>(x / 64)] >> (x % 64) & 1;
  }
  /// How many are solid.
  std::int64_t count() const;
  bool operator==(const SolidBits&) const = default;
};

/// The densities of a lattice. `solid` holds for every sample. `density` may be left unwritten away
/// from the surface: a sampler that skips what cannot hold surface promises only the values at
/// corners of cells whose eight corners are not all solid or all air, and no mesher reads others.
struct Samples {
  Lattice lattice;
  std::vector<float> density;
  SolidBits solid;
};

/// The float nearest to a density, kept above zero where the density is: rounding never turns rock
/// into air.
inline float density_to_float(double density) {
  const auto rounded = static_cast<float>(density);
  return density > 0 && rounded == 0 ? 0x1p-126f : rounded;
}

/// Which of the densities (x fastest, then y, then z) are solid.
SolidBits solid_bits(IVec3 size, std::span<const float> density);
/// The same, in the memory of `into`.
void find_solid(IVec3 size, std::span<const float> density, SolidBits& into);

/// Samples whose densities are all given.
Samples make_samples(const Lattice& lattice, std::vector<float> density);

}  // namespace talus
