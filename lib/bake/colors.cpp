#include "bake/colors.h"

#include <algorithm>

namespace talus {

namespace {

const Vec3f kGrass(0.10f, 0.22f, 0.04f);
const Vec3f kSoil(0.20f, 0.11f, 0.05f);
const Vec3f kRock(0.24f, 0.23f, 0.22f);
const Vec3f kCave(0.09f, 0.075f, 0.07f);

// 0 up to `from`, 1 past `to`, smooth between.
float ramp(float from, float to, float value) {
  const float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

Vec3f blend(const Vec3f& a, const Vec3f& b, float t) {
  return a * (1 - t) + b * t;
}

}  // namespace

Vec3f surface_color(float up, double depth_m) {
  const auto depth = static_cast<float>(std::clamp(depth_m, -100.0, 100.0));
  const Vec3f level = blend(kGrass, kSoil, ramp(0.5f, 2, depth));  // grass has soil under it
  const Vec3f open = blend(kRock, level, ramp(0.55f, 0.85f, up));  // none of it holds on a cliff
  return blend(open, kCave, ramp(3, 8, depth));                    // and no light gets below
}

}  // namespace talus
