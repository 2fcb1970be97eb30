#include "collision/islands.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <unordered_map>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/point_hash.h"
#include "meshing/mesher.h"

namespace talus {

namespace {

/// So deep under the preset's lowest overhangs, metres, rock hangs together: the roofs of caves
/// reach half as far.
constexpr double kBedrockDepth = 22;
/// What the density of rock counts that is not the island's own.
constexpr double kNotOurs = -0.5;

constexpr IVec3 kDirections[] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                 {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

struct HigherLater {
  bool operator()(IVec3 a, IVec3 b) const {
    return a.y != b.y ? a.y > b.y : a.z != b.z ? a.z > b.z : a.x > b.x;
  }
};

class Search {
 public:
  enum class Fate { Held, Island, TooLarge };

  explicit Search(Field& ground) : ground_(ground) {
    bedrock_depth_ = kBedrockDepth + ground.terrain().preset->overhang();
    for (const Brush& brush : ground.terrain().edits) {
      below_edits_ = std::min(below_edits_, reach(brush).lo.y);
    }
  }

  bool seen(IVec3 at) const { return seen_.count(at) > 0; }

  /// Follows the rock from a sample that no search has seen. All searches before found it held, or
  /// ran out, so rock that one of them saw is held.
  Fate follow(IVec3 seed) {
    found_.clear();
    ++search_;
    std::priority_queue<IVec3, std::vector<IVec3>, HigherLater> next;
    const auto add = [&](IVec3 at) {
      seen_.emplace(at, search_);
      found_.push_back(at);
      next.push(at);
    };
    add(seed);
    while (!next.empty()) {
      const IVec3 at = next.top();
      next.pop();
      if (is_bedrock(at)) return Fate::Held;
      for (const IVec3 way : kDirections) {
        const IVec3 beside = at + way;
        if (const auto known = seen_.find(beside); known != seen_.end()) {
          if (known->second != search_) return Fate::Held;
        } else if (ground_.sample(beside) > 0) {
          add(beside);
        }
      }
      if (static_cast<std::int64_t>(found_.size()) >= kMostCountedSamples) return Fate::TooLarge;
    }
    const bool fits = static_cast<std::int64_t>(found_.size()) <= kMostIslandSamples;
    return fits ? Fate::Island : Fate::TooLarge;
  }

  /// What the last search saw.
  const std::vector<IVec3>& found() const { return found_; }

 private:
  bool is_bedrock(IVec3 at) const {
    return at.y < below_edits_ &&
           ground_.terrain().preset->height(at.x, at.z) - at.y > bedrock_depth_;
  }

  Field& ground_;
  double below_edits_ = HUGE_VAL, bedrock_depth_;
  std::unordered_map<IVec3, std::uint32_t, PointHash> seen_;  // and by which search
  std::vector<IVec3> found_;
  std::uint32_t search_ = 0;
};

void put(SolidBits& bits, IVec3 p) {
  bits.words[bits.row(p.y, p.z) + static_cast<std::size_t>(p.x / 64)] |= std::uint64_t{1}
                                                                         << (p.x % 64);
}

IBox box_of(const std::vector<IVec3>& samples) {
  IBox box{samples.front(), samples.front()};
  for (const IVec3 at : samples) {
    box.lo = glm::min(box.lo, at);
    box.hi = glm::max(box.hi, at);
  }
  box.hi += IVec3(1);
  return box;
}

Island make_island(const std::vector<IVec3>& samples, const IBox& box) {
  auto set = std::make_shared<SampleSet>(SampleSet{box.lo, SolidBits(box.size())});
  for (const IVec3 at : samples) {
    put(set->bits, at - box.lo);
  }
  return {std::move(set), static_cast<std::int64_t>(samples.size())};
}

/// `seed`: where the dig meets it.
void add_island(const std::vector<IVec3>& samples, IVec3 seed, IslandSearch& result) {
  const IBox box = box_of(samples);
  if (box.count() > kMostIslandBox) {
    result.too_large = LargeIsland{LargeIsland::Why::Box, Vec3(seed), box.count()};
    return;
  }
  result.islands.push_back(make_island(samples, box));
}

template <class Visit>
void for_each_sample(const IBox& box, const Visit& visit) {
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x) visit(IVec3(x, y, z));
    }
  }
}

/// Calls visit(first sample, densities) for the rows of the box along x.
template <class Visit>
void for_each_row(Field& ground, const IBox& box, const Visit& visit) {
  std::vector<double> row(static_cast<std::size_t>(box.size().x));
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      const IVec3 first(box.lo.x, y, z);
      ground.read({first, IVec3(box.hi.x, y + 1, z + 1)}, row);
      visit(first, std::span<const double>(row));
    }
  }
}

SolidBits solid_bits(Field& ground, const IBox& box) {
  SolidBits solid(box.size());
  for_each_row(ground, box, [&](IVec3 at, std::span<const double> row) {
    for (const double value : row) {
      if (value > 0) put(solid, at - box.lo);
      ++at.x;
    }
  });
  return solid;
}

/// The ground around an island as if nothing but it were there.
Samples island_samples(const Island& island, Field& ground, const IBox& box) {
  std::vector<float> density;
  density.reserve(static_cast<std::size_t>(box.count()));
  for_each_row(ground, box, [&](IVec3 at, std::span<const double> row) {
    for (const double value : row) {
      const bool ours = island.samples->has(at);
      density.push_back(density_to_float(value > 0 && !ours ? kNotOurs : value));
      ++at.x;
    }
  });
  return make_samples({box.lo, box.size(), 1}, std::move(density));
}

