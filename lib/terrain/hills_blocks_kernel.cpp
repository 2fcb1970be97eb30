#include <algorithm>
#include <cstring>

#include "terrain/hills_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "terrain/hills_blocks_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "terrain/hills_density_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

constexpr std::size_t kLayer = kBlockSide * kBlockSide;  // samples of a block with one z

/// Vectors of samples that have to be worked out: of which block, and from which of its samples on.
/// Listed first and worked out together, because what bounds leave open follows no pattern that a
/// processor could guess.
struct OpenVectors {
  static constexpr std::size_t kRoom = 1024;
  struct Entry {
    std::uint32_t block, sample;
  };
  Entry entries[kRoom];
  std::size_t count = 0;

  bool is_full() const { return count > kRoom - kBlockPoints; }
};

/// Shares of a block's four corners (x fastest) in the samples of a layer.
struct LayerShares {
  double of_corner[4][kLayer];
  constexpr LayerShares() : of_corner() {
    for (std::size_t sample = 0; sample < kLayer; ++sample) {
      const std::size_t column = sample % 4, row = sample / 4;
      const double x = static_cast<double>(column) / 4, y = static_cast<double>(row) / 4;
      of_corner[0][sample] = (1 - x) * (1 - y);
      of_corner[1][sample] = x * (1 - y);
      of_corner[2][sample] = (1 - x) * y;
      of_corner[3][sample] = x * y;
    }
  }
};
constexpr LayerShares kLayerShares;

/// A noise blended between a block's corners: for a vector of samples of its first layer, and what
/// a layer adds.
struct Blend {
  V first, step;
  V at(std::size_t layer) const {
    return hn::MulAdd(hn::Set(D(), static_cast<double>(layer)), step, first);
  }
};

HWY_INLINE Blend blend(const CornerNoises& corners, int noise, std::size_t corner, std::size_t i) {
  const D d;
  const auto layer = [&](const double* c) HWY_ATTR {
    const auto part = [&](std::size_t which, double value) HWY_ATTR {
      return hn::Mul(hn::LoadU(d, kLayerShares.of_corner[which] + i), hn::Set(d, value));
    };
    return hn::Add(hn::Add(part(0, c[0]), part(1, c[1])),
                   hn::Add(part(2, c[corners.stride_y]), part(3, c[corners.stride_y + 1])));
  };
  const double* first = corners.noise[noise] + corner;
  const V near = layer(first), far = layer(first + corners.stride_z);
  return {near, hn::Mul(hn::Sub(far, near), hn::Set(d, 0.25))};
}

HWY_INLINE std::uint64_t bits_of(M mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), mask, bytes);
  return bytes[0];
}

/// Samples that are surely solid, and those that are surely air.
struct Signs {
  M solid, air;
};

/// From the ground alone, its overhang noise blended.
HWY_INLINE Signs ground_signs(const CornerNoises& corners, V above, V factor, V overhang) {
  const D d;
  const V ground = hn::MulAdd(overhang, factor, above);
  const V margin =
      hn::MulAdd(hn::Abs(factor), hn::Set(d, corners.margins.overhang), hn::Set(d, kBoundSlack));
  return {hn::Gt(ground, margin), hn::Lt(ground, hn::Neg(margin))};
}

/// From the distance to the middle of tunnels alone, both noises blended.
HWY_INLINE Signs tunnel_signs(const HillsValues& v, const CornerNoises& corners, V a, V b) {
  const D d;
  const V margin = hn::Set(d, corners.margins.cave), zero = hn::Zero(d);
  const auto squared = [&](V s, V t) HWY_ATTR { return hn::Add(hn::Mul(s, s), hn::Mul(t, t)); };
  const auto least = [&](V n) HWY_ATTR { return hn::Max(zero, hn::Sub(hn::Abs(n), margin)); };
  const auto most = [&](V n) HWY_ATTR { return hn::Add(hn::Abs(n), margin); };
  const double outside = v.cave_radius + kBoundSlack,
               inside = std::max(0.0, v.cave_radius - kBoundSlack);
  return {hn::Gt(squared(least(a), least(b)), hn::Set(d, outside * outside)),
          hn::Lt(squared(most(a), most(b)), hn::Set(d, inside * inside))};
}

