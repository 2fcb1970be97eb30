#include "support/overlap.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

namespace {

double half_width(const Mat3& axes, double half, Vec3 along) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += std::abs(glm::dot(axes[k], along));
  return half * sum;
}

struct Cube {
  Vec3 center;
  Mat3 axes;
  double half;
};

std::vector<Cube> cubes_of(const Body& body) {
  std::vector<Cube> cubes;
  const Mat3 r = rotation_matrix(body.orientation);
  const Blocks& blocks = body.piece->blocks;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    cubes.push_back({to_world(body, blocks[id].middle()), r, blocks[id].half()});
  }
  return cubes;
}

}  // namespace

double cube_overlap(Vec3 center_a, const Mat3& axes_a, double half_a, Vec3 center_b,
                    const Mat3& axes_b, double half_b) {
  const Vec3 d = center_b - center_a;
  double least = HUGE_VAL;
  const auto try_axis = [&](Vec3 axis) {
    const double length = glm::length(axis);
    if (length < 1e-9) return;
    axis /= length;
    least = std::min(least, half_width(axes_a, half_a, axis) + half_width(axes_b, half_b, axis) -
                                std::abs(glm::dot(d, axis)));
  };
  for (int i = 0; i < 3; ++i) {
    try_axis(axes_a[i]);
    try_axis(axes_b[i]);
    for (int j = 0; j < 3; ++j) try_axis(glm::cross(axes_a[i], axes_b[j]));
  }
  return least;
}

Overlap measure_overlap(World& world) {
  Overlap worst;
  const auto& bodies = world.bodies();
  std::vector<std::vector<Cube>> cubes;
  cubes.reserve(bodies.size());
  for (const Body& body : bodies) cubes.push_back(cubes_of(body));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].lost) continue;
    worst.below += world.solids().ground.nearest(bodies[i].position).distance < 0;
    for (const Cube& c : cubes[i]) {
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner(k & 1 ? c.half : -c.half, k & 2 ? c.half : -c.half,
                          k & 4 ? c.half : -c.half);
        const Vec3 at = c.center + c.axes * corner;
        worst.ground_m = std::max(worst.ground_m, -world.solids().ground.nearest(at).distance);
      }
      const Vec3 reach(2 * c.half + kCell);
      const IBox near{IVec3(glm::floor((c.center - reach) / kCell)),
                      IVec3(glm::floor((c.center + reach) / kCell)) + IVec3(1)};
      for (const BlockId id : blocks_in(world.blocks(), near)) {
        const Block& b = world.blocks()[id];
        worst.pair_m = std::max(
            worst.pair_m, cube_overlap(c.center, c.axes, c.half, b.middle(), Mat3(1), b.half()));
      }
    }
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const double reach = bodies[i].piece->radius + bodies[j].piece->radius;
      if (bodies[j].lost || glm::distance(bodies[i].position, bodies[j].position) > reach) continue;
      for (const Cube& a : cubes[i]) {
        for (const Cube& b : cubes[j]) {
          worst.pair_m = std::max(worst.pair_m,
                                  cube_overlap(a.center, a.axes, a.half, b.center, b.axes, b.half));
        }
      }
    }
  }
  return worst;
}

}  // namespace talus
