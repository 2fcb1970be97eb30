// Digging and filling.
//
//   dig:  density = min(density,  distance)      distance: metres outside the brush, negative
//   inside fill: density = max(density, -distance)
//
// A brush changes samples inside it and up to kBrushReach outside its surface, nothing beyond.
#pragma once

#include <memory>

#include "core/box.h"

namespace talus {

struct SampleSet;

struct Brush {
  enum class Shape { Sphere, Box, Capsule, Samples };
  enum class Mode { Dig, Fill };

  Shape shape = Shape::Sphere;
  Mode mode = Mode::Dig;
  Vec3 center{0};     // of the sphere or box; the first end of the capsule's axis. Metres.
  Vec3 end{0};        // the capsule's other end
  Vec3 half_size{0};  // the box's half edges, metres
  double radius = 0;  // of the sphere and capsule, metres
  /// Samples: those whose voxels (1 m, about them) are the shape, all through half a metre deep.
  /// Nothing else changes. Made by digging (collision/islands.h); no file holds one.
  std::shared_ptr<const SampleSet> samples{};
};

/// How far around itself a brush shapes the densities, metres: far enough that cells of up to this
/// size at its surface see the brush and not what was there.
inline constexpr double kBrushReach = 4;

/// Metres from the brush's surface: negative inside, positive outside; exact for
/// sphere, box and capsule.
double signed_distance(const Brush& brush, Vec3 point);
/// The box of all points that the brush may change.
Box reach(const Brush& brush);
/// The density at a point after the brush.
double apply(const Brush& brush, Vec3 point, double density);

}  // namespace talus