/// Marks what bounds alone know of a block, and lists the vectors that they leave open.
template <BlockKind kKind>
HWY_INLINE void find_open_vectors(const HillsValues& v, const BlockCoordinates& c,
                                  const CornerNoises& corners, const BlockPlace& place,
                                  std::uint32_t block, BlockBits& out, OpenVectors& open) {
  constexpr bool kGround = kKind != BlockKind::SampleCave, kCave = kKind != BlockKind::SampleGround;
  const D d;
  const auto x8 = 8 * static_cast<std::size_t>(place.x),
             y16 = kLayer * static_cast<std::size_t>(place.y),
             z4 = kBlockSide * static_cast<std::size_t>(place.z);
  const std::size_t corner = static_cast<std::size_t>(place.x) +
                             corners.stride_y * static_cast<std::size_t>(place.y) +
                             corners.stride_z * static_cast<std::size_t>(place.z);
  out.solid = out.exact = 0;
  for (std::size_t i = 0; i < kLayer; i += hn::Lanes(d)) {
    const Blend overhang = kGround ? blend(corners, 0, corner, i) : Blend{};
    const Blend a = kCave ? blend(corners, 1, corner, i) : Blend{};
    const Blend b = kCave ? blend(corners, 2, corner, i) : Blend{};
    for (std::size_t k = 0; k < kBlockSide; ++k) {
      Signs signs;
      if constexpr (kCave) signs = tunnel_signs(v, corners, a.at(k), b.at(k));
      if constexpr (kGround) {
        const std::size_t column = (z4 + k) * c.column_stride + x8 + i % 4;
        const V above = hn::Sub(hn::LoadU(d, c.height + column), hn::LoadU(d, c.y + y16 + i));
        const Signs ground =
            ground_signs(corners, above, hn::LoadU(d, c.overhang + column), overhang.at(k));
        // Where both count, a roof near the ground lifts the cave: only rock stays rock.
        signs = {kCave ? hn::And(signs.solid, ground.solid) : ground.solid, ground.air};
      }
      const auto sample = static_cast<std::uint32_t>(kLayer * k + i);
      const bool known = hn::AllTrue(d, hn::Or(signs.solid, signs.air));
      out.solid |= (known ? bits_of(signs.solid) : 0) << sample;
      open.entries[open.count] = {block, sample};
      open.count += !known;
    }
  }
}

/// density_to_float() of every lane. Up to 2^-150 a double becomes the float 0.
HWY_INLINE auto to_float(V density) {
  const D d;
  const hn::Rebind<float, D> df;
  const M vanishes = hn::And(hn::Gt(density, hn::Zero(d)), hn::Le(density, hn::Set(d, 0x1p-150)));
  return hn::DemoteTo(df, hn::IfThenElse(vanishes, hn::Set(d, 0x1p-126), density));
}

HWY_INLINE Points points_of(const BlockCoordinates& c, const BlockPlace& place,
                            std::size_t sample) {
  const D d;
  const std::size_t x = 8 * static_cast<std::size_t>(place.x) + sample % 4,
                    y = kLayer * static_cast<std::size_t>(place.y) + sample % kLayer,
                    z = kBlockSide * static_cast<std::size_t>(place.z) + sample / kLayer,
                    column = z * c.column_stride + x;
  return {
      hn::LoadU(d, c.ox + x), hn::LoadU(d, c.oy + y),          hn::Set(d, c.oz[z]),
      hn::LoadU(d, c.ax + x), hn::LoadU(d, c.ay + y),          hn::Set(d, c.az[z]),
      hn::LoadU(d, c.bx + x), hn::LoadU(d, c.by + y),          hn::Set(d, c.bz[z]),
      hn::LoadU(d, c.y + y),  hn::LoadU(d, c.height + column), hn::LoadU(d, c.overhang + column)};
}

template <bool kFits, BlockKind kKind>
HWY_INLINE V block_density(const HillsValues& v, const PointTables& tables,
                           const Shortcuts& shortcuts, const Points& p) {
  if constexpr (kKind == BlockKind::SampleCave) {
    return tunnel_wall(v, noise3<kFits>(tables.cave_a, p.ax, p.ay, p.az),
                       noise3<kFits>(tables.cave_b, p.bx, p.by, p.bz));
  }
  return density<kFits>(v, tables, shortcuts, kKind == BlockKind::SampleGround, p);
}

/// Where blocks are, and where what is found of them goes.
struct Job {
  const HillsValues& v;
  const PointTables& tables;
  const BlockCoordinates& coordinates;
  const CornerNoises& corners;
  std::span<const BlockPlace> places;
  BlockBits* bits;
  const SampleGrid& values;
};

