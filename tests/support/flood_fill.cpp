#include "support/flood_fill.h"

#include <algorithm>
#include <array>
#include <map>

namespace talus {

std::vector<Component> flood_fill_unsupported(const Blocks& blocks,
                                              const std::function<bool(BlockId)>& anchored) {
  using Cell = std::array<int, 3>;
  std::map<Cell, BlockId> cells;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (!blocks.stands(id)) continue;
    const Block& b = blocks[id];
    for (int n = 0; n < b.size * b.size * b.size; ++n) {
      cells[{b.cell.x + n % b.size, b.cell.y + n / b.size % b.size,
             b.cell.z + n / b.size / b.size}] = id;
    }
  }
  // Cells of one block count as joined, since they touch.
  std::map<Cell, bool> seen;
  std::vector<Component> fallen;
  for (const auto& [start, start_id] : cells) {
    if (seen[start]) continue;
    std::vector<Cell> open{start};
    seen[start] = true;
    Component component;
    bool held = false;
    while (!open.empty()) {
      const Cell at = open.back();
      open.pop_back();
      component.push_back(cells[at]);
      held |= anchored(cells[at]);
      for (int side = 0; side < kSides; ++side) {
        Cell next = at;
        next[static_cast<std::size_t>(side / 2)] += side % 2 ? 1 : -1;
        if (cells.contains(next) && !seen[next]) {
          seen[next] = true;
          open.push_back(next);
        }
      }
    }
    if (held) continue;
    std::sort(component.begin(), component.end());
    component.erase(std::unique(component.begin(), component.end()), component.end());
    fallen.push_back(component);
  }
  std::sort(fallen.begin(), fallen.end());
  return fallen;
}

}  // namespace talus
