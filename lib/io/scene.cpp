#include "io/scene.h"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "io/atomic_file.h"

namespace talus {
namespace {

bool finite(Vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const Quat& q) {
  return std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
}

/// Meshes are looked at by the writers.
void check_places(const Scene& scene, const std::string& path) {
  for (const SceneNode& node : scene.nodes) {
    bool all = finite(node.translation) && finite(node.rotation);
    for (const Vec3& v : node.moves.values) all = all && finite(v);
    for (const Quat& q : node.turns.values) all = all && finite(q);
    if (all) continue;
    throw Error(
        fmt::format("cannot write {}: node {} has a number that is not finite", path, node.name),
        Trouble::Simulation);
  }
}

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

[[noreturn]] void refuse_ending(const std::string& path) {
  throw Error(fmt::format("{}: scenes are written as .glb, .gltf or .obj, not '{}'", path,
                          ending_of(path)));
}

}  // namespace

void check_scene_path(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending != ".glb" && ending != ".gltf" && ending != ".obj") refuse_ending(path);
  check_output(path, ending == ".glb"    ? FileKind::Glb
                     : ending == ".gltf" ? FileKind::Json
                                         : FileKind::Text);
}

void write_scene(const Scene& scene, const std::string& path) {
  const std::string ending = ending_of(path);
  check_places(scene, path);
  if (ending == ".glb" || ending == ".gltf") return write_gltf_scene(scene, path);
  if (ending == ".obj") return write_obj_scene(scene, path);
  refuse_ending(path);
}

}  // namespace talus
