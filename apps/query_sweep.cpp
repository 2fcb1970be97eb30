#include "query_sweep.h"

#include <memory>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "collision/sweep_world.h"
#include "core/error.h"
#include "io/mesh_reader.h"

namespace talus {

namespace {

constexpr double kLongestSweep = TerrainTriangles::kFarthestReach;
constexpr double kLargestRadius = 100;  // metres: a larger ball touches too much ground at once

using Target = std::function<std::optional<SweepHit>(const SphereSweep&)>;

Target sweep_meshes(const std::string& path) {
  const auto trees = std::make_shared<std::vector<WideBvh>>();
  for (const Mesh& mesh : read_mesh_file(path)) trees->emplace_back(mesh);
  return [trees](const SphereSweep& sweep) {
    std::optional<SweepHit> best;
    for (const WideBvh& tree : *trees) {
      const auto hit = sweep_mesh(tree, sweep, best ? best->time : 2);
      if (hit) best = hit;
    }
    return best;
  };
}

Target sweep_terrain(const WorldOptions& world) {
  const auto ground = std::make_shared<TerrainTriangles>(make_terrain(read_world(world)));
  return [ground](const SphereSweep& sweep) { return sweep_ground(*ground, sweep); };
}

SphereSweep read_sweep(std::span<const double> row) {
  const SphereSweep sweep{{row[0], row[1], row[2]}, {row[3], row[4], row[5]}, row[6]};
  if (!(sweep.radius > 0 && sweep.radius <= kLargestRadius)) {
    throw Error(fmt::format("radius: must be over 0 and at most {} m, got {}", kLargestRadius,
                            sweep.radius));
  }
  const double length = glm::length(sweep.end - sweep.start);
  if (length > kLongestSweep) {
    throw Error(fmt::format("the sweep is {} m long: at most {} m, cut it into several", length,
                            kLongestSweep));
  }
  return sweep;
}

}  // namespace

Question ask_sweep(const WorldOptions& world, const std::string& mesh_file) {
  const Target target = mesh_file.empty() ? sweep_terrain(world) : sweep_meshes(mesh_file);
  const std::string what = mesh_file.empty() ? "terrain" : "mesh";
  return {{"x0", "y0", "z0", "x1", "y1", "z1", "radius"},
          {"hit", "time", "px", "py", "pz", "nx", "ny", "nz", "feature", "what"},
          [target, what](auto row) -> std::vector<Answer> {
            const auto hit = target(read_sweep(row));
            if (!hit) return {0.0, {}, {}, {}, {}, {}, {}, {}, {}, "none"};
            const Vec3 p = hit->point + 0.0, n = hit->normal + 0.0;  // no "-0"
            return {1.0, hit->time, p.x, p.y, p.z, n.x, n.y, n.z, feature_name(hit->feature), what};
          }};
}

}  // namespace talus
