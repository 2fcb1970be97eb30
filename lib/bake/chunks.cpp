#include "bake/chunks.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "core/grid.h"

namespace talus {

namespace {

constexpr std::int64_t kMostChunks = std::int64_t{1} << 31;

void check_region(const IBox& region, int side) {
  if (side < 4 || side > 128) {
    throw Error(fmt::format("--chunk {}: must be 4 to 128 cells", side));
  }
  if (region.empty()) throw Error("the region is empty: its second corner must be above its first");
  for (int axis = 0; axis < 3; ++axis) {
    if (region.lo[axis] < -kMostLatticePoint || region.hi[axis] > kMostLatticePoint) {
      throw Error(
          fmt::format("the region reaches past {} steps from the origin: take a coarser "
                      "--step or a nearer region",
                      kMostLatticePoint));
    }
  }
}

}  // namespace

ChunkGrid::ChunkGrid(const IBox& region, int side) : region_(region), side_(side) {
  check_region(region, side);
  for (int axis = 0; axis < 3; ++axis) {
    chunks_.lo[axis] = floor_div(region.lo[axis], side);
    chunks_.hi[axis] = ceil_div(region.hi[axis], side);
  }
  // Two axes have at most 2^58 together; the third is compared by division.
  const IVec3 n = chunks_.size();
  const std::int64_t layer = std::int64_t{n.x} * n.y;
  if (layer > kMostChunks / n.z) {
    throw Error(
        fmt::format("the region has {} x {} x {} chunks, more than 2^31: bake it in parts, "
                    "or take a coarser --step or a larger --chunk",
                    n.x, n.y, n.z));
  }
}

std::uint64_t ChunkGrid::count() const {
  return static_cast<std::uint64_t>(chunks_.count());
}

IVec3 ChunkGrid::coordinate(std::uint64_t item) const {
  const IVec3 n = counts();
  const auto x = static_cast<std::uint64_t>(n.x), y = static_cast<std::uint64_t>(n.y);
  return chunks_.lo + IVec3(static_cast<int>(item / y % x), static_cast<int>(item % y),
                            static_cast<int>(item / y / x));
}

IBox ChunkGrid::own(IVec3 coordinate) const {
  IBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lo[axis] = std::max(region_.lo[axis], coordinate[axis] * side_);
    box.hi[axis] = std::min(region_.hi[axis], (coordinate[axis] + 1) * side_);
  }
  return box;
}

std::string chunk_name(const char* prefix, IVec3 coordinate) {
  return fmt::format("{}_{}_{}_{}", prefix, coordinate.x, coordinate.y, coordinate.z);
}

}  // namespace talus
