// The formula of preset `hills` for many columns and many points at once, on the widest vectors the
// processor has. The same bits at every width, and the same as HillsFormula.
#pragma once

#include <cstddef>
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

/// The gradients of every 2D noise layer over an area.
struct ColumnTables {
  GradientTable2 mountain;
  std::vector<GradientTable2> hills, ridges;  // an octave each
};
/// The gradients of the 3D noise layers over a box.
struct PointTables {
  GradientTable3 overhang, cave_a, cave_b;
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

/// What of min(d, cave) has to be worked out: a bound may have shown that one of them is the
/// smaller.
enum class DensityParts : std::uint8_t { Both, GroundOnly, CaveOnly };

/// Densities. n a multiple of kGroup.
void hills_densities(const HillsFormula& formula, const PointTables& tables, DensityParts parts,
                     const NoisePoints& points, const ColumnPoints& columns, std::size_t n,
                     double* out);

/// Blocks of 4^3 samples: the unit in which sampling is skipped.
inline constexpr int kBlockSide = 4;
inline constexpr std::size_t kBlockPoints = 64;

/// The coordinates of one block. Along x: four, twice over. Along y: each of four repeated four
/// times. Along z: four. Heights and overhang factors: for each z four along x, twice over.
struct BlockPoints {
  const double *ox, *ax, *bx;       // 8
  const double *oy, *ay, *by, *y;   // 16
  const double *oz, *az, *bz;       // 4
  const double *height, *overhang;  // 4 rows of 8, `column_stride` apart
  std::size_t column_stride;
};
/// Densities of a block's samples, x fastest, then y, then z.
void hills_block(const HillsFormula& formula, const PointTables& tables, DensityParts parts,
                 const BlockPoints& points, double* out);

/// What a block is found to be.
enum class BlockKind : std::uint8_t { Air, Rock, SampleBoth, SampleGround, SampleCave };

/// Ranges over blocks, an entry a block.
struct BlockRanges {
  const double *height_lo, *height_hi, *overhang_lo, *overhang_hi;  // of its columns
  const double *y_lo, *y_hi;
  const double *noise_lo[3], *noise_hi[3];  // overhang, first and second cave noise, at its corners
};
/// How far noises leave their ranges at the corners, within a block.
struct NoiseMargins {
  double overhang, cave;
};
/// Kinds of n blocks, n a multiple of kGroup: from intervals of d and of the cave term.
void hills_block_kinds(const HillsValues& values, const BlockRanges& ranges,
                       const NoiseMargins& margins, std::size_t n, BlockKind* out);

}  // namespace talus
