#include "voxel/blocks.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include <glm/common.hpp>

#include "core/grid.h"
#include "core/point_hash.h"

namespace talus {

namespace {

constexpr int kBrickEdge = 8;

IVec3 brick_of(IVec3 cell) {
  return {floor_div(cell.x, kBrickEdge), floor_div(cell.y, kBrickEdge),
          floor_div(cell.z, kBrickEdge)};
}

std::size_t entry_of(IVec3 cell) {
  const auto x = static_cast<std::size_t>(floor_mod(cell.x, kBrickEdge));
  const auto y = static_cast<std::size_t>(floor_mod(cell.y, kBrickEdge));
  const auto z = static_cast<std::size_t>(floor_mod(cell.z, kBrickEdge));
  return x + kBrickEdge * (y + kBrickEdge * z);
}

/// Calls visit(cell) for the cells that lie against a side of the block, outside it.
template <class Visit>
void for_each_cell_against(const Block& block, int side, const Visit& visit) {
  const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
  IVec3 cell = block.cell;
  cell[axis] += side % 2 ? block.size : -1;
  for (int j = 0; j < block.size; ++j) {
    for (int i = 0; i < block.size; ++i) {
      IVec3 at = cell;
      at[u] += i;
      at[v] += j;
      visit(at);
    }
  }
}

}  // namespace

template <class Visit>
void Blocks::for_each_cell(const Block& block, const Visit& visit) {
  const IBox box = block.cells();
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x) visit(IVec3(x, y, z));
    }
  }
}

std::size_t Blocks::slot_of(IVec3 key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = PointHash()(key) & mask;
  while (slots_[slot].brick != kNoBlock && slots_[slot].key != key) slot = (slot + 1) & mask;
  return slot;
}

const Blocks::Brick* Blocks::find(IVec3 key) const {
  if (slots_.empty()) return nullptr;
  const Slot& slot = slots_[slot_of(key)];
  return slot.brick == kNoBlock ? nullptr : &bricks_[slot.brick];
}

void Blocks::grow() {
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(8, 2 * slots_.size())));
  for (const Slot& slot : old) {
    if (slot.brick != kNoBlock) slots_[slot_of(slot.key)] = slot;
  }
}

Blocks::Brick& Blocks::make(IVec3 key) {
  if (2 * (bricks_.size() + 1) > slots_.size()) grow();
  Slot& slot = slots_[slot_of(key)];
  if (slot.brick == kNoBlock) {
    slot = {key, static_cast<std::uint32_t>(bricks_.size())};
    bricks_.emplace_back().fill(kNoBlock);
  }
  return bricks_[slot.brick];
}

BlockId Blocks::at(IVec3 cell) const {
  const Brick* brick = find(brick_of(cell));
  return brick ? (*brick)[entry_of(cell)] : kNoBlock;
}

BlockId Blocks::obstacle(const Block& block) const {
  const IBox box = block.cells();
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        if (const BlockId other = at({x, y, z}); other != kNoBlock) return other;
      }
    }
  }
  return kNoBlock;
}

BlockId Blocks::place(const Block& block) {
  assert(block.size >= 1 && block.size <= kMaxBlockSize);
  if (obstacle(block) != kNoBlock) return kNoBlock;
  const BlockId id = id_end();
  for_each_cell(block, [&](IVec3 cell) { make(brick_of(cell))[entry_of(cell)] = id; });
  blocks_.push_back(block);
  standing_.push_back(1);
  ++count_;
  return id;
}

void Blocks::remove(BlockId id) {
  assert(stands(id));
  for_each_cell(blocks_[id], [&](IVec3 cell) { make(brick_of(cell))[entry_of(cell)] = kNoBlock; });
  standing_[id] = 0;
  --count_;
}

std::vector<BlockId> bonded(const Blocks& blocks, const Block& block) {
  std::vector<BlockId> found;
  for (int side = 0; side < kSides; ++side) {
    for_each_cell_against(block, side, [&](IVec3 cell) {
      const BlockId other = blocks.at(cell);
      if (other != kNoBlock && (found.empty() || found.back() != other)) found.push_back(other);
    });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<BlockId> blocks_in(const Blocks& blocks, const IBox& cells) {
  std::vector<BlockId> found;
  if (cells.empty()) return found;
  if (cells.count() > blocks.id_end()) {
    for (BlockId id = 0; id < blocks.id_end(); ++id) {
      const IBox own = blocks[id].cells();
      const IBox common{glm::max(own.lo, cells.lo), glm::min(own.hi, cells.hi)};
      if (blocks.stands(id) && !common.empty()) found.push_back(id);
    }
    return found;
  }
  for (int z = cells.lo.z; z < cells.hi.z; ++z) {
    for (int y = cells.lo.y; y < cells.hi.y; ++y) {
      for (int x = cells.lo.x; x < cells.hi.x; ++x) {
        const BlockId id = blocks.at({x, y, z});
        if (id != kNoBlock && (found.empty() || found.back() != id)) found.push_back(id);
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

unsigned open_sides(const Blocks& blocks, const Block& block) {
  unsigned open = 0;
  for (int side = 0; side < kSides; ++side) {
    for_each_cell_against(block, side, [&](IVec3 cell) {
      const BlockId other = blocks.at(cell);
      if (other == kNoBlock || !side_is_whole(blocks[other].cuts, side ^ 1)) open |= 1u << side;
    });
  }
  return open;
}

}  // namespace talus
