#include "collision/sweep_cells.h"

#include <algorithm>

#include <glm/common.hpp>

#include "collision/sweep_world.h"

namespace talus {

namespace {

constexpr std::size_t kMostFaces = 1 << 18;        // 15 MiB
constexpr std::size_t kMostTableBytes = 64 << 20;  // of cells that may well be empty
constexpr double kFarthest = 1e8;  // metres: beyond, cells do not fit their integers
/// More than rounding moves the ends of boxes.
constexpr double kSlack = 1e-3;

}  // namespace

void SweepCells::forget_all() {
  ++age_;
  table_ = ChunkTable();
  cells_.clear();
  faces_.clear();
}

SweepCells::Cell SweepCells::make(TerrainTriangles& ground, IVec3 at) {
  if (faces_.size() > kMostFaces || table_.bytes() > kMostTableBytes) forget_all();
  const Vec3 origin(at), room(kLargest + kSlack);
  near_.clear();
  ground.touched({origin - room, origin + 1.0 + room}, near_);
  Cell cell;
  cell.first = static_cast<std::uint32_t>(faces_.size());
  for (const GroundTriangle& triangle : near_) {
    Face face;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 local = triangle.corners[k] - origin;
      for (int axis = 0; axis < 3; ++axis) {
        face.corners[k][static_cast<std::size_t>(axis)] = static_cast<float>(local[axis]);
      }
    }
    for (std::size_t a = 0; a < 3; ++a) {
      const auto [lo, hi] =
          std::minmax({face.corners[0][a], face.corners[1][a], face.corners[2][a]});
      face.lo[a] = lo;
      face.hi[a] = hi;
    }
    faces_.push_back(face);
  }
  cell.end = static_cast<std::uint32_t>(faces_.size());
  cells_.push_back(cell);
  table_.set(at, static_cast<std::uint32_t>(cells_.size()));
  return cell;
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
  if (edits_ != ground.terrain().edits.size()) {
    forget_all();
    edits_ = ground.terrain().edits.size();
  }
  const Vec3 origin = glm::floor(middle);
  const IVec3 at(origin);
  if (last.age != age_ || last.at != at) {
    const std::uint32_t place = table_.get(at);
    const Cell cell = place == 0 ? make(ground, at) : cells_[place - 1];
    last = {at, cell.first, cell.end, age_};
  }
  Point lo, hi;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    lo[a] = static_cast<float>(box.lo[axis] - origin[axis] - kSlack);
    hi[a] = static_cast<float>(box.hi[axis] - origin[axis] + kSlack);
  }
  std::optional<SweepHit> best;
  for (std::uint32_t i = last.first; i < last.end; ++i) {
    const Face& face = faces_[i];
    const bool apart = face.lo[1] > hi[1] || face.hi[1] < lo[1] || face.lo[0] > hi[0] ||
                       face.hi[0] < lo[0] || face.lo[2] > hi[2] || face.hi[2] < lo[2];
    if (apart) continue;
    SweepPolygon polygon;
    for (std::size_t k = 0; k < 3; ++k) {
      const Point& p = face.corners[k];
      polygon.corners[k] = origin + Vec3(p[0], p[1], p[2]);
    }
    if (const auto hit = sweep_polygon(sweep, polygon, before)) {
      best = hit;
      before = hit->time;
    }
  }
  return best;
}

}  // namespace talus
