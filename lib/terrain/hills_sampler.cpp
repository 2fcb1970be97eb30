#include "terrain/hills_sampler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "terrain/hills_blocks.h"
#include "terrain/hills_columns.h"
#include "voxel/crossed_cells.h"

namespace talus {

namespace {

/// No noise value is greater than this.
constexpr double kMostNoise = 0.985;

/// Everything that one call works with; kept by the thread, so that a stream of chunks takes no
/// memory anew.
struct Scratch {
  // The columns of the last call, whose they were, and what follows from them alone.
  std::uint64_t formula_id = 0;
  IVec3 origin{0}, size{0};
  double step = 0;
  std::array<AxisCoordinates, 3> axes;
  Columns columns;
  double most_height = 0, most_overhang = 0;

  // As blocks read them (BlockCoordinates).
  std::vector<double> block_x[3], block_y[4], block_height, block_overhang;
  // An entry a block: least, greatest height; least, greatest overhang factor; lowest, highest y.
  std::vector<double> ranges[6];
  // An entry a corner between blocks: x, y, z in the overhang, then in the cave noises.
  std::vector<double> corner_at[9], corner_noise[3];

  std::vector<BlockKind> kinds;
  std::vector<BlockPlace> places;
  std::vector<BlockSamples> blocks;
  SolidBits exact;
  std::vector<std::uint64_t> crossed, needed;
  std::vector<std::int32_t> missing;
  PointList points;
  std::vector<double> densities;
};

class SurfaceSampler {
 public:
  SurfaceSampler(const HillsFormula& formula, const Lattice& lattice, Samples& into,
                 Scratch& scratch)
      : formula_(formula),
        values_(formula.values()),
        lattice_(lattice),
        into_(into),
        s_(scratch),
        grid_(lattice.size) {}

  void run(std::uint64_t formula_id) {
    into_.lattice = lattice_;
    into_.density.resize(lattice_.count());
    into_.solid.reshape(lattice_.size);
    remember_columns(formula_id);
    const double bottom = lattice_.step * lattice_.origin.y;
    if (s_.most_height - bottom + kMostNoise * s_.most_overhang < -kBoundSlack) {
      std::fill(into_.solid.words.begin(), into_.solid.words.end(), 0);  // all air
      return;
    }
    prepare_y();
    tables_ = make_point_tables(formula_, s_.axes);
    find_kinds();
    mark_rows();
    if (s_.places.empty()) return;
    sample_blocks();
    complete_crossed_cells();
  }

 private:
  // Columns.

  void remember_columns(std::uint64_t formula_id) {
    const IVec3 o = lattice_.origin, n = lattice_.size;
    if (s_.formula_id == formula_id && s_.step == lattice_.step && s_.origin.x == o.x &&
        s_.origin.z == o.z && s_.size == n) {
      return;
    }
    s_.formula_id = formula_id;
    s_.step = lattice_.step;
    s_.origin = o;
    s_.size = n;
    s_.axes[0] = axis_coordinates(values_, lattice_, 0);
    s_.axes[2] = axis_coordinates(values_, lattice_, 2);
    s_.columns = make_columns(formula_, lattice_, s_.axes[0], s_.axes[2]);
    s_.most_height = *std::max_element(s_.columns.height.begin(), s_.columns.height.end());
    s_.most_overhang = *std::max_element(s_.columns.overhang.begin(), s_.columns.overhang.end());
    for (auto& range : s_.ranges) range.assign(whole_groups(grid_.count), 0);
    for (int bz = 0; bz < grid_.blocks.z; ++bz) {
      for (int bx = 0; bx < grid_.blocks.x; ++bx) find_column_ranges(bx, bz);
    }
    widen_columns();
    place_corners();
  }

