// What the points of a lattice share: a row of coordinates an axis, the columns, the gradient
// tables. For the files of preset `hills`.
#pragma once

#include <array>
#include <vector>

#include "terrain/hills_kernel.h"

namespace talus {

/// Coordinates of lattice points along one axis, from the lattice's first on, padded past its last
/// to whole blocks of four and groups of kGroup.
struct AxisCoordinates {
  std::vector<double> metres, overhang, cave_a, cave_b;
};
AxisCoordinates axis_coordinates(const HillsValues& values, const Lattice& lattice, int axis);

/// The columns of a lattice, x fastest; rows are padded to `stride`.
struct Columns {
  std::size_t stride = 0;
  std::vector<double> height, overhang;
};
Columns make_columns(const HillsFormula& formula, const Lattice& lattice, const AxisCoordinates& x,
                     const AxisCoordinates& z);

/// Of x, y and z.
using LatticeAxes = std::array<const AxisCoordinates*, 3>;

PointTables make_point_tables(const HillsFormula& formula, const LatticeAxes& axes);

/// Coordinates of points that stand anywhere in a lattice, an array a kind, as the kernels read
/// them.
class PointList {
 public:
  /// Makes room for `most` points, in whole groups; what was set is gone.
  void reset(std::size_t most);
  /// Sets entry `entry` to the lattice point `at`, counted from the lattice's first.
  void set(std::size_t entry, const LatticeAxes& axes, const Columns& columns, IVec3 at);
  NoisePoints noise_points() const;
  ColumnPoints column_points() const;

 private:
  double* row(std::size_t r) { return data_.data() + r * capacity_; }
  const double* row(std::size_t r) const { return data_.data() + r * capacity_; }

  std::vector<double> data_;
  std::size_t capacity_ = 0;
};

}  // namespace talus
