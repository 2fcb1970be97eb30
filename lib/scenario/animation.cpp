#include "scenario/animation.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/error.h"
#include "io/scene.h"
#include "meshing/block_mesher.h"
#include "scenario/ground_scene.h"
#include "scenario/round_mesh.h"

namespace talus {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Blocks with one history: the body that they end in (-1: none), when they were placed and when
/// removed.
using Fate = std::tuple<int, double, double>;
using Fates = std::map<Fate, std::vector<Block>>;

Fates fates_of(std::span<const BlockHistory> blocks) {
  Fates fates;
  for (const BlockHistory& b : blocks) {
    fates[{b.body, b.placed_s, b.removed_s.value_or(kNever)}].push_back(b.block);
  }
  return fates;
}

/// "rest (0)" -> "rest_0": each run of other signs becomes one _, and none stands at the end.
std::string label(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    const bool kept =
        (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
    if (kept) plain += c;
    if (!kept && !plain.empty() && plain.back() != '_') plain += '_';
  }
  while (plain.ends_with("_")) plain.pop_back();
  return plain.empty() ? "body" : plain;
}

class SceneBuilder {
 public:
  SceneBuilder(const Scenario& scenario, Vec3 origin) : scenario_(scenario) {
    scene_.origin = origin;
    scene_.name = "scenario";
  }

  /// What never moves.
  SceneNode& add_fixed(const std::string& name, std::span<const Block> blocks) {
    return add_node(name, std::nullopt, Vec3(0), blocks, scene_.origin);
  }

  /// A node at the centre of mass of its blocks, where they were built. Returns its number.
  std::size_t add_body(const BodyTrack& track, std::span<const Block> blocks) {
    add_node(label(track.name), std::nullopt, track.center_m - scene_.origin, blocks,
             track.center_m);
    return scene_.nodes.size() - 1;
  }

  /// The same for rock that fell out of the ground.
  std::size_t add_rock(const BodyTrack& track, const Mesh& surface) {
    if (!rock_material_) {
      rock_material_ = scene_.materials.size();
      scene_.materials.push_back({"rock", Vec3f(0.25F, 0.22F, 0.19F), 0, 1});
    }
    SceneNode& node = scene_.nodes.emplace_back();
    node.name = label(track.name);
    node.translation = track.center_m - scene_.origin;
    Mesh mesh = surface;
    for (Vec3f& p : mesh.positions) p = Vec3f(surface.origin + Vec3(p) - track.center_m);
    node.parts.push_back({*rock_material_, std::move(mesh)});
    return scene_.nodes.size() - 1;
  }

  SceneNode& add_to_body(std::size_t body, const BodyTrack& track, std::span<const Block> blocks) {
    return add_node(label(track.name) + "_part", body, Vec3(0), blocks, track.center_m);
  }

  void add_ground(const Terrain& terrain, std::span<const GroundEdit> edits, const Box& around) {
    const std::size_t material = scene_.materials.size();
    auto nodes = ground_nodes(terrain, edits, around, scene_.origin, material);
    if (nodes.empty()) return;
    scene_.materials.push_back({"ground", Vec3f(1), 0, 1});
    for (SceneNode& node : nodes) scene_.nodes.push_back(std::move(node));
  }

  /// A ball, or a walker in a colour of its own, about its centre. Returns its number.
  std::size_t add_round(const BodyTrack& track, const std::string& material_name) {
    const auto known = find_material(scenario_.materials, material_name);
    std::size_t of = walkers_;
    if (known) {
      of = material(*known);
    } else if (walkers_ == kNone) {
      of = walkers_ = scene_.materials.size();
      scene_.materials.push_back({"walker", Vec3f(0.8F, 0.25F, 0.05F), 0, 0.9F});
    }
    SceneNode& node = scene_.nodes.emplace_back();
    node.name = label(track.name);
    node.translation = track.center_m - scene_.origin;
    const double r = *track.radius_m;
    node.parts.push_back({of, round_mesh(r, std::max(0.0, track.height_m.value_or(0) / 2 - r))});
    return scene_.nodes.size() - 1;
  }

