#include "terrain/hills_tile.h"

#include <algorithm>

namespace talus {

namespace {

/// No noise value is greater than this.
constexpr double kMostNoise = 0.985;

/// Of a block, along an axis.
std::size_t first_sample(int block) {
  return std::size_t{kBlockSide} * static_cast<std::size_t>(block);
}

/// The coordinates along an axis in the overhang, first and second cave noise.
const std::vector<double>& in_noise(const AxisCoordinates& axis, std::size_t noise) {
  return noise == 0 ? axis.overhang : noise == 1 ? axis.cave_a : axis.cave_b;
}

// Columns.

void set_ranges(TileColumns& c, const BlockGrid& grid, int bx, int bz) {
  double h_lo = 1e300, h_hi = -1e300, o_lo = 1e300, o_hi = -1e300;
  for (int z = 0; z < kBlockSide; ++z) {
    const std::size_t first =
        first_sample(bx) + c.columns.stride * (first_sample(bz) + static_cast<std::size_t>(z));
    for (std::size_t i = first; i < first + kBlockSide; ++i) {
      h_lo = std::min(h_lo, c.columns.height[i]);
      h_hi = std::max(h_hi, c.columns.height[i]);
      o_lo = std::min(o_lo, c.columns.overhang[i]);
      o_hi = std::max(o_hi, c.columns.overhang[i]);
    }
  }
  const std::size_t at = grid.at(bx, 0, bz);
  c.ranges[0][at] = h_lo;
  c.ranges[1][at] = h_hi;
  c.ranges[2][at] = o_lo;
  c.ranges[3][at] = o_hi;
}

/// Every level of blocks as the first.
void repeat_by_level(const BlockGrid& grid, std::vector<double>& values) {
  for (int y = 1; y <= grid.blocks.y; ++y) {
    std::copy_n(values.begin(), grid.stride_y,
                values.begin() + static_cast<std::ptrdiff_t>(grid.at(0, y, 0)));
  }
}

void set_ranges(TileColumns& c, const BlockGrid& grid) {
  for (auto& range : c.ranges) range.assign(whole_groups(grid.count), 0);
  for (int bz = 0; bz < grid.blocks.z; ++bz) {
    for (int bx = 0; bx < grid.blocks.x; ++bx) set_ranges(c, grid, bx, bz);
  }
  for (auto& range : c.ranges) repeat_by_level(grid, range);
}

void widen_columns(TileColumns& c, const BlockGrid& grid) {
  const auto row = 8 * static_cast<std::size_t>(grid.blocks.x);
  const auto rows = kBlockSide * static_cast<std::size_t>(grid.blocks.z);
  const auto widen = [&](const double* from, double* out) {
    for (std::size_t i = 0; i < row; ++i) out[i] = from[i / 8 * 4 + i % 4];
  };
  c.block_height.resize(row * rows);
  c.block_overhang.resize(row * rows);
  for (std::size_t k = 0; k < rows; ++k) {
    widen(c.columns.height.data() + c.columns.stride * k, c.block_height.data() + row * k);
    widen(c.columns.overhang.data() + c.columns.stride * k, c.block_overhang.data() + row * k);
  }
  for (std::size_t noise = 0; noise < 3; ++noise) {
    c.block_x[noise].resize(row);
    widen(in_noise(c.x, noise).data(), c.block_x[noise].data());
  }
}

void place_corners(TileColumns& c, const BlockGrid& grid) {
  for (std::size_t noise = 0; noise < 3; ++noise) {
    c.corner_x[noise].assign(whole_groups(grid.count), 0);
    c.corner_z[noise].assign(whole_groups(grid.count), 0);
    for (int z = 0; z <= grid.blocks.z; ++z) {
      for (int x = 0; x <= grid.blocks.x; ++x) {
        const std::size_t at = grid.at(x, 0, z);
        c.corner_x[noise][at] = in_noise(c.x, noise)[first_sample(x)];
        c.corner_z[noise][at] = in_noise(c.z, noise)[first_sample(z)];
      }
    }
    repeat_by_level(grid, c.corner_x[noise]);
    repeat_by_level(grid, c.corner_z[noise]);
  }
}

}  // namespace

void TileColumns::set(const HillsFormula& formula, std::uint64_t id, const Lattice& tile) {
  if (formula_id == id && step == tile.step && origin.x == tile.origin.x &&
      origin.z == tile.origin.z && size.x == tile.size.x && size.z == tile.size.z) {
    return;
  }
  formula_id = id;
  step = tile.step;
  origin = tile.origin;
  size = tile.size;
  x = axis_coordinates(formula.values(), tile, 0);
  z = axis_coordinates(formula.values(), tile, 2);
  columns = make_columns(formula, tile, x, z);
  most_height = *std::max_element(columns.height.begin(), columns.height.end());
  most_overhang = *std::max_element(columns.overhang.begin(), columns.overhang.end());
  const BlockGrid grid({size.x, kTileSide, size.z});  // as high as any tile
  set_ranges(*this, grid);
  widen_columns(*this, grid);
  place_corners(*this, grid);
}

// Blocks.

namespace {

class TileSampler {
 public:
  TileSampler(const HillsFormula& formula, Tile& tile, TileScratch& scratch)
      : formula_(formula),
        values_(formula.values()),
        tile_(tile),
        columns_(*tile.columns),
        s_(scratch),
        grid_(tile.lattice.size) {}

