#include "terrain/hills_columns.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

/// Samples, padded to whole blocks.
std::size_t in_whole_blocks(int samples) {
  return std::size_t{kBlockSide} *
         static_cast<std::size_t>((samples + kBlockSide - 1) / kBlockSide);
}

}  // namespace

AxisCoordinates axis_coordinates(const HillsValues& v, const Lattice& lattice, int axis) {
  const double overhang_scale[3] = {v.overhang_scale_x_m, v.overhang_scale_y_m,
                                    v.overhang_scale_z_m};
  const double cave_scale[3] = {v.cave_scale_x_m, v.cave_scale_y_m, v.cave_scale_z_m};
  const double cave_offset[3] = {v.cave_offset_x, v.cave_offset_y, v.cave_offset_z};
  // One past the last whole block: bounds look at the far corners of blocks.
  const std::size_t size = in_whole_blocks(lattice.size[axis]) + 1;
  const std::size_t count = whole_groups(size);
  AxisCoordinates c;
  for (auto* values : {&c.metres, &c.overhang, &c.cave_a, &c.cave_b}) values->resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Padding repeats the last, so that it widens no box.
    const auto at = static_cast<int>(std::min(i, size - 1));
    const double metres = lattice.step * (lattice.origin[axis] + static_cast<double>(at));
    c.metres[i] = metres;
    c.overhang[i] = metres / overhang_scale[axis];
    c.cave_a[i] = metres / cave_scale[axis];
    c.cave_b[i] = c.cave_a[i] + cave_offset[axis];
  }
  return c;
}

namespace {

/// Tables of the octaves of a 2D layer whose first octave spans the given coordinates.
std::vector<GradientTable2> octave_tables(const Simplex2& noise, double octaves, double x_lo,
                                          double x_hi, double z_lo, double z_hi) {
  std::vector<GradientTable2> tables;
  for (int o = 0; o < static_cast<int>(octaves); ++o) {
    const double f = std::ldexp(1.0, o);
    tables.push_back(make_table(noise, x_lo * f, x_hi * f, z_lo * f, z_hi * f));
  }
  return tables;
}

ColumnTables make_column_tables(const HillsFormula& formula, const AxisCoordinates& x,
                                const AxisCoordinates& z) {
  const HillsValues& v = formula.values();
  const Simplex2& noise = formula.noise2();
  const double x_lo = x.metres.front(), x_hi = x.metres.back();
  const double z_lo = z.metres.front(), z_hi = z.metres.back();
  ColumnTables tables;
  tables.mountain = make_table(noise, x_lo / v.mountain_scale_m + v.mountain_offset_x,
                               x_hi / v.mountain_scale_m + v.mountain_offset_x,
                               z_lo / v.mountain_scale_m + v.mountain_offset_z,
                               z_hi / v.mountain_scale_m + v.mountain_offset_z);
  tables.hills = octave_tables(noise, v.hill_octaves, x_lo / v.hill_scale_m, x_hi / v.hill_scale_m,
                               z_lo / v.hill_scale_m, z_hi / v.hill_scale_m);
  tables.ridges = octave_tables(noise, v.ridge_octaves, x_lo / v.ridge_scale_m + v.ridge_offset_x,
                                x_hi / v.ridge_scale_m + v.ridge_offset_x,
                                z_lo / v.ridge_scale_m + v.ridge_offset_z,
                                z_hi / v.ridge_scale_m + v.ridge_offset_z);
  const auto fits = [](const GradientTable2& table) { return table.fits; };
  tables.fit = tables.mountain.fits &&
               std::all_of(tables.hills.begin(), tables.hills.end(), fits) &&
               std::all_of(tables.ridges.begin(), tables.ridges.end(), fits);
  return tables;
}

}  // namespace

Columns make_columns(const HillsFormula& formula, const Lattice& lattice, const AxisCoordinates& x,
                     const AxisCoordinates& z) {
  const ColumnTables tables = make_column_tables(formula, x, z);
  Columns columns;
  columns.stride = x.metres.size();
  const std::size_t rows = in_whole_blocks(lattice.size.z);
  columns.height.resize(columns.stride * rows);
  columns.overhang.resize(columns.stride * rows);
  for (std::size_t k = 0; k < rows; ++k) {
    hills_columns(formula, tables, x.metres.data(), z.metres[k], columns.stride,
                  columns.height.data() + k * columns.stride,
                  columns.overhang.data() + k * columns.stride);
  }
  return columns;
}

PointTables make_point_tables(const HillsFormula& formula, const LatticeAxes& axes) {
  const auto table = [&](std::vector<double> AxisCoordinates::*layer) {
    const auto low = [&](std::size_t a) { return (axes[a]->*layer).front(); };
    const auto high = [&](std::size_t a) { return (axes[a]->*layer).back(); };
    return make_table(formula.noise3(), Box{{low(0), low(1), low(2)}, {high(0), high(1), high(2)}});
  };
  return {table(&AxisCoordinates::overhang), table(&AxisCoordinates::cave_a),
          table(&AxisCoordinates::cave_b)};
}

void PointList::reset(std::size_t most) {
  capacity_ = whole_groups(most);
  data_.resize(std::max(data_.size(), 12 * capacity_));
}

void PointList::set(std::size_t entry, const LatticeAxes& axes, const Columns& columns, IVec3 at) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(at[static_cast<int>(axis)]);
    row(axis)[entry] = axes[axis]->overhang[i];
    row(3 + axis)[entry] = axes[axis]->cave_a[i];
    row(6 + axis)[entry] = axes[axis]->cave_b[i];
  }
  const std::size_t column =
      static_cast<std::size_t>(at.x) + columns.stride * static_cast<std::size_t>(at.z);
  row(9)[entry] = axes[1]->metres[static_cast<std::size_t>(at.y)];
  row(10)[entry] = columns.height[column];
  row(11)[entry] = columns.overhang[column];
}

NoisePoints PointList::noise_points() const {
  return {row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7), row(8)};
}

ColumnPoints PointList::column_points() const {
  return {row(9), row(10), row(11)};
}

}  // namespace talus
