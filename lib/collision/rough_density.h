// Densities at many points at once, roughly: to tell which of them need a closer look.
#pragma once

#include <span>

#include <glm/mat3x3.hpp>

#include "core/vec.h"

namespace talus {

/// Samples a metre apart, x fastest, then y, then z, at least two along each axis.
struct RoughSamples {
  const float* values;
  IVec3 size;
};

/// The trilinear blend at origin + axes * points[i], metres from the first sample, to densities[i].
/// Points outside the samples get the nearest cell's blend, continued. As exact as floats are:
/// within kRoughness of the largest sample if the points are among the samples. About 3 ns a point,
/// on vectors of whatever width there is, the same bits at every width.
void rough_densities(const RoughSamples& samples, Vec3f origin, const glm::mat3& axes,
                     std::span<const Vec3f> points, std::span<float> densities);
inline constexpr double kRoughness = 1e-5;

}  // namespace talus
