#include "terrain/hills_sampler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "terrain/hills_blocks.h"
#include "terrain/hills_columns.h"

namespace talus {

namespace {

/// No noise value is greater than this.
constexpr double kMostNoise = 0.985;
/// The bound of a chunk is worked out in another order than densities; this is far more than
/// rounding can differ.
constexpr double kSlack = 1e-6;

/// Everything that one call works with; kept by the thread, so that a stream of chunks takes no
/// memory anew.
struct Scratch {
  // The columns of the last call, and whose they were.
  std::uint64_t formula_id = 0;
  IVec3 origin{0}, size{0};
  double step = 0;
  AxisCoordinates x, z;
  Columns columns;
  double most_height = 0, most_overhang = 0;
  // A block column an entry: least, greatest height; least, greatest overhang factor.
  std::vector<double> block_column[4];
  // Heights and overhang factors as blocks read them: for each z and block along x, four, twice
  // over.
  std::vector<double> block_height, block_overhang;

  std::array<AxisCoordinates, 3> axes;
  PointList points;
  std::vector<double> noise[3], lo[3], hi[3];
  std::vector<double> block_rows[6];  // heights, overhang factors and y of blocks, as corners lie
  std::vector<BlockKind> kinds;
  std::vector<double>
      wide[7];  // coordinates as blocks read them: x twice over (3), y four times (4)
  std::vector<double> densities;
  SolidBits exact;
  std::vector<std::uint64_t> active;
  std::vector<std::int32_t> missing;
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
    prepare();
    remember_columns(formula_id);
    const double bottom = lattice_.step * lattice_.origin.y;
    if (s_.most_height - bottom + kMostNoise * s_.most_overhang < -kSlack) return;  // all air
    s_.axes = {s_.x, axis_coordinates(values_, lattice_, 1), s_.z};
    tables_ = make_point_tables(formula_, s_.axes);
    find_corner_ranges();
    sample_blocks();
    complete_crossed_cells();
  }

 private:
  void prepare() {
    into_.lattice = lattice_;
    into_.density.resize(lattice_.count());
    if (into_.solid.size == lattice_.size) {
      std::fill(into_.solid.words.begin(), into_.solid.words.end(), 0);
    } else {
      into_.solid = SolidBits(lattice_.size);
    }
  }

  void remember_columns(std::uint64_t formula_id) {
    const IVec3 o = lattice_.origin, n = lattice_.size;
    if (s_.formula_id == formula_id && s_.step == lattice_.step && s_.origin.x == o.x &&
        s_.origin.z == o.z && s_.size.x == n.x && s_.size.z == n.z) {
      return;
    }
    s_.formula_id = formula_id;
    s_.step = lattice_.step;
    s_.origin = o;
    s_.size = n;
    s_.x = axis_coordinates(values_, lattice_, 0);
    s_.z = axis_coordinates(values_, lattice_, 2);
    s_.columns = make_columns(formula_, lattice_, s_.x, s_.z);
    s_.most_height = *std::max_element(s_.columns.height.begin(), s_.columns.height.end());
    s_.most_overhang = *std::max_element(s_.columns.overhang.begin(), s_.columns.overhang.end());
    for (auto& values : s_.block_column) values.clear();
    for (int bz = 0; bz < grid_.blocks.z; ++bz) {
      for (int bx = 0; bx < grid_.blocks.x; ++bx) add_block_column(bx, bz);
    }
    widen_columns();
  }

  void add_block_column(int bx, int bz) {
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
    const double ranges[4] = {h_lo, h_hi, o_lo, o_hi};
    for (int r = 0; r < 4; ++r) s_.block_column[r].push_back(ranges[r]);
  }