  bool run(Samples& into, SolidBits& exact) {
    tile_.y = axis_coordinates(values_, tile_.lattice, 1);
    const int levels = levels_below_open_air();
    if (levels == 0) return false;
    prepare_y();
    tile_.tables = make_point_tables(formula_, tile_.axes());
    find_kinds(levels);
    list_places(levels);
    sample_blocks(into);
    fill_rows(levels, into.solid, exact);
    return !s_.places.empty();
  }

 private:
  /// The levels of blocks, from the lowest, that are not above all ground.
  int levels_below_open_air() const {
    const double top = columns_.most_height + kMostNoise * columns_.most_overhang + kBoundSlack;
    int levels = 0;
    while (levels < grid_.blocks.y && tile_.y.metres[first_sample(levels)] <= top) {
      ++levels;
    }
    return levels;
  }

  /// y of blocks and of the corners between them.
  void prepare_y() {
    const std::vector<double>& metres = tile_.y.metres;
    // Ranges of the last blocks look past the last corner.
    const std::size_t room = whole_groups(grid_.count) + grid_.stride_z + grid_.stride_y + kGroup;
    for (std::size_t noise = 0; noise < 3; ++noise) {
      s_.corner_noise[noise].resize(std::max(s_.corner_noise[noise].size(), room));
      fill_by_y(in_noise(tile_.y, noise).data(), grid_.blocks.y + 1, s_.corner_y[noise]);
    }
    fill_by_y(metres.data(), grid_.blocks.y, s_.y_lo);
    fill_by_y(metres.data() + kBlockSide - 1, grid_.blocks.y, s_.y_hi);
    for (std::size_t layer = 0; layer < 4; ++layer) {
      const std::vector<double>& from = layer < 3 ? in_noise(tile_.y, layer) : metres;
      s_.block_y[layer].resize(16 * static_cast<std::size_t>(grid_.blocks.y));
      for (std::size_t i = 0; i < s_.block_y[layer].size(); ++i) s_.block_y[layer][i] = from[i / 4];
    }
  }

  void fill_by_y(const double* values, int levels, std::vector<double>& out) const {
    out.resize(std::max(out.size(), whole_groups(grid_.count)));
    for (int y = 0; y < levels; ++y) {
      std::fill_n(out.data() + grid_.at(0, y, 0), grid_.stride_y, values[kBlockSide * y]);
    }
  }

  void find_kinds(int levels) {
    const std::size_t blocks = grid_.at(0, levels, 0), corners = grid_.at(0, levels + 1, 0);
    const auto &x = columns_.corner_x, &y = s_.corner_y, &z = columns_.corner_z;
    hills_noises(tile_.tables,
                 {x[0].data(), y[0].data(), z[0].data(), x[1].data(), y[1].data(), z[1].data(),
                  x[2].data(), y[2].data(), z[2].data()},
                 whole_groups(corners), s_.corner_noise[0].data(), s_.corner_noise[1].data(),
                 s_.corner_noise[2].data());
    const auto& r = columns_.ranges;
    s_.kinds.resize(whole_groups(blocks));
    hills_block_kinds(
        values_,
        {r[0].data(), r[1].data(), r[2].data(), r[3].data(), s_.y_lo.data(), s_.y_hi.data()},
        corner_noises(), s_.kinds.size(), s_.kinds.data());
  }

  CornerNoises corner_noises() const {
    return {{s_.corner_noise[0].data(), s_.corner_noise[1].data(), s_.corner_noise[2].data()},
            grid_.stride_y,
            grid_.stride_z,
            noise_margins(values_, tile_.lattice.step)};
  }

