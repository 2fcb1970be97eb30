#include "io/gltf_attributes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/grid.h"

namespace talus {
namespace {

using I64Vec3 = glm::i64vec3;

constexpr std::int64_t kMaxStep = 65535;

// A position in lattice steps. Exact: a float times a power of two is exact in double, and for any
// other grid the way back must give the very same float.
I64Vec3 to_lattice(Vec3f position, double grid_m, const std::string& node) {
  I64Vec3 point;
  for (int axis = 0; axis < 3; ++axis) {
    const double steps = std::nearbyint(position[axis] / grid_m);
    if (!(std::abs(steps) < 0x1p52) || static_cast<float>(steps * grid_m) != position[axis]) {
      throw Error(fmt::format("node {}: position {} is not a multiple of {} m; write it without "
                              "quantizing",
                              node, position[axis], grid_m),
                  Trouble::Output);
    }
    point[axis] = static_cast<std::int64_t>(steps);
  }
  return point;
}

// The roundest offset that brings [lo, hi] into 0 .. 65535: a multiple of the highest power of two.
std::int64_t round_offset(std::int64_t lo, std::int64_t hi) {
  for (std::int64_t round = kMaxStep + 1; round > 1; round /= 2) {
    const std::int64_t offset = floor_div(lo, round) * round;
    if (hi - offset <= kMaxStep) return offset;
  }
  return lo;
}

}  // namespace

QuantizedPositions quantize_positions(std::span<const Vec3f> positions, double grid_m,
                                      const std::string& node) {
  std::vector<I64Vec3> points;
  points.reserve(positions.size());
  for (const Vec3f& position : positions) points.push_back(to_lattice(position, grid_m, node));
  QuantizedPositions result;
  if (points.empty()) return result;

  I64Vec3 lo = points.front();
  I64Vec3 hi = lo;
  for (const I64Vec3& p : points) {
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], p[axis]);
      hi[axis] = std::max(hi[axis], p[axis]);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (hi[axis] - lo[axis] > kMaxStep) {
      throw Error(
          fmt::format("node {} is {} m wide, but 16 bits reach {} m; write it as smaller "
                      "nodes, or without quantizing",
                      node, static_cast<double>(hi[axis] - lo[axis]) * grid_m, kMaxStep * grid_m),
          Trouble::Output);
    }
    result.offset[axis] = round_offset(lo[axis], hi[axis]);
  }
  const auto shifted = [&](const I64Vec3& p) {
    const I64Vec3 q = p - result.offset;
    return Position16{static_cast<std::uint16_t>(q.x), static_cast<std::uint16_t>(q.y),
                      static_cast<std::uint16_t>(q.z), 0};
  };
  result.points.reserve(points.size());
  for (const I64Vec3& p : points) result.points.push_back(shifted(p));
  result.lo = shifted(lo);
  result.hi = shifted(hi);
  return result;
}

std::vector<Normal8> quantize_normals(std::span<const Vec3f> normals) {
  const auto quantize = [](float v) {
    return static_cast<std::int8_t>(std::lround(std::clamp(v, -1.0f, 1.0f) * 127.0f));
  };
  std::vector<Normal8> result;
  result.reserve(normals.size());
  for (const Vec3f& n : normals) result.push_back({quantize(n.x), quantize(n.y), quantize(n.z), 0});
  return result;
}

std::vector<Rgba8> quantize_colors(std::span<const Vec3f> colors) {
  const auto quantize = [](float v) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f));
  };
  std::vector<Rgba8> result;
  result.reserve(colors.size());
  for (const Vec3f& c : colors)
    result.push_back({quantize(c.r), quantize(c.g), quantize(c.b), 255});
  return result;
}

}  // namespace talus
