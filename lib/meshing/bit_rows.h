// Reading the solid bits of cells: 64 cells of a row at a time. For the meshers' own files.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mesh/mesh.h"
#include "meshing/mesher.h"
#include "voxel/samples.h"

namespace talus {

/// The bits [first, last) of a word; both may lie outside 0..64.
inline std::uint64_t bits_between(int first, int last) {
  const auto below = [](int n) { return n <= 0 ? 0 : n >= 64 ? ~0ull : (1ull << n) - 1; };
  return below(last) & ~below(first);
}

inline std::uint64_t word_of(const SolidBits& solid, int word, int y, int z) {
  return solid.words[solid.row(y, z) + static_cast<std::size_t>(word)];
}

/// The same samples' right neighbours.
inline std::uint64_t next_of(const SolidBits& solid, int word, int y, int z) {
  const std::uint64_t here = word_of(solid, word, y, z) >> 1;
  return word + 1 < solid.words_per_row ? here | word_of(solid, word + 1, y, z) << 63 : here;
}

/// The crossed edges along an axis that start at 64 samples of a row.
inline std::uint64_t crossed_edges(const SolidBits& solid, int axis, int word, int y, int z) {
  const std::uint64_t high = axis == 0   ? next_of(solid, word, y, z)
                             : axis == 1 ? word_of(solid, word, y + 1, z)
                                         : word_of(solid, word, y, z + 1);
  return word_of(solid, word, y, z) ^ high;
}

/// Whether every sample is solid, or none: then there is no surface.
inline bool is_uniform(const SolidBits& solid) {
  const std::uint64_t first = solid.words.front();
  const std::uint64_t row = bits_between(0, solid.size.x);
  return solid.words_per_row == 1 && (first == 0 || first == row) &&
         std::all_of(solid.words.begin(), solid.words.end(),
                     [&](std::uint64_t word) { return word == first; });
}

/// The corners of 64 cells, as numbered in cell_cases.h: corners 2 r and 2 r + 1 lie in row r.
struct CornerBits {
  std::uint64_t rows[4], next_rows[4];

  CornerBits(const SolidBits& solid, int word, int y, int z) {
    for (int r = 0; r < 4; ++r) {
      rows[r] = word_of(solid, word, y + (r & 1), z + (r >> 1));
      next_rows[r] = next_of(solid, word, y + (r & 1), z + (r >> 1));
    }
  }
  std::uint8_t mask(int bit) const {
    // The second corner of a row is the first's neighbour in the word, but for the last cell.
    const auto pair = [&](int r) {
      return bit < 63 ? rows[r] >> bit & 3 : rows[r] >> 63 | next_rows[r] >> 63 << 1;
    };
    return static_cast<std::uint8_t>(pair(0) | pair(1) << 2 | pair(2) << 4 | pair(3) << 6);
  }
};

/// Where a word is: word w of row (y, z).
struct WordPlace {
  std::int32_t w, y, z;
};
/// The words, in places as in `solid`, that have bits set, of the rows from `lo` to `hi` along y
/// and z; row by row, in the memory that `places` has.
inline void list_words(const SolidBits& solid, const std::vector<std::uint64_t>& words, int lo,
                       IVec3 hi, std::vector<WordPlace>& places) {
  places.clear();
  for (int z = lo; z <= hi.z; ++z) {
    const std::uint64_t* word = words.data() + solid.row(lo, z);
    for (int y = lo; y <= hi.y; ++y) {
      for (int w = 0; w < solid.words_per_row; ++w) {
        if (*word++ != 0) places.push_back({w, y, z});
      }
    }
  }
}

/// Room for `more` entries past the first `used` of a list that only ever grows: entries are
/// written without asking again.
template <class Entry>
Entry* room_for(std::vector<Entry>& list, std::size_t used, std::size_t more) {
  if (list.size() < used + more) list.resize(2 * (used + more));
  return list.data() + used;
}

/// Positions from grid units counted from sample 0 to metres from own.lo, which is sample kApron.
inline void grid_to_metres(Mesh& mesh, double step) {
  const auto unit = static_cast<float>(step / kGridPerStep);
  constexpr auto kShift = static_cast<float>(kApron * kGridPerStep);
  for (Vec3f& p : mesh.positions) p = (p - Vec3f(kShift)) * unit;
}

}  // namespace talus
