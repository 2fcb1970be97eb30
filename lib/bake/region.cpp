// Regions from metres.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "bake/bake.h"
#include "bake/chunks.h"
#include "core/error.h"

namespace talus {

namespace {

constexpr double kMostMetres = 1e9;
constexpr double kMostSamples = 0x1p52;
constexpr double kRoomForCaves = 32, kRoomForOverhangs = 16;
constexpr int kMostPosts = 129;
constexpr char kAxes[] = "xyz";

void check_step(double step) {
  if (step >= 1.0 / 64 && step <= 64 && std::floor(step * 64) == step * 64) return;
  throw Error(
      fmt::format("step {}: must be a multiple of 1/64 m (0.015625) from 1/64 to 64 m", step));
}

void check_coordinate(const std::string& what, double value) {
  if (std::abs(value) <= kMostMetres) return;
  throw Error(fmt::format("{} is {}: must be a number from -1e9 to 1e9 metres", what, value));
}

int lattice_point(char axis, double metres, double steps, double step) {
  if (std::abs(steps) <= kMostLatticePoint) return static_cast<int>(steps);
  throw Error(
      fmt::format("{} = {} m is past {} steps of {} m from the origin: take a coarser --step "
                  "or a nearer region",
                  axis, metres, kMostLatticePoint, step));
}

void check_sample_count(const IBox& region) {
  const IVec3 n = region.size();
  if (static_cast<double>(n.x) * n.y * n.z <= kMostSamples) return;
  throw Error(
      fmt::format("the region has {} x {} x {} samples, more than 2^52: take a coarser --step or a "
                  "smaller region",
                  n.x, n.y, n.z));
}

// Heights of the ground, on a grid over the area.
struct GroundRange {
  double lowest, highest;
  double relief;  // the largest difference between neighbouring posts
};

GroundRange ground_range(const Terrain& terrain, double x, double z, double size, double step) {
  const int posts = static_cast<int>(std::clamp(std::ceil(size / step) + 1, 2.0, 1.0 * kMostPosts));
  const auto at = [&](int i) { return size * (static_cast<double>(i) / (posts - 1) - 0.5); };
  GroundRange range{terrain.preset->height(x, z), terrain.preset->height(x, z), 0};
  std::vector<double> row(static_cast<std::size_t>(posts)), last;
  for (int k = 0; k < posts; ++k) {
    for (int i = 0; i < posts; ++i) {
      const auto column = static_cast<std::size_t>(i);
      const double height = terrain.preset->height(x + at(i), z + at(k));
      row[column] = height;
      range.lowest = std::min(range.lowest, height);
      range.highest = std::max(range.highest, height);
      if (i > 0) range.relief = std::max(range.relief, std::abs(height - row[column - 1]));
      if (k > 0) range.relief = std::max(range.relief, std::abs(height - last[column]));
    }
    last = row;
  }
  return range;
}

}  // namespace

IBox region_from_corners(Vec3 from, Vec3 to, double step) {
  check_step(step);
  IBox region;
  for (int axis = 0; axis < 3; ++axis) {
    const char name = kAxes[axis];
    check_coordinate(fmt::format("{} of the first corner", name), from[axis]);
    check_coordinate(fmt::format("{} of the second corner", name), to[axis]);
    if (from[axis] == to[axis]) {
      throw Error(fmt::format("the region is empty: both corners have {} = {}", name, to[axis]));
    }
    if (from[axis] > to[axis]) {
      throw Error(fmt::format("{} runs backwards, from {} to {}: swap the two", name, from[axis],
                              to[axis]));
    }
    region.lo[axis] = lattice_point(name, from[axis], std::floor(from[axis] / step), step);
    region.hi[axis] = lattice_point(name, to[axis], std::ceil(to[axis] / step), step);
  }
  check_sample_count(region);
  return region;
}

IBox region_around(const Terrain& terrain, double x, double z, double size, double step) {
  check_step(step);
  check_coordinate("x of the column", x);
  check_coordinate("z of the column", z);
  if (!(size > 0 && size <= 2 * kMostMetres)) {
    throw Error(fmt::format("size {}: must be above 0, and at most 2e9 metres", size));
  }
  const GroundRange ground = ground_range(terrain, x, z, size, step);
  const double half = size / 2;
  return region_from_corners(
      {x - half, ground.lowest - ground.relief - kRoomForCaves, z - half},
      {x + half, ground.highest + ground.relief + kRoomForOverhangs, z + half}, step);
}

}  // namespace talus
