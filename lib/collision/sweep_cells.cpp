#include "collision/sweep_cells.h"

#include <algorithm>
#include <limits>

#include <glm/common.hpp>

#include "collision/sweep_world.h"

namespace talus {

namespace {

constexpr std::size_t kMostBoxes = 1 << 16;        // of eight triangles: 8 MiB
constexpr std::size_t kMostTriangles = 1 << 18;    // 18 MiB
constexpr std::size_t kMostTableBytes = 64 << 20;  // of cells that may well be empty
constexpr double kFarthest = 1e8;  // metres: beyond, cells do not fit their integers
/// More than rounding moves the ends of boxes.
constexpr double kSlack = 1e-3;
constexpr double kGrain = 1.0 / 256;  // metres

std::int16_t grains(double metres) {
  return static_cast<std::int16_t>(std::clamp(metres / kGrain, -32767.0, 32767.0));
}

}  // namespace

void SweepCells::forget_all() {
  ++age_;
  table_ = ChunkTable();
  cells_.clear();
  boxes_.clear();
  chunks_ = ChunkTable();
  triangles_.clear();
}

/// Where a chunk's triangles begin; copies them on the first call.
std::uint32_t SweepCells::first_of(TerrainTriangles& ground, IVec3 chunk) {
  if (const std::uint32_t known = chunks_.get(chunk); known != 0) return known - 1;
  const auto first = static_cast<std::uint32_t>(triangles_.size());
  const LooseKd& tree = ground.chunk(chunk);
  for (std::uint32_t n = 0; n < 2 * tree.quads(); ++n) {
    triangles_.push_back(tree.has_triangle(n) ? tree.triangle(n) : Triangle{});
  }
  chunks_.set(chunk, first + 1);
  return first;
}

void SweepCells::add(std::uint32_t triangle, Vec3 origin, std::size_t lane) {
  if (lane == 0) {
    Boxes none{};
    for (auto& axis : none.lo) axis.fill(32767);
    for (auto& axis : none.hi) axis.fill(-32767);
    boxes_.push_back(none);
  }
  Boxes& boxes = boxes_.back();
  boxes.triangle[lane] = triangle;
  const Triangle& c = triangles_[triangle];
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto [lo, hi] = std::minmax({c[0][axis], c[1][axis], c[2][axis]});
    boxes.lo[a][lane] = grains(lo - origin[axis] - kGrain);
    boxes.hi[a][lane] = grains(hi - origin[axis] + kGrain);
  }
}

SweepCells::Cell SweepCells::make(TerrainTriangles& ground, IVec3 at) {
  const bool full = boxes_.size() > kMostBoxes || triangles_.size() > kMostTriangles ||
                    table_.bytes() > kMostTableBytes;
  if (full) forget_all();
  const Vec3 origin(at), room(kLargest + kSlack);
  near_.clear();
  ground.touched({origin - room, origin + 1.0 + room}, near_);
  Cell cell;
  cell.first = static_cast<std::uint32_t>(boxes_.size());
  for (std::size_t i = 0; i < near_.size(); ++i) {
    add(first_of(ground, near_[i].chunk) + near_[i].triangle, origin, i % kLanes);
  }
  cell.end = static_cast<std::uint32_t>(boxes_.size());
  cells_.push_back(cell);
  table_.set(at, static_cast<std::uint32_t>(cells_.size()));
  return cell;
}

void SweepCells::find(TerrainTriangles& ground, IVec3 at, Place& last) {
  if (edits_ != ground.terrain().edits.size()) {
    forget_all();
    edits_ = ground.terrain().edits.size();
  }
  if (last.age == age_ && last.at == at) return;
  const std::uint32_t place = table_.get(at);
  const Cell cell = place == 0 ? make(ground, at) : cells_[place - 1];
  last = {at, cell.first, cell.end, age_};
}

std::array<std::int16_t, SweepCells::kLanes> SweepCells::meets(const Boxes& boxes, const Grains& lo,
                                                               const Grains& hi) {
  std::array<std::int16_t, kLanes> all;
  all.fill(-1);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t k = 0; k < kLanes; ++k) {
      all[k] &= static_cast<std::int16_t>(-(boxes.lo[a][k] <= hi[a]));
      all[k] &= static_cast<std::int16_t>(-(boxes.hi[a][k] >= lo[a]));
    }
  }
  return all;
}

std::optional<SweepHit> SweepCells::sweep(TerrainTriangles& ground, const SphereSweep& sweep,
                                          Place& last, double before) {
  const Box box = bounds(sweep);
  const Vec3 middle = 0.5 * (box.lo + box.hi), half = box.hi - middle;
  const double most = std::max({half.x, half.y, half.z});
  const Vec3 far = glm::abs(middle);
  if (!(most < kLargest && std::max({far.x, far.y, far.z}) < kFarthest)) {
    return sweep_ground(ground, sweep, before);
  }
  const Vec3 origin = glm::floor(middle);
  find(ground, IVec3(origin), last);
  Grains lo, hi;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    lo[a] = grains(box.lo[axis] - origin[axis] - kGrain);
    hi[a] = grains(box.hi[axis] - origin[axis] + kGrain);
  }
  std::optional<SweepHit> best;
  for (std::uint32_t i = last.first; i < last.end; ++i) {
    const auto met = meets(boxes_[i], lo, hi);
    for (std::size_t k = 0; k < kLanes; ++k) {
      if (met[k] == 0) continue;
      const Triangle& corners = triangles_[boxes_[i].triangle[k]];
      SweepPolygon polygon;
      polygon.corners = {corners[0], corners[1], corners[2]};
      if (const auto hit = sweep_polygon(sweep, polygon, before)) {
        best = hit;
        before = hit->time;
      }
    }
  }
  return best;
}

}  // namespace talus
