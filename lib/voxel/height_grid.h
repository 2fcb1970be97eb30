// Heights on a regular grid of posts: what a height image or a survey holds.
#pragma once

#include <vector>

namespace talus {

/// Post (i, k) stands at x = origin_x + i * spacing, z = origin_z + k * spacing, metres; its height
/// is entry i + columns * k.
struct HeightGrid {
  double origin_x = 0, origin_z = 0;
  double spacing = 1;
  int columns = 0, rows = 0;  // along x, along z; at least 2
  std::vector<double> heights;
};

}  // namespace talus
