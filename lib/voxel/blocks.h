// A structure: which block fills which cell.
//
// Cells are kept in bricks of 8 x 8 x 8 that exist only where blocks are, so a structure may lie
// anywhere and be as scattered as it likes. A block keeps its id for good; ids count up from 0 in
// the order of placing and are never given twice. Reading from several threads is safe.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "voxel/block.h"

namespace talus {

using BlockId = std::uint32_t;
inline constexpr BlockId kNoBlock = 0xFFFFFFFF;

class Blocks {
 public:
  /// Places a block and returns its id; kNoBlock, and nothing changed, where one is in the way.
  /// Requires a size of 1 to kMaxBlockSize and all cells within kFarthestCell.
  BlockId place(const Block& block);
  /// A block that overlaps the cells of this one; kNoBlock where all are free.
  BlockId obstacle(const Block& block) const;
  /// Takes the block out. Requires that it stands.
  void remove(BlockId id);

  /// The block in a cell, or kNoBlock.
  BlockId at(IVec3 cell) const;
  bool stands(BlockId id) const { return id < blocks_.size() && standing_[id]; }
  /// The block of an id, also after it was removed.
  const Block& operator[](BlockId id) const { return blocks_[id]; }
  /// How many stand, and one past the greatest id so far.
  std::size_t count() const { return count_; }
  BlockId id_end() const { return static_cast<BlockId>(blocks_.size()); }

 private:
  static constexpr int kBrick = 8;  // cells on a side
  using Brick = std::array<BlockId, kBrick * kBrick * kBrick>;
  struct Slot {
    IVec3 key{0};
    std::uint32_t brick = kNoBlock;
  };

  const Brick* find(IVec3 key) const;
  Brick& make(IVec3 key);
  void grow();
  std::size_t slot_of(IVec3 key) const;
  template <class Visit>
  static void for_each_cell(const Block& block, const Visit& visit);

  std::vector<Block> blocks_;
  std::vector<std::uint8_t> standing_;
  std::size_t count_ = 0;
  std::deque<Brick> bricks_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
};

/// The blocks that share at least one cell face with the block, by rising id.
std::vector<BlockId> bonded(const Blocks& blocks, const Block& block);

/// The blocks with a cell in the box, by rising id. Cost: the cells of the box or the blocks of the
/// store, whichever are fewer.
std::vector<BlockId> blocks_in(const Blocks& blocks, const IBox& cells);

/// Which sides air reaches: bit `side` is set unless every cell against it is filled by blocks
/// whose own side there is whole.
unsigned open_sides(const Blocks& blocks, const Block& block);

}  // namespace talus
