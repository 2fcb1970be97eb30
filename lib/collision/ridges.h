// Convex edges of the ground:
//
//      flat              concave              convex
//     ________          \      /             .--^--.
//                        \____/             /       \.
//
// Only convex ones can poke into a body's face or edge between its corners; the others never touch
// anything first, so nothing catches on them.
#pragma once

#include <span>
#include <vector>

#include "core/vec.h"

namespace talus {

/// A convex edge: its ends, metres from some origin, the mean of the normals beside it, and the
/// cosine of the angle between that and each of them.
struct RidgeEdge {
  Vec3f a{0}, b{0};
  Vec3f normal{0};
  float cone = 1;
};

/// The ridges of a field between its samples (a metre apart, `size` of them, x fastest, then y,
/// then z; solid where positive), metres from the first sample. The blend of one cell goes over
/// into the next with a crease: of each face that two cells share, the line along which the surface
/// crosses it, where that is convex and bent by more than kSharp; less is not felt between points
/// of a body, which are half a metre apart. Cost: the samples, and a few square roots a ridge.
void find_ridges(std::span<const double> samples, IVec3 size, std::vector<RidgeEdge>& ridges);
inline constexpr double kSharp = 0.06;  // radians

}  // namespace talus