  void add_water(const Water& water, const Box& around) {
    std::vector<ScenePart> parts;
    for (Mesh& mesh : water_meshes(water, around, scene_.origin)) {
      parts.push_back({scene_.materials.size(), std::move(mesh)});
    }
    if (parts.empty()) return;
    scene_.materials.push_back({"water", Vec3f(0.05F, 0.2F, 0.3F), 0, 0.1F, 0.5F});
    SceneNode& node = scene_.nodes.emplace_back();
    node.name = "water";
    node.parts = std::move(parts);
  }

  SceneNode& node(std::size_t i) { return scene_.nodes[i]; }
  const Scene& scene() const { return scene_; }

 private:
  SceneNode& add_node(const std::string& name, std::optional<std::size_t> parent, Vec3 place,
                      std::span<const Block> blocks, Vec3 mesh_origin) {
    Blocks store;
    for (const Block& block : blocks) store.place(block);
    SceneNode& node = scene_.nodes.emplace_back();
    node.name = name;
    node.parent = parent;
    node.translation = place;
    StructureMeshOptions options;
    options.origin = mesh_origin;
    for (MaterialMesh& part : mesh_structure(store, options)) {
      node.parts.push_back({material(part.material), std::move(part.mesh)});
    }
    return node;
  }

  /// Only materials that something is made of are written.
  std::size_t material(MaterialId id) {
    const auto [entry, is_new] = used_.try_emplace(id, scene_.materials.size());
    if (is_new) {
      const Material& m = scenario_.materials[id];
      scene_.materials.push_back({m.name, linear_color(m), 0, 0.9f});
    }
    return entry->second;
  }

  const Scenario& scenario_;
  Scene scene_;
  std::map<MaterialId, std::size_t> used_;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t walkers_ = kNone;  // the material of walkers, once there is one
  std::optional<std::size_t> rock_material_;
};

Quat rotation_of(const BodyTrack& track, std::size_t row) {
  const auto& q = track.rotation_xyzw[row];
  return Quat(q[3], q[0], q[1], q[2]);
}

/// Where a point of the frame that all bodies were built in goes.
struct Way {
  const BodyTrack& track;
  SceneNode& node;
  Vec3 point, origin;

