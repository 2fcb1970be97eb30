#include "scenario/snapshot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "core/error.h"
#include "meshing/block_mesher.h"
#include "scenario/run.h"
#include "voxel/block_distance.h"

namespace talus {

namespace {

/// A ray as it is in a thing's frame.
Ray ray_in(const Mat3& axes, Vec3 position, const Ray& ray) {
  const Mat3 back = glm::transpose(axes);
  return {back * (ray.origin - position), back * ray.direction, ray.reach};
}

/// The box around a box seen from another frame.
Box box_in(const Mat3& axes, Vec3 position, const Box& box) {
  const Mat3 back = glm::transpose(axes);
  const Vec3 middle = back * ((box.lo + box.hi) * 0.5 - position), half = (box.hi - box.lo) * 0.5;
  const Vec3 reach(glm::dot(glm::abs(Vec3(back[0].x, back[1].x, back[2].x)), half),
                   glm::dot(glm::abs(Vec3(back[0].y, back[1].y, back[2].y)), half),
                   glm::dot(glm::abs(Vec3(back[0].z, back[1].z, back[2].z)), half));
  return {middle - reach, middle + reach};
}

IVec3 cell_at(Vec3 p) {
  return IVec3(glm::floor(p / kCell));
}

/// Names are words in rows of answers.
std::string word(std::string name) {
  for (char& c : name) {
    if (c == ',' || c == '"' || c == ';' || c == '\\' || static_cast<unsigned char>(c) < ' ')
      c = '_';
  }
  return name;
}

/// A mesh relative to another origin.
Mesh moved(const Mesh& mesh, Vec3 origin) {
  Mesh result = mesh;
  for (Vec3f& p : result.positions) p = Vec3f(mesh.origin + Vec3(p) - origin);
  result.origin = Vec3(0);
  return result;
}

Report run_until(Scenario scenario, double at_s) {
  const double half = scenario.settings.world.step_s / 2;
  if (at_s > scenario.until.time_s + half) {
    fail_at(scenario.place,
            fmt::format("ends after {} s: nothing is known of {} s", scenario.until.time_s, at_s));
  }
  scenario.until = {at_s, false};
  scenario.expect.clear();
  return run(scenario);
}

}  // namespace

Snapshot::Snapshot(const Terrain& terrain) : triangles_(terrain), field_(terrain) {}

Snapshot::Snapshot(const std::vector<Mesh>& meshes) {
  Thing& thing = things_.emplace_back();
  thing.what = "mesh";
  for (const Mesh& mesh : meshes) thing.trees.emplace_back(mesh);
}

Snapshot::Snapshot(const Scenario& scenario, double at_s) {
  const Report report = run_until(scenario, at_s);
  Terrain terrain = make_plan(scenario).terrain;
  for (const GroundEdit& edit : report.ground_edits) terrain.edits.push_back(edit.brush);
  triangles_.emplace(terrain);
  field_.emplace(terrain);
  std::map<int, std::vector<Block>> by_body;  // -1: what stands
  for (const BlockHistory& b : report.blocks) {
    if (!b.removed_s) by_body[b.body].push_back(b.block);
  }
  const auto pose = [&](int body, Thing& thing) {
    const BodyTrack& track = report.trajectory.bodies[static_cast<std::size_t>(body)];
    const auto& q = track.rotation_xyzw.back();
    thing.what = word(track.name);
    thing.position = track.position_m.back();
    thing.orientation = normalized(Quat(q[3], q[0], q[1], q[2]));
    thing.center = track.center_m;
  };
  std::vector<std::uint8_t> lost(report.trajectory.bodies.size());
  for (const TrajectoryEvent& event : report.trajectory.events) {
    if (event.kind == event_name(EventKind::Lost)) lost[static_cast<std::size_t>(event.body)] = 1;
  }
  for (const auto& [body, blocks] : by_body) {
    Thing thing;
    thing.what = "standing";
    if (body >= 0 && lost[static_cast<std::size_t>(body)]) continue;
    if (body >= 0) pose(body, thing);
    add_blocks(std::move(thing), blocks);
  }
  for (const RockHistory& rock : report.rocks) {
    if (lost[rock.body]) continue;
    Thing thing;
    pose(static_cast<int>(rock.body), thing);
    thing.trees.emplace_back(moved(*rock.surface, thing.center));
    things_.push_back(std::move(thing));
  }
}

void Snapshot::add_blocks(Thing thing, const std::vector<Block>& blocks) {
  for (const Block& block : blocks) thing.blocks.place(block);
  StructureMeshOptions options;
  options.origin = thing.center;
  options.merge = false;  // no vertex in the middle of an edge: no gap for a ray
  for (MaterialMesh& part : mesh_structure(thing.blocks, options)) {
    part.mesh.origin = Vec3(0);
    thing.trees.emplace_back(part.mesh);
  }
  things_.push_back(std::move(thing));
}

std::optional<SnapshotHit> Snapshot::first_hit(const Ray& ray) {
  std::optional<SnapshotHit> best;
  Ray rest = ray;
  if (triangles_) {
    if (const auto frame = make_ray_frame(rest)) {
      if (const auto hit = triangles_->first_hit(*frame)) best = {hit->hit, "terrain"};
    }
  }
  for (const Thing& thing : things_) {
    if (best) rest.reach = best->hit.distance;
    const Mat3 axes = rotation_matrix(thing.orientation);
    const auto frame = make_ray_frame(ray_in(axes, thing.position, rest));
    if (!frame) continue;
    for (const WideBvh& tree : thing.trees) {
      auto hit = tree.first_hit(*frame);
      if (!hit || (best && hit->distance >= best->hit.distance)) continue;
      hit->normal = axes * hit->normal;
      best = {*hit, thing.what};
    }
  }
  return best;
}

std::vector<SnapshotHit> Snapshot::all_hits(const Ray& ray) {
  std::vector<SnapshotHit> found;
  if (const auto frame = make_ray_frame(ray); frame && triangles_) {
    std::vector<GroundHit> hits;
    triangles_->all_hits(*frame, hits);
    for (const GroundHit& hit : hits) found.push_back({hit.hit, "terrain"});
  }
  for (const Thing& thing : things_) {
    const Mat3 axes = rotation_matrix(thing.orientation);
    const auto frame = make_ray_frame(ray_in(axes, thing.position, ray));
    if (!frame) continue;
    std::vector<TriangleHit> hits;
    for (const WideBvh& tree : thing.trees) tree.all_hits(*frame, hits);
    for (TriangleHit hit : hits) {
      hit.normal = axes * hit.normal;
      found.push_back({hit, thing.what});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const SnapshotHit& a, const SnapshotHit& b) {
    return a.hit.distance < b.hit.distance;
  });
  // Where a ray meets an edge, both its triangles report it.
  const auto same = [](const SnapshotHit& a, const SnapshotHit& b) {
    return a.hit.distance == b.hit.distance && a.hit.normal == b.hit.normal && a.what == b.what;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

void Snapshot::touch(const Thing& thing, const Box& box, std::vector<SnapshotTouch>& found) {
  const Mat3 axes = rotation_matrix(thing.orientation);
  const Box around = box_in(axes, thing.position, box);
  std::size_t count = 0;
  std::vector<std::uint32_t> near;
  for (const WideBvh& tree : thing.trees) {
    near.clear();
    tree.touched(around, near);
    for (const std::uint32_t triangle : near) {
      Triangle corners = tree.triangle(triangle);
      for (Vec3& corner : corners) corner = thing.position + axes * corner;
      count += overlaps(corners, box);
    }
  }
  const Vec3 middle = glm::transpose(axes) * ((box.lo + box.hi) * 0.5 - thing.position);
  const Vec3 point = middle + thing.center;
  const BlockId id = thing.blocks.count() > 0 ? thing.blocks.at(cell_at(point)) : kNoBlock;
  if (count > 0 || (id != kNoBlock && inside(thing.blocks[id], point))) {
    found.push_back({thing.what, count});
  }
}

std::vector<SnapshotTouch> Snapshot::touched(const Box& box) {
  std::vector<SnapshotTouch> found;
  if (triangles_) {
    std::vector<GroundTriangle> near;
    triangles_->touched(box, near);
    const auto count = static_cast<std::size_t>(
        std::count_if(near.begin(), near.end(),
                      [&](const GroundTriangle& t) { return overlaps(t.corners, box); }));
    if (count > 0 || field_->probe((box.lo + box.hi) * 0.5).density > 0) {
      found.push_back({"terrain", count});
    }
  }
  for (const Thing& thing : things_) touch(thing, box, found);
  return found;
}

std::optional<SnapshotNearest> Snapshot::nearest(Vec3 point, double reach) {
  std::optional<SnapshotNearest> best;
  const auto offer = [&](double distance, Vec3 normal, const std::string& what) {
    if (distance < (best ? best->distance : reach)) best = {distance, normal, what};
  };
  if (field_) {
    const NearestSurface ground = field_->nearest(point);
    offer(ground.distance, ground.normal, "terrain");
  }
  for (const Thing& thing : things_) {
    const Mat3 axes = rotation_matrix(thing.orientation);
    const Vec3 local = glm::transpose(axes) * (point - thing.position);
    if (thing.blocks.count() > 0) {
      const auto found = nearest_block(thing.blocks, local + thing.center, reach);
      if (found) offer(found->distance, axes * found->normal, thing.what);
      continue;
    }
    for (const WideBvh& tree : thing.trees) {
      const auto found = tree.nearest(local, reach);
      if (!found) continue;
      const Triangle t = tree.triangle(found->triangle);
      const Vec3 normal = glm::normalize(glm::cross(t[1] - t[0], t[2] - t[0]));
      const bool under = glm::dot(local - found->point, normal) < 0;
      offer(under ? -found->distance : found->distance, axes * normal, thing.what);
    }
  }
  return best;
}

}  // namespace talus