/// A vector of a block's samples from `sample` on, but for those past the lattice's end.
HWY_INLINE void store_samples(const Job& job, const BlockPlace& place, std::size_t sample,
                              V density) {
  const D d;
  constexpr int kRun = std::min(kBlockSide, static_cast<int>(hn::MaxLanes(d)));
  HWY_ALIGN float values[kGroup];
  hn::StoreU(to_float(density), hn::Rebind<float, D>(), values);
  const SampleGrid& grid = job.values;
  const int x = kBlockSide * place.x + static_cast<int>(sample % 4),
            z = kBlockSide * place.z + static_cast<int>(sample / kLayer);
  int y = kBlockSide * place.y + static_cast<int>(sample % kLayer / 4);
  if (z >= grid.size.z) return;
  float* to = grid.first + static_cast<std::size_t>(x) + grid.row * static_cast<std::size_t>(y) +
              grid.layer * static_cast<std::size_t>(z);
  for (std::size_t lane = 0; lane < hn::Lanes(d); lane += kRun, ++y, to += grid.row) {
    if (y >= grid.size.y) return;
    if (x + kRun <= grid.size.x) {
      std::memcpy(to, values + lane, kRun * sizeof(float));  // one move: the length is known
    } else {
      for (int i = 0; x + i < grid.size.x; ++i) to[i] = values[lane + static_cast<std::size_t>(i)];
    }
  }
}

/// Works the listed vectors out, and empties the list.
template <bool kFits, BlockKind kKind>
HWY_NOINLINE void close_vectors(const Job& job, OpenVectors& open) {
  const D d;
  const Shortcuts shortcuts(job.v);
  constexpr std::uint64_t kVector = (1ull << hn::MaxLanes(d)) - 1;
  for (std::size_t i = 0; i < open.count; ++i) {
    const auto [block, sample] = open.entries[i];
    const BlockPlace& place = job.places[block];
    const V density = block_density<kFits, kKind>(job.v, job.tables, shortcuts,
                                                  points_of(job.coordinates, place, sample));
    store_samples(job, place, sample, density);
    job.bits[block].solid |= bits_of(hn::Gt(density, hn::Zero(d))) << sample;
    job.bits[block].exact |= kVector << sample;
  }
  open.count = 0;
}

template <bool kFits, BlockKind kKind>
HWY_INLINE void blocks_of_kind(const Job& job) {
  OpenVectors open;
  for (std::uint32_t block = 0; block < job.places.size(); ++block) {
    if (job.places[block].kind != kKind) continue;
    find_open_vectors<kKind>(job.v, job.coordinates, job.corners, job.places[block], block,
                             job.bits[block], open);
    if (open.is_full()) close_vectors<kFits, kKind>(job, open);
  }
  close_vectors<kFits, kKind>(job, open);
}

template <bool kFits>
HWY_INLINE void blocks_by(const Job& job) {
  blocks_of_kind<kFits, BlockKind::SampleBoth>(job);
  blocks_of_kind<kFits, BlockKind::SampleGround>(job);
  blocks_of_kind<kFits, BlockKind::SampleCave>(job);
}

HWY_ATTR void blocks(const HillsFormula& formula, const PointTables& tables,
                     const BlockCoordinates& coordinates, const CornerNoises& corners,
                     std::span<const BlockPlace> places, BlockBits* bits,
                     const SampleGrid& values) {
  const Job job{formula.values(), tables, coordinates, corners, places, bits, values};
  if (tables.fit()) {
    blocks_by<true>(job);
  } else {
    blocks_by<false>(job);
  }
}

/// Four bits of a block, of each of its rows, at a block's place in a word.
HWY_INLINE void add_rows(std::uint64_t block, int shift, std::uint64_t (&rows)[16]) {
  for (int row = 0; row < 16; ++row) rows[row] |= (block >> (4 * row) & 0xF) << shift;
}

HWY_ATTR const BlockBits* block_rows(const BlockKind* kinds, int blocks, const BlockBits* sampled,
                                     RowBits& rows) {
  rows = {};
  for (int x = 0; x < blocks; ++x) {
    if (kinds[x] == BlockKind::Air) continue;
    if (kinds[x] == BlockKind::Rock) {
      add_rows(~0ull, 4 * x, rows.solid);
    } else {
      add_rows(sampled->solid, 4 * x, rows.solid);
      add_rows(sampled->exact, 4 * x, rows.exact);
      ++sampled;
    }
  }
  return sampled;
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(blocks);
HWY_EXPORT(block_rows);

void hills_blocks(const HillsFormula& formula, const PointTables& tables,
                  const BlockCoordinates& coordinates, const CornerNoises& corners,
                  std::span<const BlockPlace> places, BlockBits* bits, const SampleGrid& values) {
  HWY_DYNAMIC_DISPATCH(blocks)
  (formula, tables, coordinates, corners, places, bits, values);
}

const BlockBits* hills_block_rows(const BlockKind* kinds, int blocks, const BlockBits* sampled,
                                  RowBits& rows) {
  return HWY_DYNAMIC_DISPATCH(block_rows)(kinds, blocks, sampled, rows);
}

}  // namespace talus
#endif