  void add(double t, Vec3 position, const Quat& rotation) const {
    node.moves.add(t, position + rotation_matrix(rotation) * (point - track.center_m) - origin);
    node.turns.add(t, rotation);
  }
};

/// One that slept when it was split has no row from just before.
void stay_until_split(SceneNode& node, const Trajectory& trajectory, const BodyTrack& whole,
                      const BodyTrack& part, Vec3 point, Vec3 origin) {
  if (whole.rows() == 0 || part.rows() == 0 || part.frame.front() <= whole.frame.back() + 1) return;
  const std::size_t last = whole.rows() - 1;
  const double t = trajectory.t_s[static_cast<std::size_t>(part.frame.front() - 1)];
  Way{whole, node, point, origin}.add(t, whole.position_m[last], rotation_of(whole, last));
}

/// From where it was built, at rest until it is born, through the rows of what it was a part of,
/// and its own.
void add_motion(SceneNode& node, const Trajectory& trajectory, std::size_t body, Vec3 point,
                Vec3 origin) {
  const BodyTrack& track = trajectory.bodies[body];
  if (track.split_from) {
    const auto whole = static_cast<std::size_t>(*track.split_from);
    add_motion(node, trajectory, whole, point, origin);
    stay_until_split(node, trajectory, trajectory.bodies[whole], track, point, origin);
  }
  const Way way{track, node, point, origin};
  const auto add = [&](double t, Vec3 position, const Quat& rotation) {
    way.add(t, position, rotation);
  };
  if (!track.split_from) add(track.born_s, track.center_m, kNoRotation);
  for (std::size_t i = 0; i < track.rows(); ++i) {
    const auto frame = static_cast<std::size_t>(track.frame[i]);
    // A body that slept has no rows until it moves again: it stays until the frame before.
    if (i > 0 && track.frame[i] > track.frame[i - 1] + 1) {
      add(trajectory.t_s[frame - 1], track.position_m[i - 1], rotation_of(track, i - 1));
    }
    add(trajectory.t_s[frame], track.position_m[i], rotation_of(track, i));
  }
}

/// When bodies fell out of the world.
std::map<int, double> loss_times(const Trajectory& trajectory) {
  std::map<int, double> times;
  for (const TrajectoryEvent& event : trajectory.events) {
    if (event.kind == "lost") times.emplace(event.body, event.t_s);
  }
  return times;
}

/// What a ball is made of; nothing for walkers.
std::string material_of_round(const Report& report, const BodyTrack& track) {
  for (const RoundHistory& round : report.rounds) {
    if (round.body == track.id) return round.material;
  }
  return "";
}

void show_between(SceneNode& node, double from_s, double to_s) {
  if (from_s > 0 || to_s < kNever) node.shown.add(0, from_s <= 0);
  if (from_s > 0) node.shown.add(from_s, true);
  if (to_s < kNever) node.shown.add(to_s, false);
}

/// Balls and walkers, from when they came.
void add_rounds(SceneBuilder& builder, const Report& report, Vec3 site) {
  const std::map<int, double> lost = loss_times(report.trajectory);
  for (std::size_t i = 0; i < report.trajectory.bodies.size(); ++i) {
    const BodyTrack& track = report.trajectory.bodies[i];
    if (!track.radius_m) continue;
    SceneNode& node = builder.node(builder.add_round(track, material_of_round(report, track)));
    add_motion(node, report.trajectory, i, track.center_m, site);
    const auto loss = lost.find(track.id);
    show_between(node, track.born_s, loss == lost.end() ? kNever : loss->second);
  }
}

/// The box that the ground is shown around: all that was built, and the ways of the bodies.
Box box_of_run(const Report& report, Vec3 site) {
  constexpr double kMargin = 12;  // m
  std::optional<Box> built;
  const auto grow = [](std::optional<Box>& box, Vec3 lo, Vec3 hi) {
    box = box ? Box{glm::min(box->lo, lo), glm::max(box->hi, hi)} : Box{lo, hi};
  };
  for (const BlockHistory& b : report.blocks) {
    const Vec3 half(b.block.half());
    grow(built, b.block.middle() - half, b.block.middle() + half);
  }
  if (!built) built = Box{site, site};
  // Who flies far away does not drag the ground along.
  const Vec3 middle = (built->lo + built->hi) * 0.5;
  const Vec3 widest(kWidestGround / 2 - kMargin);
  std::optional<Box> all = built;
  for (const BodyTrack& track : report.trajectory.bodies) {
    for (const Vec3& p : track.position_m) {
      const Vec3 near = glm::clamp(p, middle - widest, middle + widest);
      grow(all, near, near);
    }
  }
  return {all->lo - Vec3(kMargin), all->hi + Vec3(kMargin)};
}

void refuse_still(const std::string& path) {
  if (path.ends_with(".obj")) {
    throw Error(fmt::format("{}: .obj holds no animation; write .glb or .gltf", path));
  }
}

void add_final_pose(SceneNode& node, const BodyTrack& track, Vec3 origin) {
  if (track.rows() == 0) return;
  node.translation = track.position_m.back() - origin;
  node.rotation = rotation_of(track, track.rows() - 1);
}

}  // namespace

void check_animation_path(const std::string& path) {
  refuse_still(path);
  check_scene_path(path);
}

