#include <algorithm>
#include <array>

#include "terrain/hills_columns.h"
#include "terrain/hills_sampler.h"

namespace talus {

namespace {

/// One axis' coordinates of a row of points that all share them.
struct Constant {
  std::vector<double> metres, overhang, cave_a, cave_b;

  explicit Constant(std::size_t n) : metres(n), overhang(n), cave_a(n), cave_b(n) {}
  void set(const AxisCoordinates& axis, int at) {
    const auto i = static_cast<std::size_t>(at);
    std::fill(metres.begin(), metres.end(), axis.metres[i]);
    std::fill(overhang.begin(), overhang.end(), axis.overhang[i]);
    std::fill(cave_a.begin(), cave_a.end(), axis.cave_a[i]);
    std::fill(cave_b.begin(), cave_b.end(), axis.cave_b[i]);
  }
};

}  // namespace

void hills_dense(const HillsFormula& formula, const Lattice& lattice, std::span<double> out) {
  const std::array<AxisCoordinates, 3> axes = {axis_coordinates(formula.values(), lattice, 0),
                                               axis_coordinates(formula.values(), lattice, 1),
                                               axis_coordinates(formula.values(), lattice, 2)};
  const AxisCoordinates& x = axes[0];
  const Columns columns = make_columns(formula, lattice, x, axes[2]);
  const PointTables tables = make_point_tables(formula, axes);
  const std::size_t n = columns.stride;
  Constant y(n), z(n);
  std::vector<double> row(n);
  for (int k = 0; k < lattice.size.z; ++k) {
    z.set(axes[2], k);
    const std::size_t column = n * static_cast<std::size_t>(k);
    for (int j = 0; j < lattice.size.y; ++j) {
      y.set(axes[1], j);
      hills_densities(
          formula, tables, DensityParts::Both,
          {x.overhang.data(), y.overhang.data(), z.overhang.data(), x.cave_a.data(),
           y.cave_a.data(), z.cave_a.data(), x.cave_b.data(), y.cave_b.data(), z.cave_b.data()},
          {y.metres.data(), columns.height.data() + column, columns.overhang.data() + column}, n,
          row.data());
      const auto first = static_cast<std::ptrdiff_t>(lattice.index(0, j, k));
      std::copy_n(row.begin(), lattice.size.x, out.begin() + first);
    }
  }
}

}  // namespace talus