  void find_column_ranges(int bx, int bz) {
    double h_lo = 1e300, h_hi = -1e300, o_lo = 1e300, o_hi = -1e300;
    for (int z = 0; z < kBlockSide; ++z) {
      const std::size_t first = static_cast<std::size_t>(kBlockSide * bx) +
                                s_.columns.stride * static_cast<std::size_t>(kBlockSide * bz + z);
      for (std::size_t i = first; i < first + kBlockSide; ++i) {
        h_lo = std::min(h_lo, s_.columns.height[i]);
        h_hi = std::max(h_hi, s_.columns.height[i]);
        o_lo = std::min(o_lo, s_.columns.overhang[i]);
        o_hi = std::max(o_hi, s_.columns.overhang[i]);
      }
    }
    for (int by = 0; by < grid_.blocks.y; ++by) {
      const std::size_t at = grid_.at(bx, by, bz);
      s_.ranges[0][at] = h_lo;
      s_.ranges[1][at] = h_hi;
      s_.ranges[2][at] = o_lo;
      s_.ranges[3][at] = o_hi;
    }
  }

  void widen_columns() {
    const auto row = 8 * static_cast<std::size_t>(grid_.blocks.x);
    const auto rows = kBlockSide * static_cast<std::size_t>(grid_.blocks.z);
    const auto widen = [&](const double* from, double* out) {
      for (std::size_t i = 0; i < row; ++i) out[i] = from[i / 8 * 4 + i % 4];
    };
    s_.block_height.resize(row * rows);
    s_.block_overhang.resize(row * rows);
    for (std::size_t k = 0; k < rows; ++k) {
      widen(s_.columns.height.data() + s_.columns.stride * k, s_.block_height.data() + row * k);
      widen(s_.columns.overhang.data() + s_.columns.stride * k, s_.block_overhang.data() + row * k);
    }
    for (std::size_t noise = 0; noise < 3; ++noise) {
      s_.block_x[noise].resize(row);
      widen(in_noise(0, noise).data(), s_.block_x[noise].data());
    }
  }

  /// The coordinates along an axis in the overhang, first and second cave noise.
  const std::vector<double>& in_noise(std::size_t axis, std::size_t noise) const {
    const AxisCoordinates& c = s_.axes[axis];
    return noise == 0 ? c.overhang : noise == 1 ? c.cave_a : c.cave_b;
  }

  /// x and z of the corners between blocks.
  void place_corners() {
    const auto size_x = static_cast<std::size_t>(grid_.blocks.x) + 1;
    const auto size_z = static_cast<std::size_t>(grid_.blocks.z) + 1;
    for (auto& at : s_.corner_at) at.assign(whole_groups(grid_.count), 0);
    // Ranges of the last blocks look past the last corner.
    const std::size_t room = whole_groups(grid_.count) + grid_.stride_z + grid_.stride_y + kGroup;
    for (auto& noise : s_.corner_noise) noise.assign(room, 0);
    for (std::size_t noise = 0; noise < 3; ++noise) {
      const std::vector<double>&x = in_noise(0, noise), &z = in_noise(2, noise);
      double* out_x = s_.corner_at[3 * noise].data();
      double* out_z = s_.corner_at[3 * noise + 2].data();
      for (std::size_t k = 0; k < size_z; ++k) {
        for (std::size_t ij = 0; ij < grid_.stride_z; ij += size_x) {
          for (std::size_t i = 0; i < size_x; ++i) *out_x++ = x[kBlockSide * i];
          out_z = std::fill_n(out_z, size_x, z[kBlockSide * k]);
        }
      }
    }
  }

  /// y of blocks and of the corners between them.
  void prepare_y() {
    s_.axes[1] = axis_coordinates(values_, lattice_, 1);
    const std::vector<double>& metres = s_.axes[1].metres;
    for (std::size_t noise = 0; noise < 3; ++noise) {
      fill_by_y(in_noise(1, noise).data(), grid_.blocks.y + 1, s_.corner_at[3 * noise + 1]);
    }
    fill_by_y(metres.data(), grid_.blocks.y, s_.ranges[4]);
    fill_by_y(metres.data() + kBlockSide - 1, grid_.blocks.y, s_.ranges[5]);
    for (std::size_t layer = 0; layer < 4; ++layer) {
      const std::vector<double>& from = layer < 3 ? in_noise(1, layer) : metres;
      s_.block_y[layer].resize(16 * static_cast<std::size_t>(grid_.blocks.y));
      for (std::size_t i = 0; i < s_.block_y[layer].size(); ++i) s_.block_y[layer][i] = from[i / 4];
    }
  }

