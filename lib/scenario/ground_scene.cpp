#include "scenario/ground_scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "bake/colors.h"
#include "core/error.h"
#include "meshing/mesher.h"
#include "terrain/terrain.h"

namespace talus {

namespace {

constexpr int kChunk = 32;        // m
constexpr double kRoom = 4;       // m: over and under the ground's overhangs
constexpr double kDeepest = 256;  // m: of the region, about its middle

/// The whole metres over the box's x and z that the ground's surface passes through.
IBox region_of(const Terrain& terrain, std::span<const GroundEdit> edits, const Box& around) {
  const Vec3 middle = (around.lo + around.hi) * 0.5;
  const Vec3 lo = glm::max(around.lo, middle - Vec3(kWidestGround / 2));
  const Vec3 hi = glm::min(around.hi, middle + Vec3(kWidestGround / 2));
  const double overhang = terrain.preset->overhang() + kRoom;
  double low = 1e9, high = -1e9;
  for (double z = lo.z; z <= hi.z; z += 2) {
    for (double x = lo.x; x <= hi.x; x += 2) {
      const double height = terrain.preset->height(x, z);
      low = std::min(low, height - overhang);
      high = std::max(high, height + overhang);
    }
  }
  for (const GroundEdit& edit : edits) {
    const Box box = reach(edit.brush);
    low = std::min(low, box.lo.y);
    high = std::max(high, box.hi.y);
  }
  low = std::max(low, middle.y - kDeepest);
  high = std::max(std::min(high, middle.y + kDeepest), low + 1);
  return {IVec3(glm::floor(Vec3(lo.x, low, lo.z))), IVec3(glm::ceil(Vec3(hi.x, high, hi.z)))};
}

bool changes(const Brush& brush, const IBox& own) {
  const Box box = reach(brush);
  const IBox read = with_apron(own);
  for (int i = 0; i < 3; ++i) {
    if (box.hi[i] < read.lo[i] || box.lo[i] > read.hi[i]) return false;
  }
  return true;
}

/// Appends a chunk to what a node shows, relative to `origin`.
void append(Mesh& all, const Mesh& chunk, const Preset& preset, Vec3 origin) {
  const auto first = static_cast<std::uint32_t>(all.positions.size());
  for (std::size_t i = 0; i < chunk.positions.size(); ++i) {
    const Vec3 p = chunk.origin + Vec3(chunk.positions[i]);
    all.positions.emplace_back(p - origin);
    all.normals.push_back(chunk.normals[i]);
    all.colors.push_back(surface_color(chunk.normals[i].y, preset.height(p.x, p.z) - p.y));
  }
  for (const std::uint32_t index : chunk.indices) all.indices.push_back(first + index);
}

/// From which edit's time on, and up to which one's; -1: from the start, `edits.size()`: to the
/// end.
using Span = std::pair<std::ptrdiff_t, std::ptrdiff_t>;

/// The states of one chunk of the ground.
std::vector<Span> states_of(std::span<const GroundEdit> edits, const IBox& own) {
  std::vector<Span> states;
  std::ptrdiff_t from = -1;
  const auto end = static_cast<std::ptrdiff_t>(edits.size());
  for (std::ptrdiff_t i = 0; i < end; ++i) {
    const GroundEdit& edit = edits[static_cast<std::size_t>(i)];
    if (!changes(edit.brush, own)) continue;
    const bool at_once =
        from >= 0 ? edit.time_s == edits[static_cast<std::size_t>(from)].time_s : edit.time_s == 0;
    if (!at_once) states.emplace_back(from, i);
    from = i;
  }
  states.emplace_back(from, end);
  return states;
}

class Ground {
 public:
  Ground(const Terrain& terrain, std::span<const GroundEdit> edits, Vec3 origin)
      : terrain_(terrain), edits_(edits), origin_(origin) {}

  void add_chunk(const IBox& own) {
    const IBox read = with_apron(own);
    for (const Span& state : states_of(edits_, own)) {
      Terrain now = terrain_;
      for (std::ptrdiff_t i = 0; i <= state.first; ++i) {
        now.edits.push_back(edits_[static_cast<std::size_t>(i)].brush);
      }
      surface_samples(now, {read.lo, read.size(), 1}, samples_);
      const Mesh mesh = mesh_surface_nets(samples_, own);
      triangles_ += mesh.triangle_count();
      if (triangles_ > kMostGroundTriangles) {
        throw Error(
            fmt::format("the ground changes too often for an animation: over {} triangles; "
                        "dig and fill less often",
                        kMostGroundTriangles));
      }
      append(shown_[state], mesh, *terrain_.preset, origin_);
    }
  }

  std::vector<SceneNode> nodes(std::size_t material) {
    std::vector<SceneNode> nodes;
    const auto end = static_cast<std::ptrdiff_t>(edits_.size());
    for (auto& [state, mesh] : shown_) {
      if (mesh.empty()) continue;
      SceneNode node;
      node.name = "ground";
      node.parts.push_back({material, std::move(mesh)});
      const auto time = [&](std::ptrdiff_t i) {
        return edits_[static_cast<std::size_t>(i)].time_s;
      };
      const bool from_start = state.first < 0 || time(state.first) == 0;
      if (!from_start) {
        node.shown.add(0, false);
        node.shown.add(time(state.first), true);
      }
      if (state.second < end) {
        if (from_start) node.shown.add(0, true);
        node.shown.add(time(state.second), false);
      }
      nodes.push_back(std::move(node));
    }
    return nodes;
  }

 private:
  const Terrain& terrain_;
  std::span<const GroundEdit> edits_;
  Vec3 origin_;
  Samples samples_;
  std::map<Span, Mesh> shown_;
  std::size_t triangles_ = 0;
};

}  // namespace

std::vector<SceneNode> ground_nodes(const Terrain& terrain, std::span<const GroundEdit> edits,
                                    const Box& around, Vec3 origin, std::size_t material) {
  const IBox region = region_of(terrain, edits, around);
  Ground ground(terrain, edits, origin);
  for (int z = region.lo.z; z < region.hi.z; z += kChunk) {
    for (int y = region.lo.y; y < region.hi.y; y += kChunk) {
      for (int x = region.lo.x; x < region.hi.x; x += kChunk) {
        const IVec3 lo(x, y, z);
        ground.add_chunk({lo, glm::min(lo + IVec3(kChunk), region.hi)});
      }
    }
  }
  return ground.nodes(material);
}

std::vector<Mesh> water_meshes(const Water& water, const Box& around, Vec3 origin) {
  std::vector<Mesh> meshes;
  const auto add = [&](Vec3 lo, Vec3 hi, double level) {
    Mesh& mesh = meshes.emplace_back();
    for (const auto& [x, z] : {std::pair(lo.x, lo.z), {lo.x, hi.z}, {hi.x, hi.z}, {hi.x, lo.z}}) {
      mesh.positions.emplace_back(Vec3(x, level, z) - origin);
      mesh.normals.emplace_back(0, 1, 0);
    }
    mesh.indices = {0, 1, 2, 0, 2, 3};
  };
  const Vec3 middle = (around.lo + around.hi) * 0.5, widest(kWidestGround / 2);
  if (water.level) {
    add(glm::max(around.lo, middle - widest), glm::min(around.hi, middle + widest), *water.level);
  }
  for (const Pool& pool : water.pools) {
    const Box box = reach(pool.shape);
    if (surface_of(pool) <= box.lo.y + kBrushReach) continue;  // the level is under the shape
    add(box.lo + Vec3(kBrushReach), box.hi - Vec3(kBrushReach), surface_of(pool));
  }
  return meshes;
}

}  // namespace talus
