#include "query_solids.h"

#include <memory>

#include <fmt/format.h>

#include "arguments.h"
#include "core/error.h"
#include "io/mesh_reader.h"
#include "scenario/cases.h"
#include "scenario/snapshot.h"

namespace talus {

namespace {

std::shared_ptr<Snapshot> snapshot_of(const SolidsOptions& options) {
  if (options.scenario.empty()) {
    if (!options.at.empty()) throw Error("--at: goes with --scenario FILE");
    if (!options.scenario_case.empty()) throw Error("--case: goes with --scenario FILE");
    if (options.mesh.empty())
      return std::make_shared<Snapshot>(make_terrain(read_world(options.world)));
    return std::make_shared<Snapshot>(read_mesh_file(options.mesh));
  }
  if (!options.mesh.empty()) throw Error("--scenario and --mesh: give one of them");
  std::vector<std::string> patterns;
  if (!options.scenario_case.empty()) patterns = {options.scenario_case};
  const auto cases = read_cases(options.scenario, patterns).cases;
  if (cases.size() != 1) {
    throw Error(
        fmt::format("--scenario: {} cases are chosen: choose one with --case", cases.size()));
  }
  const double at = options.at.empty() ? 0 : number_argument("--at", options.at);
  if (at < 0) throw Error(fmt::format("--at: must be at least 0 s, got {}", options.at));
  return std::make_shared<Snapshot>(cases.front(), at);
}

double reach_of(const SolidsOptions& options, double otherwise) {
  const double reach =
      options.reach.empty() ? otherwise : number_argument("--reach", options.reach);
  if (reach <= 0) throw Error(fmt::format("--reach: must be over 0 m, got {}", options.reach));
  return reach;
}

std::vector<Answer> answer_of(const std::optional<SnapshotHit>& found, const Ray& ray) {
  if (!found) return {0.0, {}, {}, {}, {}, {}, {}, {}, "none"};
  const RayFrame frame = *make_ray_frame(ray);
  const TriangleHit& hit = found->hit;
  const Vec3 p = frame.origin + hit.distance * frame.direction + 0.0;  // no "-0"
  const Vec3 n = hit.normal + 0.0;
  return {1.0, hit.distance, p.x, p.y, p.z, n.x, n.y, n.z, found->what};
}

}  // namespace

Question ask_ray(const SolidsOptions& options) {
  const double reach = reach_of(options, TerrainTriangles::kFarthestReach);
  const auto solids = snapshot_of(options);
  const auto read = [reach](std::span<const double> row) {
    const Ray ray{{row[0], row[1], row[2]}, {row[3], row[4], row[5]}, reach};
    if (!make_ray_frame(ray)) throw Error("dx,dy,dz: a direction must not be 0,0,0");
    return ray;
  };
  Question question{{"x", "y", "z", "dx", "dy", "dz"},
                    {"hit", "distance_m", "px", "py", "pz", "nx", "ny", "nz", "what"},
                    [=](auto row) {
                      const Ray ray = read(row);
                      return answer_of(solids->first_hit(ray), ray);
                    }};
  if (options.all) {
    question.answers = [=](auto row) {
      const Ray ray = read(row);
      std::vector<std::vector<Answer>> answers;
      for (const SnapshotHit& hit : solids->all_hits(ray)) answers.push_back(answer_of(hit, ray));
      if (answers.empty()) answers.push_back(answer_of(std::nullopt, ray));
      return answers;
    };
  }
  return question;
}

Question ask_box(const SolidsOptions& options) {
  const auto solids = snapshot_of(options);
  return {{"x0", "y0", "z0", "x1", "y1", "z1"},
          {"hit", "triangles", "what"},
          [solids](auto row) -> std::vector<Answer> {
            const Box box{{row[0], row[1], row[2]}, {row[3], row[4], row[5]}};
            constexpr double kLargest = 1000;
            for (int i = 0; i < 3; ++i) {
              if (!(box.lo[i] <= box.hi[i] && box.hi[i] - box.lo[i] <= kLargest)) {
                throw Error(
                    fmt::format("x0,y0,z0 must be the least corner and x1,y1,z1 the "
                                "greatest, at most {} m apart",
                                kLargest));
              }
            }
            double triangles = 0;
            std::string what;
            for (const SnapshotTouch& touch : solids->touched(box)) {
              triangles += static_cast<double>(touch.triangles);
              what += (what.empty() ? "" : ";") + touch.what;
            }
            if (what.empty()) return {0.0, 0.0, "none"};
            return {1.0, triangles, what};
          }};
}

Question ask_nearest_of(const SolidsOptions& options) {
  const double reach = reach_of(options, 10);
  const auto solids = snapshot_of(options);
  return {{"x", "y", "z"},
          {"distance_m", "nx", "ny", "nz", "what"},
          [solids, reach](auto point) -> std::vector<Answer> {
            const auto found = solids->nearest({point[0], point[1], point[2]}, reach);
            if (!found || found->distance < -reach) return {{}, {}, {}, {}, "none"};
            const Vec3 normal = found->normal + 0.0;  // no "-0"
            return {found->distance, normal.x, normal.y, normal.z, found->what};
          }};
}

}  // namespace talus
