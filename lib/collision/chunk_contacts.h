// Which chunks' ground and water a moving body is near: pairs that begin when its box reaches a set
// bit of a chunk's mask and end when it no longer does. At most one pair a body, chunk and matter.
#pragma once

#include <vector>

#include "collision/chunk_masks.h"

namespace talus {

struct ChunkContact {
  IVec3 chunk{0};
  Matter matter = kSolid;
  bool operator==(const ChunkContact&) const = default;
};

struct ContactChanges {
  std::vector<ChunkContact> began, ended;
};

/// The contacts of a box: chunks in order of z, y, x, solid before water.
void find_contacts(const MaskMap& map, const Box& box, std::vector<ChunkContact>& contacts);

/// Takes a body's contacts from where it was, or from before an edit, to where it is. `held` holds
/// its contacts before and after, as find_contacts orders them; `changes` is overwritten.
void move_contacts(const MaskMap& map, const Box& box, std::vector<ChunkContact>& held,
                   ContactChanges& changes);

}  // namespace talus
