// Level ground at y = 0, and the brushes that work on it.
#pragma once

#include "terrain/terrain.h"

namespace talus {

inline Terrain flat_ground() {
  TerrainSpec spec;
  spec.preset = "flat";
  return {make_preset(spec), {}};
}

inline Brush ball_brush(Brush::Mode mode, Vec3 center, double radius) {
  Brush brush;
  brush.mode = mode;
  brush.center = center;
  brush.radius = radius;
  return brush;
}

}  // namespace talus
