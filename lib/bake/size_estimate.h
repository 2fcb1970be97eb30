// How large a merged file would become, before it is made.
#pragma once

#include <string>

#include "bake/bake.h"
#include "bake/chunks.h"

namespace talus {

/// Throws Error where a .glb of the region would pass the 4 GiB that the format can count, naming
/// the size and the mend. Areas too small for that cost nothing; of large ones, up to 64 columns of
/// chunks spread over the area are meshed and the rest is extrapolated. Asks progress whether to
/// stop, and throws Interrupted.
void refuse_large_glb(const BakeRequest& request, const ChunkGrid& grid, const std::string& path,
                      const Progress& progress);

}  // namespace talus
