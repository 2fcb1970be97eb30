#include "collision/edit_index.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double kCube = 64;
constexpr double kMostCubes = 64;

/// Cubes of a box; coordinates are far within what a cube's number can be (brushes are at most 1e4
/// m, and everything within 1e8 m).
IBox cubes_of(const Box& box) {
  IBox cubes;
  for (int axis = 0; axis < 3; ++axis) {
    cubes.lo[axis] = static_cast<int>(std::floor(std::clamp(box.lo[axis] / kCube, -1e9, 1e9)));
    cubes.hi[axis] = static_cast<int>(std::floor(std::clamp(box.hi[axis] / kCube, -1e9, 1e9))) + 1;
  }
  return cubes;
}

double count_of(const IBox& cubes) {
  const Vec3 size(cubes.size());
  return size.x * size.y * size.z;
}

template <class Visit>
void for_each(const IBox& cubes, const Visit& visit) {
  for (int z = cubes.lo.z; z < cubes.hi.z; ++z) {
    for (int y = cubes.lo.y; y < cubes.hi.y; ++y) {
      for (int x = cubes.lo.x; x < cubes.hi.x; ++x) visit(IVec3(x, y, z));
    }
  }
}

bool meet(const Box& a, const Box& b) {
  return a.lo.x <= b.hi.x && a.hi.x >= b.lo.x && a.lo.y <= b.hi.y && a.hi.y >= b.lo.y &&
         a.lo.z <= b.hi.z && a.hi.z >= b.lo.z;
}

}  // namespace

void EditIndex::add(const Brush& brush) {
  const auto number = static_cast<std::uint32_t>(reaches_.size());
  reaches_.push_back(reach(brush));
  const IBox cubes = cubes_of(reaches_.back());
  if (count_of(cubes) > kMostCubes) {
    wide_.push_back(number);
    return;
  }
  for_each(cubes, [&](IVec3 cube) { cubes_[cube].push_back(number); });
}

void EditIndex::near(const Box& box, std::vector<std::uint32_t>& edits) const {
  edits.clear();
  if (reaches_.empty()) return;
  const auto take = [&](const std::vector<std::uint32_t>& numbers) {
    for (const std::uint32_t number : numbers) {
      if (meet(reaches_[number], box)) edits.push_back(number);
    }
  };
  take(wide_);
  for_each(cubes_of(box), [&](IVec3 cube) {
    if (const auto found = cubes_.find(cube); found != cubes_.end()) take(found->second);
  });
  std::sort(edits.begin(), edits.end());
  edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
}

}  // namespace talus
