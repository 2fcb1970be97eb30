#include "terrain/field.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

#include <glm/common.hpp>

#include "core/grid.h"
#include "core/point_hash.h"

namespace talus {

namespace {

constexpr int kBlock = 8;  // samples on a side
/// Edited blocks are kept up to 128 MiB; then all are worked out anew when asked for.
constexpr std::int64_t kMostEdited = 32'768;
using Block = std::array<double, kBlock * kBlock * kBlock>;

IVec3 block_of(IVec3 at) {
  return {floor_div(at.x, kBlock), floor_div(at.y, kBlock), floor_div(at.z, kBlock)};
}

std::size_t entry_of(IVec3 at) {
  const auto x = static_cast<std::size_t>(floor_mod(at.x, kBlock));
  const auto y = static_cast<std::size_t>(floor_mod(at.y, kBlock));
  const auto z = static_cast<std::size_t>(floor_mod(at.z, kBlock));
  return x + kBlock * (y + kBlock * z);
}

IVec3 floor_of(Vec3 p) {
  return {static_cast<int>(std::floor(p.x)), static_cast<int>(std::floor(p.y)),
          static_cast<int>(std::floor(p.z))};
}

/// What of a box lies in the block whose first sample is `from`.
void copy_common(const Block& block, IVec3 from, const IBox& box, std::span<double> out) {
  const Lattice whole{box.lo, box.size(), 1};
  const IVec3 lo = glm::max(box.lo, from), hi = glm::min(box.hi, from + IVec3(kBlock));
  for (int z = lo.z; z < hi.z; ++z) {
    for (int y = lo.y; y < hi.y; ++y) {
      const IVec3 at = IVec3(lo.x, y, z) - box.lo;
      const double* row = block.data() + entry_of({lo.x, y, z});
      std::copy(row, row + (hi.x - lo.x), out.data() + whole.index(at.x, at.y, at.z));
    }
  }
}

}  // namespace

struct Field::Cache {
  Terrain terrain;
  /// What blocks are made of when first asked for: the terrain without the edits that only the
  /// blocks in `edited` have seen.
  Terrain base;
  std::size_t capacity;
  // Least recently used last. Only look-ups go through the hash table; nothing iterates it.
  std::list<std::pair<IVec3, Block>> recent;
  std::unordered_map<IVec3, std::list<std::pair<IVec3, Block>>::iterator, PointHash> where;
  std::unordered_map<IVec3, Block, PointHash> edited;
  IVec3 last_key{0};
  const Block* last = nullptr;

  const Block& block(IVec3 key) {
    if (last && key == last_key) return *last;
    last_key = key;
    last = &look_up(key);
    return *last;
  }

  const Block& look_up(IVec3 key) {
    if (!edited.empty()) {
      if (const auto found = edited.find(key); found != edited.end()) return found->second;
    }
    if (const auto found = where.find(key); found != where.end()) {
      recent.splice(recent.begin(), recent, found->second);
      return found->second->second;
    }
    if (recent.size() >= capacity) {
      where.erase(recent.back().first);
      recent.pop_back();
    }
    recent.emplace_front(key, fresh(key));
    where.emplace(key, recent.begin());
    return recent.front().second;
  }

  Block fresh(IVec3 key) const {
    Block block;
    densities(base, Lattice{key * kBlock, IVec3(kBlock), 1}, block);
    return block;
  }

  void edit(const Brush& brush) {
    last = nullptr;
    terrain.edits.push_back(brush);
    const Box box = reach(brush);
    const IBox blocks{block_of(floor_of(box.lo)), block_of(floor_of(box.hi)) + IVec3(1)};
    if (blocks.count() + static_cast<std::int64_t>(edited.size()) > kMostEdited) {
      forget_blocks();
      return;
    }
    for (int z = blocks.lo.z; z < blocks.hi.z; ++z) {
      for (int y = blocks.lo.y; y < blocks.hi.y; ++y) {
        for (int x = blocks.lo.x; x < blocks.hi.x; ++x) edit_block(IVec3(x, y, z), brush);
      }
    }
  }

