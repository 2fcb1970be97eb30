#include "collision/convex_parts.h"

#include <algorithm>
#include <array>

#include <glm/common.hpp>

#include "collision/hull_contact.h"
#include "voxel/shape.h"

namespace talus {

namespace {

template <class Visit>
void for_each_cell(const IBox& box, const Visit& visit) {
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x) visit(IVec3(x, y, z));
    }
  }
}

/// The cells of a region and those against it: which are filled, and which of its own are not yet
/// part of a box.
class CellGrid {
 public:
  CellGrid(const Blocks& blocks, const IBox& region)
      : region_(region), around_{region.lo - IVec3(1), region.hi + IVec3(1)} {
    cells_.resize(static_cast<std::size_t>(around_.count()));
    for (const BlockId id : blocks_in(blocks, around_)) {
      if (!blocks[id].cuts.none()) continue;
      const IBox cells = blocks[id].cells();
      for_each_cell({glm::max(cells.lo, around_.lo), glm::min(cells.hi, around_.hi)},
                    [&](IVec3 c) { cells_[index(c)] = kFilled | kFree; });
    }
  }

  bool filled(IVec3 c) const { return cells_[index(c)] & kFilled; }
  bool free(IVec3 c) const { return region_.contains(c) && cells_[index(c)] & kFree; }
  bool all_free(const IBox& box) const {
    bool all = true;
    for_each_cell(box, [&](IVec3 c) { all = all && free(c); });
    return all;
  }
  void take(const IBox& box) {
    for_each_cell(box, [&](IVec3 c) { cells_[index(c)] = kFilled; });
  }

 private:
  static constexpr std::uint8_t kFilled = 1, kFree = 2;

  std::size_t index(IVec3 c) const {
    const IVec3 size = around_.size(), p = c - around_.lo;
    return static_cast<std::size_t>(p.x) +
           static_cast<std::size_t>(size.x) *
               (static_cast<std::size_t>(p.y) +
                static_cast<std::size_t>(size.y) * static_cast<std::size_t>(p.z));
  }

  IBox region_, around_;
  std::vector<std::uint8_t> cells_;
};

/// The layer of cells against a side of the box, outside of it.
IBox layer_beyond(const IBox& box, int side) {
  const int axis = side / 2;
  IBox layer = box;
  if (side % 2 == 1) {
    layer.lo[axis] = box.hi[axis];
    layer.hi[axis] = box.hi[axis] + 1;
  } else {
    layer.lo[axis] = box.lo[axis] - 1;
    layer.hi[axis] = box.lo[axis];
  }
  return layer;
}

/// The box that grows from a cell upward along the axes in this order. The first free cell in z, y,
/// x order has no free cells below it, so growing one way is enough.
IBox grown(const CellGrid& grid, IVec3 cell, const std::array<int, 3>& order) {
  IBox box{cell, cell + IVec3(1)};
  for (const int axis : order) {
    while (grid.all_free(layer_beyond(box, 2 * axis + 1))) ++box.hi[axis];
  }
  return box;
}

IBox largest_from(const CellGrid& grid, IVec3 cell) {
  constexpr std::array<std::array<int, 3>, 6> kOrders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  IBox best;
  for (const auto& order : kOrders) {
    const IBox box = grown(grid, cell, order);
    if (box.count() > best.count()) best = box;
  }
  return best;
}

BoxPart part_of(const CellGrid& grid, const IBox& box) {
  BoxPart part;
  part.middle = 0.5 * kCell * Vec3(box.lo + box.hi);
  part.half = 0.5 * kCell * Vec3(box.size());
  for (int side = 0; side < kSides; ++side) {
    std::int64_t filled = 0;
    const IBox layer = layer_beyond(box, side);
    for_each_cell(layer, [&](IVec3 c) { filled += grid.filled(c); });
    if (filled == layer.count()) part.closed |= static_cast<std::uint8_t>(1 << side);
    if (filled > 0) part.partial |= static_cast<std::uint8_t>(1 << side);
  }
  return part;
}

int filled_around(const CellGrid& grid, IVec3 corner) {
  int filled = 0;
  for (int i = 0; i < 8; ++i) {
    filled += grid.filled(corner - IVec3(i & 1, i >> 1 & 1, i >> 2));
  }
  return filled;
}

constexpr int kSegments = 4;

}  // namespace

ConvexParts convex_parts(const Blocks& blocks, const IBox& region) {
  ConvexParts parts;
  CellGrid grid(blocks, region);
  for_each_cell(region, [&](IVec3 c) {
    if (!grid.free(c)) return;
    const IBox box = largest_from(grid, c);
    grid.take(box);
    parts.boxes.push_back(part_of(grid, box));
  });
  for (const BlockId id : blocks_in(blocks, region)) {
    if (!blocks[id].cuts.none()) parts.cut_blocks.push_back(id);
  }
  return parts;
}

IBox cell_bounds(const Blocks& blocks) {
  IBox bounds;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (!blocks.stands(id)) continue;
    const IBox cells = blocks[id].cells();
    bounds =
        bounds.empty() ? cells : IBox{glm::min(bounds.lo, cells.lo), glm::max(bounds.hi, cells.hi)};
  }
  return bounds;
}

std::vector<Vec3> standing_points(const Blocks& blocks) {
  std::vector<Vec3> points;
  const IBox bounds = cell_bounds(blocks);
  const CellGrid grid(blocks, bounds);
  for_each_cell({bounds.lo, bounds.hi + IVec3(1)}, [&](IVec3 corner) {
    const int filled = filled_around(grid, corner);
    if (filled >= 1 && filled <= 4) points.push_back(kCell * Vec3(corner));
  });
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    const Block& block = blocks[id];
    if (!blocks.stands(id) || block.cuts.none() || is_ball(block)) continue;
    for (const Vec3& v : make_shape(block.cuts, kSegments).vertices) {
      points.push_back(block.middle() + block.half() * v);
    }
  }
  return points;
}

}  // namespace talus
