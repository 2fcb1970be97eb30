// The samples of preset `hills` in a tile: a part of a lattice that is small enough for the tables
// of gradients, and the unit in which columns are remembered.
#pragma once

#include <cstdint>
#include <vector>

#include "terrain/hills_blocks.h"
#include "terrain/hills_columns.h"
#include "terrain/hills_kernel.h"
#include "voxel/samples.h"

namespace talus {

/// The most samples along a side; whole blocks.
inline constexpr int kTileSide = 36;

/// What tiles above one another share.
struct TileColumns {
  // Whose columns they are.
  std::uint64_t formula_id = 0;
  IVec3 origin{0}, size{0};
  double step = 0;

  AxisCoordinates x, z;
  Columns columns;
  double most_height = 0, most_overhang = 0;
  // As blocks read them (BlockCoordinates).
  std::vector<double> block_x[3], block_height, block_overhang;
  // An entry a block: least, greatest height; least, greatest overhang factor.
  std::vector<double> ranges[4];
  // An entry a corner between blocks: its x and z in the overhang, then in the cave noises.
  std::vector<double> corner_x[3], corner_z[3];

  /// Those of a tile, unless they are what is here already.
  void set(const HillsFormula& formula, std::uint64_t id, const Lattice& tile);
};

/// A tile of a lattice; what is needed of it until all tiles are sampled.
struct Tile {
  IVec3 first{0};   // its first sample, counted from the lattice's first
  Lattice lattice;  // its own samples
  const TileColumns* columns = nullptr;
  AxisCoordinates y;
  PointTables tables;
  std::vector<IVec3> missing;  // samples without a value that needs one, counted from `first`

  LatticeAxes axes() const { return {&columns->x, &y, &columns->z}; }
};

/// Memory for one tile at a time.
struct TileScratch {
  std::vector<double> block_y[4], y_lo, y_hi, corner_y[3], corner_noise[3];
  std::vector<BlockKind> kinds;
  std::vector<BlockPlace> places;
  std::vector<BlockBits> block_bits;  // of places
  PointList points;
  std::vector<double> densities;
};

/// Samples the tile into the samples of the whole lattice, whose bits are still 0 there: every
/// sign, and values where blocks left the sign open, marked in `exact`. Whether there were any:
/// without, no surface passes through the tile.
bool sample_tile(const HillsFormula& formula, Tile& tile, TileScratch& scratch, Samples& into,
                 SolidBits& exact);

/// Works out the tile's missing values.
void complete_tile(const HillsFormula& formula, const Tile& tile, TileScratch& scratch,
                   Samples& into);

}  // namespace talus
