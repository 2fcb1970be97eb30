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

PointTables make_point_tables(const HillsFormula& formula,
                              const std::array<AxisCoordinates, 3>& axes);

}  // namespace talus
