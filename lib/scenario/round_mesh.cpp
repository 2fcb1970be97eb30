#include "scenario/round_mesh.h"

#include <cmath>

namespace talus {

namespace {

constexpr int kAround = 24;
constexpr int kRings = 10;  // between pole and equator

}  // namespace

Mesh round_mesh(double radius, double stretch) {
  constexpr double kPi = 3.14159265358979323846;
  Mesh mesh;
  const auto add = [&](Vec3 direction, double lift) {
    mesh.positions.emplace_back(radius * direction + Vec3(0, lift, 0));
    mesh.normals.emplace_back(direction);
  };
  // Rings from the top down; the equator twice, so that it may be pulled apart.
  constexpr int kAll = 2 * kRings;
  add({0, 1, 0}, stretch);
  for (int ring = 0; ring < kAll; ++ring) {
    const bool upper = ring < kRings;
    const double angle = kPi / 2 * (upper ? ring + 1 : ring) / kRings;
    for (int i = 0; i < kAround; ++i) {
      const double turn = 2 * kPi * i / kAround;
      add({std::sin(angle) * std::cos(turn), std::cos(angle), std::sin(angle) * std::sin(turn)},
          upper ? stretch : -stretch);
    }
  }
  add({0, -1, 0}, -stretch);
  const auto at = [](int ring, int i) {
    return static_cast<std::uint32_t>(1 + ring * kAround + i % kAround);
  };
  const auto bottom = static_cast<std::uint32_t>(mesh.positions.size() - 1);
  for (int i = 0; i < kAround; ++i) {
    mesh.indices.insert(mesh.indices.end(), {0, at(0, i + 1), at(0, i)});
    for (int ring = 0; ring + 1 < kAll; ++ring) {
      if (ring + 1 == kRings && stretch == 0) continue;  // the equator, twice in one place
      mesh.indices.insert(mesh.indices.end(), {at(ring, i), at(ring, i + 1), at(ring + 1, i)});
      mesh.indices.insert(mesh.indices.end(),
                          {at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i)});
    }
    mesh.indices.insert(mesh.indices.end(), {bottom, at(kAll - 1, i), at(kAll - 1, i + 1)});
  }
  return mesh;
}

}  // namespace talus
