// A scene of several materials and moving parts, as a file takes it: held whole, unlike what a
// MeshWriter streams.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/rotation.h"
#include "mesh/mesh.h"

namespace talus {

struct SceneMaterial {
  std::string name;
  Vec3f color{1};  // linear; times the mesh's own, where it has some
  float metallic = 0;
  float roughness = 1;
  float opacity = 1;  // below 1: what is behind shows through
};

/// Triangles of one material, relative to their node: the mesh's origin is not looked at. Either
/// all meshes of a scene have normals, or none.
struct ScenePart {
  std::size_t material = 0;
  Mesh mesh;
};

/// Values by rising time, seconds.
template <class T>
struct Keys {
  std::vector<double> t_s;
  std::vector<T> values;

  void add(double at_s, const T& value) {
    t_s.push_back(at_s);
    values.push_back(value);
  }
};

/// A node and how it moves; relative to its parent, or to the scene.
struct SceneNode {
  std::string name;
  std::optional<std::size_t> parent;  // stands before it in the list
  std::vector<ScenePart> parts;
  // Where it is without an animation.
  Vec3 translation{0};
  Quat rotation = kNoRotation;
  // Linear from key to key.
  Keys<Vec3> moves;
  Keys<Quat> turns;
  /// From each key on: whether it is seen.
  Keys<bool> shown;
};

struct Scene {
  Vec3 origin{0};  // of all that has no parent, metres, world
  std::string name = "scene";
  std::vector<SceneMaterial> materials;
  std::vector<SceneNode> nodes;
};

/// Writes the scene to .glb, .gltf (+ .bin) or .obj (+ .mtl), whole or not at all.
///
/// glTF: one node a node under a root at the origin, plain unique names, one primitive a part, one
/// animation. Times and values are rounded to floats; every track starts at 0 with its first value;
/// keys that change nothing are left out; of keys whose times round to one, the last stays; q and
/// -q are the same turn, so the one nearer to the key before is written. What is not shown has the
/// scale 0.
///
/// OBJ: the scene as it stands without animation, in the world's coordinates (or relative to the
/// origin, where that is far away: see obj_writer.h); one object a node, one material a part.
///
/// Throws Error for another ending (Trouble::Input), a number that is not finite
/// (Trouble::Simulation), a .glb over 4 GiB and trouble with the file (Trouble::Output).
void write_scene(const Scene& scene, const std::string& path);

/// Throws Error where the ending is another, and where no such file can be written.
void check_scene_path(const std::string& path);

void write_gltf_scene(const Scene& scene, const std::string& path);
void write_obj_scene(const Scene& scene, const std::string& path);

}  // namespace talus
