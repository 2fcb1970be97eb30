// Where a surface comes nearest to a point, on each of its sides: in a crease that is more than one
// place, and whoever looks at the nearest alone jumps from flank to flank.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/vec.h"

namespace talus {

/// In metres.
struct NearPlace {
  Vec3 at;
  Vec3 out;  // unit, from there to the point
  double distance;
};

/// The place of the blended surface (terrain/field.h) in one cell that is nearest to a point, both
/// in the cell's own frame, where it is [0, 1]^3. Projects on to the tangent plane, within the
/// cell, until that stays. None where the surface does not cross the cell, or is too warped to tell
/// within a millimetre. Cost: two to eight blends.
std::optional<Vec3> nearest_in_cell(const std::array<double, 8>& corners, Vec3 point);

/// Of places on pieces of a surface (cells, triangles), in any order, those that matter: the
/// nearest, and each that rises over the planes across the nearer ones' directions. What is left is
/// in order of distance.
void keep_separate(std::vector<NearPlace>& places);

}  // namespace talus
