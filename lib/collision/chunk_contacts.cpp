#include "collision/chunk_contacts.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace talus {

namespace {

bool earlier(const ChunkContact& a, const ChunkContact& b) {
  return std::tie(a.chunk.z, a.chunk.y, a.chunk.x, a.matter) <
         std::tie(b.chunk.z, b.chunk.y, b.chunk.x, b.matter);
}

}  // namespace

void find_contacts(const MaskMap& map, const Box& box, std::vector<ChunkContact>& contacts) {
  contacts.clear();
  map.for_each_touched(box, [&](IVec3 chunk, std::uint8_t matter) {
    for (const Matter each : {kSolid, kWater}) {
      if (matter & each) contacts.push_back({chunk, each});
    }
  });
}

void move_contacts(const MaskMap& map, const Box& box, std::vector<ChunkContact>& held,
                   ContactChanges& changes) {
  std::vector<ChunkContact> now;
  find_contacts(map, box, now);
  changes.began.clear();
  changes.ended.clear();
  std::set_difference(now.begin(), now.end(), held.begin(), held.end(),
                      std::back_inserter(changes.began), earlier);
  std::set_difference(held.begin(), held.end(), now.begin(), now.end(),
                      std::back_inserter(changes.ended), earlier);
  held.swap(now);
}

}  // namespace talus