  void fill_by_y(const double* values, int rows, std::vector<double>& out) const {
    for (int z = 0; z <= grid_.blocks.z; ++z) {
      for (int y = 0; y < rows; ++y) {
        std::fill_n(out.data() + grid_.at(0, y, z), grid_.stride_y, values[kBlockSide * y]);
      }
    }
  }

  // Blocks.

  void find_kinds() {
    const auto& at = s_.corner_at;
    hills_noises(tables_,
                 {at[0].data(), at[1].data(), at[2].data(), at[3].data(), at[4].data(),
                  at[5].data(), at[6].data(), at[7].data(), at[8].data()},
                 whole_groups(grid_.count), s_.corner_noise[0].data(), s_.corner_noise[1].data(),
                 s_.corner_noise[2].data());
    const auto& r = s_.ranges;
    s_.kinds.resize(whole_groups(grid_.count));
    hills_block_kinds(
        values_,
        {r[0].data(),
         r[1].data(),
         r[2].data(),
         r[3].data(),
         r[4].data(),
         r[5].data(),
         {s_.corner_noise[0].data(), s_.corner_noise[1].data(), s_.corner_noise[2].data()},
         grid_.stride_y,
         grid_.stride_z},
        noise_margins(values_, lattice_.step), s_.kinds.size(), s_.kinds.data());
  }

  /// Solid bits of the blocks that are rock, and the list of those to sample.
  void mark_rows() {
    s_.places.clear();
    s_.exact.reshape(lattice_.size);
    for (int z = 0; z < grid_.blocks.z; ++z) {
      for (int y = 0; y < grid_.blocks.y; ++y) {
        const BlockKind* kinds = s_.kinds.data() + grid_.at(0, y, z);
        for (int w = 0; w < into_.solid.words_per_row; ++w) {
          const int last = std::min(16, grid_.blocks.x - 16 * w);
          std::uint64_t rock = 0;
          for (int x = 0; x < last; ++x) {
            const BlockKind kind = kinds[16 * w + x];
            rock |= (kind == BlockKind::Rock ? 0xFull : 0) << (4 * x);
            if (kind > BlockKind::Rock) s_.places.push_back({16 * w + x, y, z, kind});
          }
          fill_rows(w, y, z, rock & inside(w));
        }
      }
    }
  }

  /// The bits of a row's word that have samples.
  std::uint64_t inside(int w) const {
    const int n = lattice_.size.x - 64 * w;
    return n >= 64 ? ~0ull : (1ull << n) - 1;
  }

  /// Word w of the rows of a row of blocks: solid where rock, and no value known.
  void fill_rows(int w, int by, int bz, std::uint64_t rock) {
    const int y0 = kBlockSide * by, z0 = kBlockSide * bz;
    for (int z = z0; z < std::min(z0 + kBlockSide, lattice_.size.z); ++z) {
      for (int y = y0; y < std::min(y0 + kBlockSide, lattice_.size.y); ++y) {
        const std::size_t at = into_.solid.row(y, z) + static_cast<std::size_t>(w);
        into_.solid.words[at] = rock;
        s_.exact.words[at] = 0;
      }
    }
  }

  void sample_blocks() {
    s_.blocks.resize(std::max(s_.blocks.size(), s_.places.size()));
    const AxisCoordinates& z = s_.axes[2];
    hills_blocks(formula_, tables_,
                 {s_.block_x[0].data(), s_.block_x[1].data(), s_.block_x[2].data(),
                  s_.block_y[0].data(), s_.block_y[1].data(), s_.block_y[2].data(),
                  s_.block_y[3].data(), z.overhang.data(), z.cave_a.data(), z.cave_b.data(),
                  s_.block_height.data(), s_.block_overhang.data(), s_.block_x[0].size()},
                 s_.places.data(), s_.places.size(), s_.blocks.data());
    for (std::size_t i = 0; i < s_.places.size(); ++i) take(s_.places[i], s_.blocks[i]);
  }

