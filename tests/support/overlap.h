// How deep bodies are in one another and in the ground, by a test that shares nothing with any
// solver: separating axes between the cubes of blocks, in double, and block corners in the field.
#pragma once

#include "physics/world.h"

namespace talus {

struct Overlap {
  double pair_m = 0;    // the deepest pair of cubes of two bodies, or of a body and what stands
  double ground_m = 0;  // the deepest corner
  int below = 0;        // bodies whose centre is in the ground
};
/// Uncut blocks only.
Overlap measure_overlap(World& world);
/// How far two cubes overlap (least over all axes); negative: how far they are apart, at least.
double cube_overlap(Vec3 center_a, const Mat3& axes_a, double half_a, Vec3 center_b,
                    const Mat3& axes_b, double half_b);

}  // namespace talus
