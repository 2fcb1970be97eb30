// The plain answer to "what does nothing hold?": flood fill over everything, cell by cell.
#pragma once

#include <functional>
#include <vector>

#include "structure/support.h"

namespace talus {

/// The components that nothing holds, in order of their least id.
std::vector<Component> flood_fill_unsupported(const Blocks& blocks,
                                              const std::function<bool(BlockId)>& anchored);

}  // namespace talus
