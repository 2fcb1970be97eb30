// The formula of preset `hills` for many columns and many points at once, on the widest vectors the
// processor has. The same bits at every width, and the same as HillsFormula.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "terrain/gradient_table.h"
#include "terrain/hills.h"
#include "voxel/lattice.h"

namespace talus {

/// Arrays handed to the kernels hold whole groups of this many numbers; what is past the wanted
/// ones is worked out too and means nothing, but must be finite.
inline constexpr std::size_t kGroup = 8;
constexpr std::size_t whole_groups(std::size_t n) {
  return (n + kGroup - 1) / kGroup * kGroup;
}

/// Bounds are worked out in another order than densities; this is far more than rounding differs.
inline constexpr double kBoundSlack = 1e-6;

/// The gradients of every 2D noise layer over an area.
struct ColumnTables {
  GradientTable2 mountain;
  std::vector<GradientTable2> hills, ridges;  // an octave each
  bool fit = false;                           // all of them
};
/// The gradients of the 3D noise layers over a box.
struct PointTables {
  GradientTable3 overhang, cave_a, cave_b;
  bool fit() const { return overhang.fits && cave_a.fits && cave_b.fits; }
};

/// Columns at (x[i], z): heights (metres) and overhang factors, as HillsColumn. n a multiple of
/// kGroup.
void hills_columns(const HillsFormula& formula, const ColumnTables& tables, const double* x,
                   double z, std::size_t n, double* height, double* overhang);

/// Where points stand in the noises: overhang coordinates, first and second cave coordinates.
struct NoisePoints {
  const double *ox, *oy, *oz;
  const double *ax, *ay, *az;
  const double *bx, *by, *bz;
};
/// What the density of a point needs besides.
struct ColumnPoints {
  const double *y, *height, *overhang;
};

/// The three noises alone, for bounds. n a multiple of kGroup.
void hills_noises(const PointTables& tables, const NoisePoints& points, std::size_t n,
                  double* overhang, double* cave_a, double* cave_b);

/// Densities. n a multiple of kGroup.
void hills_densities(const HillsFormula& formula, const PointTables& tables,
                     const NoisePoints& points, const ColumnPoints& columns, std::size_t n,
                     double* out);

/// A row of points along x.
struct RowPoints {
  const double *ox, *ax, *bx;
  double oy, ay, by, oz, az, bz;
  double y;
  const double *height, *overhang;  // of its columns
};
/// Densities of n points of a row, n a multiple of kGroup.
void hills_row(const HillsFormula& formula, const PointTables& tables, const RowPoints& points,
               std::size_t n, double* out);

/// Blocks of 4^3 samples: the unit in which sampling is skipped.
inline constexpr int kBlockSide = 4;
inline constexpr std::size_t kBlockPoints = 64;

/// What a block is found to be.
enum class BlockKind : std::uint8_t { Air, Rock, SampleBoth, SampleGround, SampleCave };

/// How far noises are, within a block, from the values blended between its corners (and so from
/// their range).
struct NoiseMargins {
  double overhang, cave;
};
/// The noises (overhang, first and second cave noise) at the first corner of blocks. Those at a
/// block's other corners stand 1, stride_y and stride_z, and their sums, further on.
struct CornerNoises {
  const double* noise[3];
  std::size_t stride_y, stride_z;
  NoiseMargins margins;
};
/// Ranges over blocks, an entry a block.
struct BlockRanges {
  const double *height_lo, *height_hi, *overhang_lo, *overhang_hi;  // of its columns
  const double *y_lo, *y_hi;
};
/// Kinds of n blocks, n a multiple of kGroup: from intervals of d and of the cave term.
void hills_block_kinds(const HillsValues& values, const BlockRanges& ranges,
                       const CornerNoises& corners, std::size_t n, BlockKind* out);

/// The coordinates of the blocks of a lattice. Along x: four a block, twice over. Along y: each of
/// a block's four repeated four times. Along z: an entry a sample. Heights and overhang factors: a
/// row a z, `column_stride` apart, as along x.
struct BlockCoordinates {
  const double *ox, *ax, *bx;
  const double *oy, *ay, *by, *y;
  const double *oz, *az, *bz;
  const double *height, *overhang;
  std::size_t column_stride;
};
/// A block to sample, counted in blocks from the lattice's first.
struct BlockPlace {
  std::int32_t x, y, z;
  BlockKind kind;
};
/// The samples of a block, a bit each, x fastest, then y, then z.
struct BlockBits {
  std::uint64_t solid;
  std::uint64_t exact;  // has its value; the others only their sign
};
/// Where values of a lattice's samples go: those past `size` nowhere.
struct SampleGrid {
  float* first;
  IVec3 size;
  std::size_t row, layer;  // from a sample to the next along y and z
};
/// Samples blocks where their corners leave open what they hold: bits an entry a place.
void hills_blocks(const HillsFormula& formula, const PointTables& tables,
                  const BlockCoordinates& coordinates, const CornerNoises& corners,
                  std::span<const BlockPlace> places, BlockBits* bits, const SampleGrid& values);

/// A word of the 16 rows of a row of blocks, y fastest, then z.
struct RowBits {
  std::uint64_t solid[16], exact[16];
};
/// The rows of up to 16 blocks along x. `sampled` are the bits of those to be sampled, in order;
/// returns what follows them.
const BlockBits* hills_block_rows(const BlockKind* kinds, int blocks, const BlockBits* sampled,
                                  RowBits& rows);

}  // namespace talus