  void widen_columns() {
    const auto blocks_x = static_cast<std::size_t>(grid_.blocks.x);
    const auto rows = static_cast<std::size_t>(kBlockSide * grid_.blocks.z);
    s_.block_height.resize(8 * blocks_x * rows);
    s_.block_overhang.resize(8 * blocks_x * rows);
    std::size_t at = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < 8 * blocks_x; ++i, ++at) {
        const std::size_t column = s_.columns.stride * k + i / 8 * 4 + i % 4;
        s_.block_height[at] = s_.columns.height[column];
        s_.block_overhang[at] = s_.columns.overhang[column];
      }
    }
  }

  void find_corner_ranges() {
    s_.points.reset(grid_.count);
    const auto set_corner = [&](std::size_t at, IVec3 corner) {
      s_.points.set_noises(at, s_.axes, kBlockSide * corner);
    };
    std::size_t at = 0;
    for (int z = 0; z <= grid_.blocks.z; ++z) {
      for (int y = 0; y <= grid_.blocks.y; ++y) {
        for (int x = 0; x <= grid_.blocks.x; ++x) set_corner(at++, IVec3(x, y, z));
      }
    }
    for (; at < whole_groups(grid_.count); ++at) set_corner(at, IVec3(0));
    for (auto& noise : s_.noise) noise.resize(at);
    hills_noises(tables_, s_.points.noise_points(), at, s_.noise[0].data(), s_.noise[1].data(),
                 s_.noise[2].data());
    for (int layer = 0; layer < 3; ++layer) {
      corner_ranges(grid_, s_.noise[layer], s_.lo[layer], s_.hi[layer]);
    }
  }

  void sample_blocks() {
    if (s_.exact.size == lattice_.size) {
      std::fill(s_.exact.words.begin(), s_.exact.words.end(), 0);
    } else {
      s_.exact = SolidBits(lattice_.size);
    }
    find_kinds();
    widen_coordinates();
    for (int z = 0; z < grid_.blocks.z; ++z) {
      for (int y = 0; y < grid_.blocks.y; ++y) {
        const BlockKind* kinds = s_.kinds.data() + grid_.at(0, y, z);
        for (int x = 0; x < grid_.blocks.x; ++x) {
          if (kinds[x] == BlockKind::Air) continue;
          if (kinds[x] == BlockKind::Rock) {
            fill_rock(x, y, z);
          } else {
            sample_block(x, y, z, kinds[x]);
          }
        }
      }
    }
  }

  void find_kinds() {
    const std::size_t n = whole_groups(grid_.count);
    for (auto& row : s_.block_rows) row.assign(n, 0);
    for (int z = 0; z < grid_.blocks.z; ++z) {
      for (int y = 0; y < grid_.blocks.y; ++y) {
        const std::size_t at = grid_.at(0, y, z);
        const auto blocks_x = static_cast<std::size_t>(grid_.blocks.x);
        const std::size_t column = blocks_x * static_cast<std::size_t>(z);
        for (std::size_t r = 0; r < 4; ++r) {
          std::copy_n(s_.block_column[r].data() + column, blocks_x, s_.block_rows[r].data() + at);
        }
        const double* metres = s_.axes[1].metres.data() + kBlockSide * y;
        std::fill_n(s_.block_rows[4].data() + at, blocks_x, metres[0]);
        std::fill_n(s_.block_rows[5].data() + at, blocks_x, metres[kBlockSide - 1]);
      }
    }
    const NoiseMargins margins = noise_margins(values_, lattice_.step);
    const auto& rows = s_.block_rows;
    s_.kinds.resize(n);
    hills_block_kinds(values_,
                      {rows[0].data(),
                       rows[1].data(),
                       rows[2].data(),
                       rows[3].data(),
                       rows[4].data(),
                       rows[5].data(),
                       {s_.lo[0].data(), s_.lo[1].data(), s_.lo[2].data()},
                       {s_.hi[0].data(), s_.hi[1].data(), s_.hi[2].data()}},
                      margins, n, s_.kinds.data());
  }

  void widen_coordinates() {
    const AxisCoordinates &x = s_.axes[0], &y = s_.axes[1];
    const std::vector<double>* along_x[3] = {&x.overhang, &x.cave_a, &x.cave_b};
    for (int layer = 0; layer < 3; ++layer) {
      auto& wide = s_.wide[layer];
      wide.resize(8 * static_cast<std::size_t>(grid_.blocks.x));
      for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = (*along_x[layer])[i / 8 * 4 + i % 4];
    }
    const std::vector<double>* along_y[4] = {&y.overhang, &y.cave_a, &y.cave_b, &y.metres};
    for (int layer = 0; layer < 4; ++layer) {
      auto& wide = s_.wide[3 + layer];
      wide.resize(16 * static_cast<std::size_t>(grid_.blocks.y));
      for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = (*along_y[layer])[i / 4];
    }
  }

  /// The samples of a block that lie in the lattice, as a box counted from its first.
  IBox samples_of(int x, int y, int z) const {
    const IVec3 lo = kBlockSide * IVec3(x, y, z);
    return {lo, IVec3(std::min(lo.x + kBlockSide, lattice_.size.x),
                      std::min(lo.y + kBlockSide, lattice_.size.y),
                      std::min(lo.z + kBlockSide, lattice_.size.z))};
  }

  void fill_rock(int x, int y, int z) {
    const IBox box = samples_of(x, y, z);
    const std::uint64_t bits = ((1ull << (box.hi.x - box.lo.x)) - 1) << (box.lo.x % 64);
    for (int k = box.lo.z; k < box.hi.z; ++k) {
      for (int j = box.lo.y; j < box.hi.y; ++j) word(into_.solid, box.lo.x, j, k) |= bits;
    }
  }

  static std::uint64_t& word(SolidBits& bits, int x, int y, int z) {
    return bits.words[bits.row(y, z) + static_cast<std::size_t>(x / 64)];
  }

  void sample_block(int x, int y, int z, BlockKind kind) {
    const DensityParts parts = kind == BlockKind::SampleGround ? DensityParts::GroundOnly
                               : kind == BlockKind::SampleCave ? DensityParts::CaveOnly
                                                               : DensityParts::Both;
    const auto bx = static_cast<std::size_t>(x), by = static_cast<std::size_t>(y),
               z0 = static_cast<std::size_t>(kBlockSide * z);
    const std::size_t stride = 8 * static_cast<std::size_t>(grid_.blocks.x);
    const AxisCoordinates& along_z = s_.axes[2];
    const auto wide_x = [&](int layer) { return s_.wide[layer].data() + 8 * bx; };
    const auto wide_y = [&](int layer) { return s_.wide[3 + layer].data() + 16 * by; };
    alignas(64) double densities[kBlockPoints];
    hills_block(formula_, tables_, parts,
                {wide_x(0), wide_x(1), wide_x(2), wide_y(0), wide_y(1), wide_y(2), wide_y(3),
                 along_z.overhang.data() + z0, along_z.cave_a.data() + z0,
                 along_z.cave_b.data() + z0, s_.block_height.data() + stride * z0 + 8 * bx,
                 s_.block_overhang.data() + stride * z0 + 8 * bx, stride},
                densities);
    const IBox box = samples_of(x, y, z);
    for (int k = box.lo.z; k < box.hi.z; ++k) {
      for (int j = box.lo.y; j < box.hi.y; ++j) {
        const double* row = densities + kBlockSide * ((j - box.lo.y) + kBlockSide * (k - box.lo.z));
        float* out = into_.density.data() + lattice_.index(box.lo.x, j, k);
        std::uint64_t solid = 0, exact = 0;
        for (int i = 0; i < box.hi.x - box.lo.x; ++i) {
          out[i] = density_to_float(row[i]);
          solid |= static_cast<std::uint64_t>(row[i] > 0) << i;
          exact |= 1ull << i;
        }
        word(into_.solid, box.lo.x, j, k) |= solid << (box.lo.x % 64);
        word(s_.exact, box.lo.x, j, k) |= exact << (box.lo.x % 64);
      }
    }
  }

  /// Works out the corners of crossed cells that no sampled block held.
  void complete_crossed_cells() {
    find_active_cells();
    find_missing_corners();
    const std::size_t count = s_.missing.size();
    if (count == 0) return;
    s_.points.reset(count);
    s_.densities.resize(whole_groups(count));
    const auto place = [&](std::size_t at, std::int32_t entry) {
      const int i = entry % lattice_.size.x, row = entry / lattice_.size.x;
      s_.points.set(at, s_.axes, s_.columns,
                    IVec3(i, row % lattice_.size.y, row / lattice_.size.y));
    };
    for (std::size_t at = 0; at < count; ++at) place(at, s_.missing[at]);
    for (std::size_t at = count; at < whole_groups(count); ++at) place(at, s_.missing[0]);
    hills_densities(formula_, tables_, DensityParts::Both, s_.points.noise_points(),
                    s_.points.column_points(), whole_groups(count), s_.densities.data());
    for (std::size_t at = 0; at < count; ++at) {
      into_.density[static_cast<std::size_t>(s_.missing[at])] = density_to_float(s_.densities[at]);
    }
  }

  /// A bit for every cell whose corners differ, under its lowest corner.
  void find_active_cells() {
    const SolidBits& solid = into_.solid;
    const auto words = static_cast<std::size_t>(solid.words_per_row);
    s_.active.assign(solid.words.size(), 0);
    for (int z = 0; z + 1 < lattice_.size.z; ++z) {
      for (int y = 0; y + 1 < lattice_.size.y; ++y) {
        const std::uint64_t* rows[4] = {
            &solid.words[solid.row(y, z)], &solid.words[solid.row(y + 1, z)],
            &solid.words[solid.row(y, z + 1)], &solid.words[solid.row(y + 1, z + 1)]};
        std::uint64_t* out = &s_.active[solid.row(y, z)];
        for (std::size_t w = 0; w < words; ++w) {
          std::uint64_t any = 0, all = ~0ull, any_next = 0, all_next = ~0ull;
          for (const std::uint64_t* row : rows) {
            const std::uint64_t next = row[w] >> 1 | (w + 1 < words ? row[w + 1] << 63 : 0);
            any |= row[w];
            all &= row[w];
            any_next |= next;
            all_next &= next;
          }
          const int cells = lattice_.size.x - 1 - 64 * static_cast<int>(w);
          const std::uint64_t inside = cells >= 64 ? ~0ull : cells <= 0 ? 0 : (1ull << cells) - 1;
          out[w] = (any | any_next) & ~(all & all_next) & inside;
        }
      }
    }
  }

  void find_missing_corners() {
    const SolidBits& exact = s_.exact;
    const int words = exact.words_per_row;
    s_.missing.clear();
    for (int z = 0; z < lattice_.size.z; ++z) {
      for (int y = 0; y < lattice_.size.y; ++y) {
        for (int w = 0; w < words; ++w) {
          std::uint64_t cells = 0, before = 0;
          for (int back = 0; back < 4; ++back) {
            const int cy = y - (back & 1), cz = z - (back >> 1);
            if (cy < 0 || cz < 0) continue;
            const std::uint64_t* row = &s_.active[exact.row(cy, cz)];
            cells |= row[w];
            if (w > 0) before |= row[w - 1];
          }
          std::uint64_t left = (cells | cells << 1 | before >> 63) &
                               ~exact.words[exact.row(y, z) + static_cast<std::size_t>(w)];
          for (; left != 0; left &= left - 1) {
            s_.missing.push_back(
                static_cast<std::int32_t>(lattice_.index(64 * w + std::countr_zero(left), y, z)));
          }
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
