#include "physics/ball_rests.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace talus {

namespace {

/// How far v goes against a rest.
double against(const Rests::Rest& rest, Vec3 v, Rests::Of of) {
  if (of == Rests::Of::Velocity && rest.body) return 0;
  return (of == Rests::Of::Velocity ? rest.speed : 0) - glm::dot(v, rest.normal);
}

}  // namespace

bool Rests::allows(Vec3 v, Of of) const {
  const double slack = 1e-12 * (glm::length(v) + 1);
  return std::all_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](const Rest& rest) { return against(rest, v, of) <= slack; });
}

Vec3 Rests::clip(Vec3 v, Of of) const {
  if (count == 0 || allows(v, of)) return v;
  for (std::size_t i = 0; i < count; ++i) {
    const double by = against(all[i], v, of);
    const Vec3 along = v + by * all[i].normal;
    if (by > 0 && allows(along, of)) return along;
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const Vec3 crease = glm::cross(all[i].normal, all[j].normal);
      const double length2 = glm::dot(crease, crease);
      if (length2 < 1e-12) continue;
      const Vec3 along = (glm::dot(v, crease) / length2) * crease;
      if (allows(along, of)) return along;
    }
  }
  return Vec3(0);
}

}  // namespace talus