  void take(const BlockPlace& place, const BlockSamples& block) {
    const IVec3 lo = kBlockSide * IVec3(place.x, place.y, place.z);
    const IVec3 size = lattice_.size;
    const int columns = std::min(kBlockSide, size.x - lo.x);
    const int rows = std::min(kBlockSide, size.y - lo.y);
    const int layers = std::min(kBlockSide, size.z - lo.z);
    const std::uint64_t row_bits = (1ull << columns) - 1;
    const auto row_words = static_cast<std::size_t>(into_.solid.words_per_row);
    const auto row_floats = static_cast<std::size_t>(size.x);
    for (int k = 0; k < layers; ++k) {
      const std::size_t word =
          into_.solid.row(lo.y, lo.z + k) + static_cast<std::size_t>(lo.x / 64);
      std::uint64_t* solid = into_.solid.words.data() + word;
      std::uint64_t* exact = s_.exact.words.data() + word;
      float* to = into_.density.data() + lattice_.index(lo.x, lo.y, lo.z + k);
      for (int row = kBlockSide * k; row < kBlockSide * k + rows; ++row) {
        *solid |= (block.solid >> (4 * row) & row_bits) << (lo.x % 64);
        *exact |= (block.exact >> (4 * row) & row_bits) << (lo.x % 64);
        const float* from = block.density + kBlockSide * row;
        if (columns == kBlockSide) {
          std::copy_n(from, kBlockSide, to);  // one move, where the length is known
        } else {
          std::copy_n(from, columns, to);
        }
        solid += row_words;
        exact += row_words;
        to += row_floats;
      }
    }
  }

  // Corners.

  /// Works out the corners of crossed cells that have no value yet.
  void complete_crossed_cells() {
    find_missing_corners();
    const std::size_t count = s_.missing.size();
    if (count == 0) return;
    s_.points.reset(count);
    s_.densities.resize(std::max(s_.densities.size(), whole_groups(count)));
    const auto place = [&](std::size_t at, std::int32_t entry) {
      const int i = entry % lattice_.size.x, row = entry / lattice_.size.x;
      s_.points.set(at, s_.axes, s_.columns,
                    IVec3(i, row % lattice_.size.y, row / lattice_.size.y));
    };
    for (std::size_t at = 0; at < count; ++at) place(at, s_.missing[at]);
    for (std::size_t at = count; at < whole_groups(count); ++at) place(at, s_.missing[0]);
    hills_densities(formula_, tables_, s_.points.noise_points(), s_.points.column_points(),
                    whole_groups(count), s_.densities.data());
    for (std::size_t at = 0; at < count; ++at) {
      into_.density[static_cast<std::size_t>(s_.missing[at])] = density_to_float(s_.densities[at]);
    }
  }

  void find_missing_corners() {
    find_crossed_cells(into_.solid, s_.crossed);
    find_corners_of(into_.solid, s_.crossed, s_.needed);
    s_.missing.clear();
    std::size_t at = 0;
    for (std::int32_t row = 0; at < s_.needed.size(); ++row) {
      for (int w = 0; w < s_.exact.words_per_row; ++w, ++at) {
        std::uint64_t left = s_.needed[at] & ~s_.exact.words[at];
        for (; left != 0; left &= left - 1) {
          s_.missing.push_back(row * lattice_.size.x + 64 * w + std::countr_zero(left));
        }
      }
    }
  }

  const HillsFormula& formula_;
  const HillsValues& values_;
  const Lattice& lattice_;
  Samples& into_;
  Scratch& s_;
  BlockGrid grid_;
  PointTables tables_;
};

}  // namespace

void hills_surface(const HillsFormula& formula, std::uint64_t formula_id, const Lattice& lattice,
                   Samples& into) {
  // Samples are listed by 32-bit entries; a chunk is far below, and so is all that memory would
  // hold.
  assert(lattice.count() < std::size_t{1} << 31);
  thread_local Scratch scratch;
  SurfaceSampler(formula, lattice, into, scratch).run(formula_id);
}

}  // namespace talus