  void forget_blocks() {
    base = terrain;
    recent.clear();
    where.clear();
    edited.clear();
  }

  void edit_block(IVec3 key, const Brush& brush) {
    const Lattice lattice{key * kBlock, IVec3(kBlock), 1};
    Block block = look_up(key);
    bool changed = false;
    for (int k = 0; k < kBlock; ++k) {
      for (int j = 0; j < kBlock; ++j) {
        for (int i = 0; i < kBlock; ++i) {
          double& value = block[lattice.index(i, j, k)];
          const double now = apply(brush, lattice.position(i, j, k), value);
          changed |= now != value;
          value = now;
        }
      }
    }
    if (!changed) return;
    if (const auto found = where.find(key); found != where.end()) {
      recent.erase(found->second);
      where.erase(found);
    }
    edited.insert_or_assign(key, block);
  }
};

Field::Field(Terrain terrain, std::size_t cached_blocks) : cache_(std::make_unique<Cache>()) {
  cache_->base = terrain;
  cache_->terrain = std::move(terrain);
  cache_->capacity = std::max<std::size_t>(8, cached_blocks);
}
Field::~Field() = default;
Field::Field(Field&&) noexcept = default;
Field& Field::operator=(Field&&) noexcept = default;

const Terrain& Field::terrain() const {
  return cache_->terrain;
}
void Field::edit(const Brush& brush) {
  cache_->edit(brush);
}
double Field::sample(IVec3 at) {
  return cache_->block(block_of(at))[entry_of(at)];
}

void Field::read(const IBox& box, std::span<double> out) {
  if (box.empty()) return;
  const IVec3 first = block_of(box.lo), last = block_of(box.hi - IVec3(1));
  for (int z = first.z; z <= last.z; ++z) {
    for (int y = first.y; y <= last.y; ++y) {
      for (int x = first.x; x <= last.x; ++x) {
        const IVec3 from = kBlock * IVec3(x, y, z);
        copy_common(cache_->block({x, y, z}), from, box, out);
      }
    }
  }
}

Probe Field::probe(Vec3 p) {
  const IVec3 at = floor_of(p);
  std::array<double, 8> corners;
  for (int i = 0; i < 8; ++i) {
    corners[static_cast<std::size_t>(i)] = sample(at + IVec3(i & 1, i >> 1 & 1, i >> 2));
  }
  return blend(corners, p - Vec3(at));
}

NearestSurface Field::nearest(Vec3 point) {
  return nearest_surface(probe(point));
}

namespace {
double mix(double a, double b, double t) {
  return a * (1 - t) + b * t;
}
}  // namespace

double blended_density(const std::array<double, 8>& s, Vec3 f) {
  const double near = mix(mix(s[0], s[1], f.x), mix(s[2], s[3], f.x), f.y);
  const double far = mix(mix(s[4], s[5], f.x), mix(s[6], s[7], f.x), f.y);
  return mix(near, far, f.z);
}

Probe blend(const std::array<double, 8>& s, Vec3 f) {
  // Along x on the four edges, then along y on the two faces, then along z.
  const double near_low = mix(s[0], s[1], f.x), near_high = mix(s[2], s[3], f.x);
  const double far_low = mix(s[4], s[5], f.x), far_high = mix(s[6], s[7], f.x);
  const double near = mix(near_low, near_high, f.y), far = mix(far_low, far_high, f.y);
  const double slope_near = mix(s[1] - s[0], s[3] - s[2], f.y);
  const double slope_far = mix(s[5] - s[4], s[7] - s[6], f.y);
  return {mix(near, far, f.z),
          Vec3(mix(slope_near, slope_far, f.z), mix(near_high - near_low, far_high - far_low, f.z),
               far - near)};
}

NearestSurface nearest_surface(const Probe& probe) {
  const Vec3& g = probe.gradient;
  const double length = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
  if (!(length > 0)) return {-probe.density, Vec3(0, 1, 0)};
  return {-probe.density / length, -g / length};
}

}  // namespace talus