  void list_places(int levels) {
    s_.places.clear();
    for (int z = 0; z < grid_.blocks.z; ++z) {
      for (int y = 0; y < levels; ++y) {
        const BlockKind* kinds = s_.kinds.data() + grid_.at(0, y, z);
        for (int x = 0; x < grid_.blocks.x; ++x) {
          if (kinds[x] > BlockKind::Rock) s_.places.push_back({x, y, z, kinds[x]});
        }
      }
    }
  }

  void sample_blocks(Samples& into) {
    s_.block_bits.resize(std::max(s_.block_bits.size(), s_.places.size()));
    const TileColumns& c = columns_;
    const IVec3 at = tile_.first, whole = into.lattice.size;
    const auto row = static_cast<std::size_t>(whole.x);
    hills_blocks(formula_, tile_.tables,
                 {c.block_x[0].data(), c.block_x[1].data(), c.block_x[2].data(),
                  s_.block_y[0].data(), s_.block_y[1].data(), s_.block_y[2].data(),
                  s_.block_y[3].data(), c.z.overhang.data(), c.z.cave_a.data(), c.z.cave_b.data(),
                  c.block_height.data(), c.block_overhang.data(), c.block_x[0].size()},
                 corner_noises(), s_.places, s_.block_bits.data(),
                 {into.density.data() + into.lattice.index(at.x, at.y, at.z), tile_.lattice.size,
                  row, row * static_cast<std::size_t>(whole.y)});
  }

  /// The bits of the rows, from what blocks are and from what was sampled.
  void fill_rows(int levels, SolidBits& solid, SolidBits& exact) const {
    const BlockBits* sampled = s_.block_bits.data();
    for (int z = 0; z < grid_.blocks.z; ++z) {
      for (int y = 0; y < levels; ++y) {
        RowBits rows;
        sampled =
            hills_block_rows(s_.kinds.data() + grid_.at(0, y, z), grid_.blocks.x, sampled, rows);
        add_rows(y, z, rows.solid, solid);
        add_rows(y, z, rows.exact, exact);
      }
    }
  }

  /// The rows of a row of blocks, to the bits of the lattice.
  void add_rows(int by, int bz, const std::uint64_t (&rows)[16], SolidBits& to) const {
    const IVec3 size = tile_.lattice.size, lo = kBlockSide * IVec3(0, by, bz);
    const std::uint64_t inside = (1ull << size.x) - 1;
    const int shift = tile_.first.x % 64, word = tile_.first.x / 64;
    const bool straddles = shift + size.x > 64;
    const int layers = std::min(kBlockSide, size.z - lo.z),
              lines = std::min(kBlockSide, size.y - lo.y);
    for (int k = 0; k < layers; ++k) {
      std::size_t at =
          to.row(tile_.first.y + lo.y, tile_.first.z + lo.z + k) + static_cast<std::size_t>(word);
      for (int row = kBlockSide * k; row < kBlockSide * k + lines; ++row) {
        const std::uint64_t bits = rows[row] & inside;
        to.words[at] |= bits << shift;
        if (straddles) to.words[at + 1] |= bits >> (64 - shift);
        at += static_cast<std::size_t>(to.words_per_row);
      }
    }
  }

  const HillsFormula& formula_;
  const HillsValues& values_;
  Tile& tile_;
  const TileColumns& columns_;
  TileScratch& s_;
  BlockGrid grid_;
};

}  // namespace

bool sample_tile(const HillsFormula& formula, Tile& tile, TileScratch& scratch, Samples& into,
                 SolidBits& exact) {
  return TileSampler(formula, tile, scratch).run(into, exact);
}

void complete_tile(const HillsFormula& formula, const Tile& tile, TileScratch& scratch,
                   Samples& into) {
  const std::size_t count = tile.missing.size();
  if (count == 0) return;
  PointList& points = scratch.points;
  points.reset(count);
  scratch.densities.resize(std::max(scratch.densities.size(), whole_groups(count)));
  for (std::size_t at = 0; at < whole_groups(count); ++at) {
    points.set(at, tile.axes(), tile.columns->columns, tile.missing[at < count ? at : 0]);
  }
  hills_densities(formula, tile.tables, points.noise_points(), points.column_points(),
                  whole_groups(count), scratch.densities.data());
  for (std::size_t at = 0; at < count; ++at) {
    const IVec3 p = tile.first + tile.missing[at];
    into.density[into.lattice.index(p.x, p.y, p.z)] = density_to_float(scratch.densities[at]);
  }
}

}  // namespace talus
