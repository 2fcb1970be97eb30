// What holds, and what nothing holds any more.
//
// Two blocks are bonded where they share a cell face. A block is anchored where the ground holds
// it; whoever knows the ground says so. A component (blocks joined by bonds) is held if one of its
// blocks is anchored; otherwise it breaks off as one.
//
// Looking again after a change goes out from the blocks around it, all searches by turns, each
// towards the lowest block it knows (anchors are below):
//
//        +--+--+--+--+                     the block x is gone. Two searches start, left and right
//        |  |  | <x> |--+--+               of it. The right one runs out after two blocks: they
//     ---+--+--+--+--+  |  |               fall, and since x was one piece with all of them and no
//     ///////////////                      anchor, the other side must still be held: finished.
//
// So a cut costs in proportion to its smaller side, or to the way down to an anchor.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voxel/blocks.h"

namespace talus {

/// The ids of one component, rising.
using Component = std::vector<BlockId>;

/// What happened since all that stands was held.
struct SupportChange {
  /// Blocks that were taken out of the store.
  std::vector<BlockId> removed;
  /// Blocks that stand but may have lost their hold: new ones, and those that the ground let go.
  std::vector<BlockId> doubtful;
};

class Support {
 public:
  /// Says whether the ground holds a block. Blocks never mentioned are not anchored. Stays with the
  /// id, also when the block is removed.
  void set_anchored(BlockId id, bool anchored);
  bool anchored(BlockId id) const { return id < anchored_.size() && anchored_[id]; }

  /// The components that nothing holds after the change, in order of their least id. Requires that
  /// everything was held before it.
  std::vector<Component> unsupported(const Blocks& blocks, const SupportChange& change);
  /// The same for a structure that was never looked at. Cost: all of it.
  std::vector<Component> unsupported_anywhere(const Blocks& blocks);

 private:
  std::vector<std::uint8_t> anchored_;
  // Which search saw a block: search + first_mark_ of the current call; older marks mean none.
  std::vector<std::uint32_t> mark_;
  std::uint32_t first_mark_ = 1;

  friend class SupportSearch;
};

}  // namespace talus