void write_animation(const Scenario& scenario, const Report& report, const std::string& path) {
  refuse_still(path);
  const Plan plan = make_plan(scenario);
  const Vec3 site = kCell * Vec3(plan.site);
  const Trajectory& trajectory = report.trajectory;
  SceneBuilder builder(scenario, site);
  const std::map<int, double> lost = loss_times(trajectory);
  std::map<int, std::size_t> bodies;  // their nodes
  for (const auto& [fate, blocks] : fates_of(report.blocks)) {
    const auto& [body, placed_s, removed_s] = fate;
    if (body < 0) {
      const char* name = removed_s < kNever ? "removed" : placed_s > 0 ? "placed" : "standing";
      show_between(builder.add_fixed(name, blocks), placed_s, removed_s);
      continue;
    }
    const auto index = static_cast<std::size_t>(body);
    const BodyTrack& track = trajectory.bodies[index];
    if (const auto known = bodies.find(body); known != bodies.end()) {
      show_between(builder.add_to_body(known->second, track, blocks), placed_s, kNever);
      continue;
    }
    SceneNode& node = builder.node(bodies[body] = builder.add_body(track, blocks));
    add_motion(node, trajectory, index, track.center_m, site);
    const auto loss = lost.find(body);
    show_between(node, placed_s, loss == lost.end() ? kNever : loss->second);
  }
  add_rounds(builder, report, site);
  for (const RockHistory& rock : report.rocks) {
    const BodyTrack& track = trajectory.bodies[rock.body];
    SceneNode& node = builder.node(builder.add_rock(track, *rock.surface));
    add_motion(node, trajectory, rock.body, track.center_m, site);
    const auto loss = lost.find(static_cast<int>(rock.body));
    // Until it breaks off the ground shows it.
    show_between(node, track.born_s, loss == lost.end() ? kNever : loss->second);
  }
  const Box around = box_of_run(report, site);
  builder.add_ground(plan.terrain, report.ground_edits, around);
  builder.add_water(scenario.water, around);
  write_scene(builder.scene(), path);
}

void write_structure(const Scenario& scenario, const Report& report, StructureState state,
                     const std::string& path) {
  if (state == StructureState::Initial) return write_structure(scenario, path);
  const Vec3 site = kCell * Vec3(make_plan(scenario).site);
  SceneBuilder builder(scenario, site);
  std::map<int, std::vector<Block>> by_body;
  const std::map<int, double> lost = loss_times(report.trajectory);
  for (const BlockHistory& b : report.blocks) {
    if (!b.removed_s && !lost.count(b.body)) by_body[b.body].push_back(b.block);
  }
  for (const auto& [body, blocks] : by_body) {
    if (body < 0) {
      builder.add_fixed("standing", blocks);
      continue;
    }
    const BodyTrack& track = report.trajectory.bodies[static_cast<std::size_t>(body)];
    add_final_pose(builder.node(builder.add_body(track, blocks)), track, site);
  }
  for (const BodyTrack& track : report.trajectory.bodies) {
    if (!track.radius_m || lost.count(track.id)) continue;
    const std::size_t node = builder.add_round(track, material_of_round(report, track));
    add_final_pose(builder.node(node), track, site);
  }
  for (const RockHistory& rock : report.rocks) {
    if (lost.count(static_cast<int>(rock.body))) continue;
    const BodyTrack& track = report.trajectory.bodies[rock.body];
    add_final_pose(builder.node(builder.add_rock(track, *rock.surface)), track, site);
  }
  write_scene(builder.scene(), path);
}

void write_structure(const Scenario& scenario, const std::string& path) {
  const Plan plan = make_plan(scenario);
  SceneBuilder builder(scenario, kCell * Vec3(plan.site));
  if (!plan.blocks.empty()) builder.add_fixed("standing", plan.blocks);
  for (std::size_t i = 0; i < plan.pieces.size(); ++i) {
    builder.add_fixed(label(scenario.pieces[i].name), plan.pieces[i]);
  }
  write_scene(builder.scene(), path);
}

}  // namespace talus
