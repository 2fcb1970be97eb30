// A scene as Wavefront OBJ: as it stands, without animation.
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "io/atomic_file.h"
#include "io/mesh_part_check.h"
#include "io/obj_head.h"
#include "io/obj_text.h"
#include "io/plain_names.h"
#include "io/scene.h"

namespace talus {
namespace {

/// Where a node's own frame is in the scene.
struct Frame {
  Mat3 turn{1};
  Vec3 place{0};
};

std::vector<Frame> frames_of(const Scene& scene) {
  std::vector<Frame> frames;
  for (const SceneNode& node : scene.nodes) {
    const Frame parent = node.parent ? frames[*node.parent] : Frame{};
    frames.push_back({parent.turn * rotation_matrix(normalized(node.rotation)),
                      parent.place + parent.turn * node.translation});
  }
  return frames;
}

/// The material files of most readers hold colours as screens show them (sRGB, IEC 61966-2-1).
double screen_color(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

std::string material_text(const SceneMaterial& material, const std::string& name) {
  return fmt::format("newmtl {}\nKa 0 0 0\nKd {:.4f} {:.4f} {:.4f}\nKs 0 0 0\nillum 1\n", name,
                     screen_color(material.color.x), screen_color(material.color.y),
                     screen_color(material.color.z));
}

void append_part(std::string& text, const Mesh& mesh, const Frame& frame, Vec3 shift,
                 std::uint64_t first_vertex) {
  std::vector<Vec3f> positions, normals;
  for (const Vec3f& p : mesh.positions) {
    positions.emplace_back(frame.turn * Vec3(p) + frame.place);
  }
  for (const Vec3f& n : mesh.normals) normals.emplace_back(frame.turn * Vec3(n));
  append_obj_vertices(text, positions, mesh.colors, shift);
  append_obj_normals(text, normals);
  append_obj_faces(text, mesh.indices, first_vertex, !normals.empty());
}

}  // namespace

void write_obj_scene(const Scene& scene, const std::string& path) {
  const std::string material_path = obj_material_path(path);
  AtomicFile file(path, FileKind::Text), material_file(material_path, FileKind::Text);
  PlainNames names, material_names;
  std::vector<std::string> materials;
  for (const SceneMaterial& m : scene.materials) {
    materials.push_back(material_names.add(m.name));
    material_file.write(material_text(m, materials.back()));
  }
  const Vec3 shift = obj_shift(scene.origin);
  file.write(obj_head("talus " TALUS_VERSION, shift, material_path));
  const std::vector<Frame> frames = frames_of(scene);
  std::uint64_t next_vertex = 1;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const std::string name = names.add(scene.nodes[i].name);
    std::string text;
    for (const ScenePart& part : scene.nodes[i].parts) {
      if (part.mesh.empty()) continue;
      check_mesh_part(part.mesh, part.mesh.positions.size(), path, name);
      if (text.empty()) text = fmt::format("o {}\n", name);
      text += fmt::format("usemtl {}\n", materials[part.material]);
      append_part(text, part.mesh, frames[i], scene.origin - shift, next_vertex);
      next_vertex += part.mesh.positions.size();
    }
    file.write(text);
  }
  material_file.commit();
  file.commit();
}

}  // namespace talus
