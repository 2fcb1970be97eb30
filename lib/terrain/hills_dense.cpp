#include <algorithm>
#include <array>

#include "terrain/hills_columns.h"
#include "terrain/hills_sampler.h"

namespace talus {

void hills_dense(const HillsFormula& formula, const Lattice& lattice, std::span<double> out) {
  std::array<AxisCoordinates, 3> axes;
  for (int axis = 0; axis < 3; ++axis) {
    axes[static_cast<std::size_t>(axis)] = axis_coordinates(formula.values(), lattice, axis);
  }
  const Columns columns = make_columns(formula, lattice, axes[0], axes[2]);
  const PointTables tables = make_point_tables(formula, axes);
  const std::size_t n = columns.stride;
  PointList points;
  points.reset(n);
  std::vector<double> row(n);
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        points.set(i, axes, columns, IVec3(static_cast<int>(i), j, k));
      }
      hills_densities(formula, tables, DensityParts::Both, points.noise_points(),
                      points.column_points(), n, row.data());
      const auto first = static_cast<std::ptrdiff_t>(lattice.index(0, j, k));
      std::copy_n(row.begin(), lattice.size.x, out.begin() + first);
    }
  }
}

}  // namespace talus
