#include "terrain/hills_sampler.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "terrain/hills_tile.h"
#include "voxel/crossed_cells.h"

namespace talus {

namespace {

/// Everything that one call works with; kept by the thread, so that a stream of chunks takes no
/// memory anew, and chunks above one another find their columns.
struct Scratch {
  std::vector<TileColumns> columns;
  std::vector<Tile> tiles;
  TileScratch tile;
  SolidBits exact;
  std::vector<std::uint64_t> crossed, needed;
};

/// A row of samples in tiles of whole blocks, of nearly one size.
struct TileRow {
  int samples, tiles, side;

  explicit TileRow(int n)
      : samples(n),
        tiles((n + kTileSide - 1) / kTileSide),
        side(((n + tiles - 1) / tiles + kBlockSide - 1) / kBlockSide * kBlockSide) {
    tiles = (n + side - 1) / side;
  }
  int first(int tile) const { return side * tile; }
  int size(int tile) const { return std::min(side, samples - side * tile); }
  int tile_of(int sample) const { return sample / side; }
};

class SurfaceSampler {
 public:
  SurfaceSampler(const HillsFormula& formula, const Lattice& lattice, Samples& into,
                 Scratch& scratch)
      : formula_(formula),
        into_(into),
        s_(scratch),
        x_(lattice.size.x),
        y_(lattice.size.y),
        z_(lattice.size.z) {
    into_.lattice = lattice;
    into_.density.resize(lattice.count());
    clear(into_.solid);
    clear(s_.exact);
  }

  void run(std::uint64_t formula_id) {
    place_tiles(formula_id);
    bool sampled = false;
    for (Tile& tile : s_.tiles) sampled |= sample_tile(formula_, tile, s_.tile, into_, s_.exact);
    if (!sampled) return;  // nowhere a surface
    find_missing();
    for (const Tile& tile : s_.tiles) complete_tile(formula_, tile, s_.tile, into_);
  }

 private:
  void clear(SolidBits& bits) const {
    bits.reshape(into_.lattice.size);
    std::fill(bits.words.begin(), bits.words.end(), 0);
  }

  void place_tiles(std::uint64_t formula_id) {
    s_.columns.resize(static_cast<std::size_t>(x_.tiles) * static_cast<std::size_t>(z_.tiles));
    s_.tiles.resize(s_.columns.size() * static_cast<std::size_t>(y_.tiles));
    for (int z = 0; z < z_.tiles; ++z) {
      for (int y = 0; y < y_.tiles; ++y) {
        for (int x = 0; x < x_.tiles; ++x) {
          Tile& tile = s_.tiles[tile_index(x, y, z)];
          tile.first = {x_.first(x), y_.first(y), z_.first(z)};
          tile.lattice = {into_.lattice.origin + tile.first,
                          {x_.size(x), y_.size(y), z_.size(z)},
                          into_.lattice.step};
          TileColumns& shared =
              s_.columns[static_cast<std::size_t>(x) +
                         static_cast<std::size_t>(x_.tiles) * static_cast<std::size_t>(z)];
          shared.set(formula_, formula_id, tile.lattice);
          tile.columns = &shared;
          tile.missing.clear();
        }
      }
    }
  }

  std::size_t tile_index(int x, int y, int z) const {
    return static_cast<std::size_t>(x) +
           static_cast<std::size_t>(x_.tiles) *
               (static_cast<std::size_t>(y) +
                static_cast<std::size_t>(y_.tiles) * static_cast<std::size_t>(z));
  }

  /// Corners of crossed cells that have no value yet, to their tiles.
  void find_missing() {
    find_crossed_cells(into_.solid, s_.crossed);
    find_corners_of(into_.solid, s_.crossed, s_.needed);
    const IVec3 size = into_.lattice.size;
    std::size_t at = 0;
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        for (int w = 0; w < s_.exact.words_per_row; ++w, ++at) {
          const std::uint64_t left = s_.needed[at] & ~s_.exact.words[at];
          if (left != 0) add_missing(left, {64 * w, y, z});
        }
      }
    }
  }

  void add_missing(std::uint64_t left, IVec3 first) {
    const std::size_t row = tile_index(0, y_.tile_of(first.y), z_.tile_of(first.z));
    for (; left != 0; left &= left - 1) {
      const IVec3 sample = first + IVec3(std::countr_zero(left), 0, 0);
      Tile& tile = s_.tiles[row + static_cast<std::size_t>(x_.tile_of(sample.x))];
      tile.missing.push_back(sample - tile.first);
    }
  }

  const HillsFormula& formula_;
  Samples& into_;
  Scratch& s_;
  TileRow x_, y_, z_;
};

}  // namespace

void hills_surface(const HillsFormula& formula, std::uint64_t formula_id, const Lattice& lattice,
                   Samples& into) {
  thread_local Scratch scratch;
  SurfaceSampler(formula, lattice, into, scratch).run(formula_id);
}

}  // namespace talus