/// Cells whose middles are in the rock.
SampleSet cells_of(const Samples& samples, const IBox& own) {
  SampleSet cells{2 * own.lo, SolidBits(2 * own.size())};
  const auto at = [&](IVec3 p) -> double {
    return samples.density[samples.lattice.index(p.x, p.y, p.z)];
  };
  for_each_sample({IVec3(0), cells.bits.size}, [&](IVec3 cell) {
    const IVec3 from = own.lo - samples.lattice.origin + IVec3(cell.x / 2, cell.y / 2, cell.z / 2);
    const Vec3 part = 0.25 + 0.5 * Vec3(cell.x % 2, cell.y % 2, cell.z % 2);
    std::array<double, 8> corners;
    for (int i = 0; i < 8; ++i) {
      corners[static_cast<std::size_t>(i)] = at(from + IVec3(i & 1, i >> 1 & 1, i >> 2));
    }
    if (!(blended_density(corners, part) > 0)) return;
    put(cells.bits, cell);
  });
  return cells;
}

}  // namespace

std::string in_words(const LargeIsland& island) {
  const std::string where =
      fmt::format("({}, {}, {})", island.place.x, island.place.y, island.place.z);
  switch (island.why) {
    case LargeIsland::Why::Dig:
      return fmt::format(
          "digs in a box of {} m3 about {}: at most {} can be searched for what "
          "comes loose; dig less at once",
          island.count, where, kMostDugSamples);
    case LargeIsland::Why::Box:
      return fmt::format(
          "cuts off ground about {} that reaches over a box of {} m3: what falls "
          "may reach over {}; dig so that it comes loose in parts",
          where, island.count, kMostIslandBox);
    case LargeIsland::Why::Count:
      break;
  }
  return fmt::format(
      "cuts off {}{} m3 of ground about {}: at most {} can fall; dig so that less "
      "comes loose",
      island.count >= kMostCountedSamples ? "over " : "", island.count, where, kMostIslandSamples);
}

IBox samples_near(const Brush& brush) {
  const Box box = reach(brush);
  return {IVec3(glm::floor(box.lo)) - IVec3(1), IVec3(glm::ceil(box.hi)) + IVec3(2)};
}

std::vector<std::uint8_t> solid_samples(Field& ground, const IBox& box) {
  std::vector<std::uint8_t> solid;
  solid.reserve(static_cast<std::size_t>(box.count()));
  for_each_row(ground, box, [&](IVec3 /*first*/, std::span<const double> row) {
    for (const double value : row) solid.push_back(value > 0);
  });
  return solid;
}

IslandSearch find_islands(Field& ground, const IBox& box, std::span<const std::uint8_t> was_solid) {
  IslandSearch result;
  const std::vector<std::uint8_t> is_solid = solid_samples(ground, box);
  Search search(ground);
  std::size_t place = 0;
  for_each_sample(box, [&](IVec3 at) {
    const std::size_t i = place++;
    if (!was_solid[i] || is_solid[i]) return;
    for (const IVec3 way : kDirections) {
      if (result.too_large) return;
      const IVec3 seed = at + way;
      if (search.seen(seed) || !(ground.sample(seed) > 0)) continue;
      switch (search.follow(seed)) {
        case Search::Fate::Held:
          break;
        case Search::Fate::Island:
          add_island(search.found(), seed, result);
          break;
        case Search::Fate::TooLarge:
          result.too_large = LargeIsland{LargeIsland::Why::Count, Vec3(seed),
                                         static_cast<std::int64_t>(search.found().size())};
          break;
      }
    }
  });
  return result;
}

Brush removal_of(const Island& island, Field& ground) {
  const IBox own = island.samples->box(), shell{own.lo - IVec3(1), own.hi + IVec3(1)};
  const IBox around{own.lo - IVec3(2), own.hi + IVec3(2)}, beside{IVec3(-1), IVec3(2)};
  const SolidBits solid = solid_bits(ground, around);
  const auto is_solid = [&](IVec3 at) {
    const IVec3 p = at - around.lo;
    return solid.at(p.x, p.y, p.z);
  };
  auto removed = std::make_shared<SampleSet>(SampleSet{shell.lo, SolidBits(shell.size())});
  for_each_sample(own, [&](IVec3 at) {
    if (!island.samples->has(at)) return;
    put(removed->bits, at - shell.lo);
    for_each_sample(beside, [&](IVec3 way) {
      const IVec3 air = at + way;
      if (is_solid(air) || removed->has(air)) return;
      bool alone = true;
      for_each_sample(beside, [&](IVec3 farther) {
        const IVec3 other = air + farther;
        alone = alone && (!is_solid(other) || island.samples->has(other));
      });
      if (alone) put(removed->bits, air - shell.lo);
    });
  });
  Brush brush;
  brush.shape = Brush::Shape::Samples;
  brush.mode = Brush::Mode::Dig;
  brush.samples = std::move(removed);
  return brush;
}

IslandShape shape_of(const Island& island, Field& ground) {
  const IBox box = island.samples->box(), own{box.lo - IVec3(1), box.hi};
  const Samples samples = island_samples(island, ground, with_apron(own));
  IslandShape shape{cells_of(samples, own), mesh_surface_nets(samples, own)};
  if (shape.cells.bits.count() == 0) {  // thinner than a cell everywhere: a crumb
    shape.cells = {2 * box.lo, SolidBits(IVec3(1))};
    put(shape.cells.bits, IVec3(0));
  }
  return shape;
}

}  // namespace talus
