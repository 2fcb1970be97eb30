#include "collision/near_places.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "terrain/field.h"

namespace talus {

namespace {

constexpr int kMostRounds = 8;
constexpr double kStays = 1e-5;  // metres
constexpr double kOff = 1e-3;    // metres from the surface, the most
/// sine of the angle by which a place must rise over a nearer one's plane: the surface is rounded.
constexpr double kRises = 0.02;

/// The point of the plane gradient . x = level within the unit cube that is nearest to a point:
/// axis by axis, what lies farthest out of the cube is held at its side.
Vec3 nearest_on_plane(Vec3 gradient, double level, Vec3 point) {
  Vec3 on = point;
  std::array<bool, 3> held{};
  for (int round = 0; round < 3; ++round) {
    double length2 = 0, lacking = level;
    for (int k = 0; k < 3; ++k) {
      const bool free = !held[static_cast<std::size_t>(k)];
      if (free) length2 += gradient[k] * gradient[k];
      lacking -= gradient[k] * (free ? point[k] : on[k]);
    }
    if (!(length2 > 0)) break;
    int worst = -1;
    double farthest = 0;
    for (int k = 0; k < 3; ++k) {
      if (held[static_cast<std::size_t>(k)]) continue;
      on[k] = point[k] + gradient[k] * (lacking / length2);
      const double out = std::max(-on[k], on[k] - 1);
      if (out <= farthest) continue;
      farthest = out;
      worst = k;
    }
    if (worst < 0) break;
    held[static_cast<std::size_t>(worst)] = true;
    on[worst] = on[worst] < 0 ? 0 : 1;
  }
  return glm::clamp(on, 0.0, 1.0);
}

}  // namespace

std::optional<Vec3> nearest_in_cell(const std::array<double, 8>& corners, Vec3 point) {
  Vec3 at = glm::clamp(point, 0.0, 1.0);
  for (int round = 0; round < kMostRounds; ++round) {
    const Probe probe = blend(corners, at);
    const double level = glm::dot(probe.gradient, at) - probe.density;
    const Vec3 next = nearest_on_plane(probe.gradient, level, point);
    const Vec3 moved = next - at;
    at = next;
    if (glm::dot(moved, moved) < kStays * kStays) break;
  }
  const Probe probe = blend(corners, at);
  const double steepness = glm::length(probe.gradient);
  if (!(std::abs(probe.density) <= kOff * steepness)) return std::nullopt;
  return at;
}

void keep_separate(std::vector<NearPlace>& places) {
  std::stable_sort(places.begin(), places.end(),
                   [](const NearPlace& a, const NearPlace& b) { return a.distance < b.distance; });
  std::size_t kept = 0;
  for (const NearPlace& place : places) {
    const auto covers = [&](const NearPlace& nearer) {
      const Vec3 between = place.at - nearer.at;
      return glm::dot(between, nearer.out) <= kRises * glm::length(between);
    };
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(kept);
    if (std::none_of(places.begin(), end, covers)) places[kept++] = place;
  }
  places.resize(kept);
}

}  // namespace talus
