#include <algorithm>
#include <array>

#include "terrain/hills_columns.h"
#include "terrain/hills_sampler.h"

namespace talus {

namespace {

/// Side of the bricks that a lattice is filled by: small enough for gradient tables to fit.
constexpr int kBrick = 32;

/// Fills the rows of the part of a lattice that has these columns and these y.
class BrickFill {
 public:
  BrickFill(const HillsFormula& formula, const std::array<AxisCoordinates, 3>& axes,
            const Columns& columns)
      : formula_(formula),
        axes_(axes),
        columns_(columns),
        tables_(make_point_tables(formula, {&axes[0], &axes[1], &axes[2]})) {}

  /// The first n densities of row (j, k), and those that fill up a group.
  void row(int j, int k, std::size_t n, double* out) const {
    const auto y = static_cast<std::size_t>(j), z = static_cast<std::size_t>(k);
    const std::size_t column = columns_.stride * z;
    hills_row(formula_, tables_,
              {axes_[0].overhang.data(), axes_[0].cave_a.data(), axes_[0].cave_b.data(),
               axes_[1].overhang[y], axes_[1].cave_a[y], axes_[1].cave_b[y], axes_[2].overhang[z],
               axes_[2].cave_a[z], axes_[2].cave_b[z], axes_[1].metres[y],
               columns_.height.data() + column, columns_.overhang.data() + column},
              whole_groups(n), out);
  }

 private:
  const HillsFormula& formula_;
  const std::array<AxisCoordinates, 3>& axes_;
  const Columns& columns_;
  PointTables tables_;
};

Lattice brick_at(const Lattice& lattice, IVec3 at) {
  Lattice brick{lattice.origin + at, lattice.size - at, lattice.step};
  for (int axis = 0; axis < 3; ++axis) brick.size[axis] = std::min(brick.size[axis], kBrick);
  return brick;
}

}  // namespace

void hills_dense(const HillsFormula& formula, const Lattice& lattice, std::span<double> out) {
  const HillsValues& values = formula.values();
  std::array<double, whole_groups(kBrick)> row;
  IVec3 at(0);
  for (at.z = 0; at.z < lattice.size.z; at.z += kBrick) {
    for (at.x = 0; at.x < lattice.size.x; at.x += kBrick) {
      at.y = 0;
      const Lattice column = brick_at(lattice, at);
      std::array<AxisCoordinates, 3> axes;
      axes[0] = axis_coordinates(values, column, 0);
      axes[2] = axis_coordinates(values, column, 2);
      const Columns columns = make_columns(formula, column, axes[0], axes[2]);
      for (; at.y < lattice.size.y; at.y += kBrick) {
        const Lattice brick = brick_at(lattice, at);
        axes[1] = axis_coordinates(values, brick, 1);
        const BrickFill fill(formula, axes, columns);
        for (int k = 0; k < brick.size.z; ++k) {
          for (int j = 0; j < brick.size.y; ++j) {
            fill.row(j, k, static_cast<std::size_t>(brick.size.x), row.data());
            std::copy_n(
                row.begin(), brick.size.x,
                out.begin() + static_cast<std::ptrdiff_t>(lattice.index(at.x, at.y + j, at.z + k)));
          }
        }
      }
    }
  }
}

}  // namespace talus
