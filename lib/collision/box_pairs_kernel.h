// The kernel of BoxPairs.
#pragma once

#include <span>

#include "collision/box_pairs.h"

namespace talus {

/// From each group's boxes to their gaps.
void measure_box_pairs(std::span<BoxPairs::Group> groups);

}  // namespace talus
