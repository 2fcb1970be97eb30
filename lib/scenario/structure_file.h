// A structure on its own, as a file that scenarios import.
#pragma once

#include <string>
#include <vector>

#include "structure/voxelise.h"

namespace talus {

/// Most boxes of a structure file: what one JSON file may hold, with room.
inline constexpr std::size_t kMostBoxes = 50'000;
/// Throws Error over kMostBoxes.
void check_box_count(std::size_t boxes);

/// The file's text: boxes of blocks of one material. Cells count from `from`. Throws Error over
/// kMostBoxes.
std::string structure_file_text(const std::vector<BlockBox>& boxes, const std::string& material,
                                IVec3 from, const std::string& about);

}  // namespace talus
