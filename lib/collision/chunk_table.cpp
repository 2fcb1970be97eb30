#include "collision/chunk_table.h"

#include <algorithm>

namespace talus {

void ChunkTable::grow() {
  std::vector<Slot> old(std::max<std::size_t>(16, 2 * slots_.size()));
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.page != kNone) slots_[slot_of(slot.key)] = slot;
  }
}

void ChunkTable::set(IVec3 chunk, std::uint32_t value) {
  if (2 * (pages_.size() + 1) > slots_.size()) grow();
  const IVec3 key = page_key(chunk);
  Slot& slot = slots_[slot_of(key)];
  if (slot.page == kNone) {
    if (value == 0) return;
    slot = {key, static_cast<std::uint32_t>(pages_.size())};
    pages_.emplace_back().fill(0);
  }
  pages_[slot.page][place_in_page(chunk)] = value;
}

}  // namespace talus
