// A scene as glTF 2.0. Bytes go to the streams of gltf_buffers.h, the JSON is built in memory.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/atomic_file.h"
#include "io/gltf_attributes.h"
#include "io/gltf_buffers.h"
#include "io/gltf_container.h"
#include "io/gltf_keys.h"
#include "io/mesh_part_check.h"
#include "io/plain_names.h"
#include "io/scene.h"

namespace talus {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFloat = 5126, kUint8 = 5121, kUint16 = 5123, kUint32 = 5125;

bool is_glb(const std::string& path) {
  return path.ends_with(".glb");
}

Json numbers(Vec3 v) {
  return {v.x, v.y, v.z};
}

/// The shortest decimals that read back to the same float.
Json numbers(Vec3f v) {
  return numbers(Vec3(v));
}

class SceneWriter {
 public:
  SceneWriter(const Scene& scene, const std::string& path)
      : scene_(scene),
        path_(path),
        buffers_(create_plain_buffers(path.starts_with("/dev/") ? "/tmp" : folder_of(path),
                                      kPlainStrides)) {}

  void write() {
    AtomicFile file(path_, is_glb(path_) ? FileKind::Glb : FileKind::Json);
    put_nodes();
    buffers_->finish();
    if (is_glb(path_)) {
      const std::string json = document("").dump();
      write_glb(
          file, path_, [&](const ByteSink& out) { out(json); }, buffers_->bytes(),
          [&](const ByteSink& out) { buffers_->copy_to(out); });
    } else {
      write_apart(file);
    }
    file.commit();
  }

 private:
  void write_apart(AtomicFile& file) {
    const std::string bin_path = path_.substr(0, path_.rfind('.')) + ".bin";
    AtomicFile bin(bin_path, FileKind::Any);
    buffers_->copy_to([&](std::string_view bytes) { bin.write(bytes); });
    file.write(document(gltf_uri(bin_path.substr(bin_path.rfind('/') + 1))).dump() + "\n");
    if (buffers_->bytes() > 0) bin.commit();
  }

  // ---- accessors

  std::size_t accessor(GltfPlace place, std::size_t count, int component, const char* type,
                       const Json& more = Json::object()) {
    Json entry{{"bufferView", place.view},
               {"byteOffset", place.offset},
               {"componentType", component},
               {"count", count},
               {"type", type}};
    entry.update(more);
    accessors_.push_back(std::move(entry));
    return accessors_.size() - 1;
  }

  template <class T>
  GltfPlace append(GltfStream stream, const std::vector<T>& values) {
    return buffers_->append(stream, values.data(), values.size() * sizeof(T));
  }

  Json primitive(const ScenePart& part, const std::string& node) {
    const Mesh& mesh = part.mesh;
    const std::size_t vertices = mesh.positions.size();
    check_mesh_part(mesh, vertices, path_, node);
    Vec3f lo = mesh.positions[0], hi = lo;
    for (const Vec3f& p : mesh.positions) {
      lo = glm::min(lo, p);
      hi = glm::max(hi, p);
    }
    Json attributes;
    attributes["POSITION"] = accessor(append(GltfStream::Positions, mesh.positions), vertices,
                                      kFloat, "VEC3", {{"min", numbers(lo)}, {"max", numbers(hi)}});
    if (!mesh.normals.empty()) {
      attributes["NORMAL"] =
          accessor(append(GltfStream::Normals, mesh.normals), vertices, kFloat, "VEC3");
    }
    if (!mesh.colors.empty()) {
      attributes["COLOR_0"] = accessor(append(GltfStream::Colors, quantize_colors(mesh.colors)),
                                       vertices, kUint8, "VEC4", {{"normalized", true}});
    }
    return {{"attributes", std::move(attributes)},
            {"indices", put_indices(mesh)},
            {"material", part.material}};
  }

  std::size_t put_indices(const Mesh& mesh) {
    if (mesh.positions.size() > kMaxVertices16) {
      return accessor(append(GltfStream::Indices32, mesh.indices), mesh.indices.size(), kUint32,
                      "SCALAR");
    }
    const std::vector<std::uint16_t> narrow(mesh.indices.begin(), mesh.indices.end());
    return accessor(append(GltfStream::Indices16, narrow), narrow.size(), kUint16, "SCALAR");
  }

  template <std::size_t n>
  void put_track(std::size_t node, const GltfTrack<n>& track, const char* path,
                 const char* interpolation) {
    if (!track.moves()) return;
    const Json bounds{{"min", {track.times.front()}}, {"max", {track.times.back()}}};
    const std::size_t input = accessor(append(GltfStream::Keys, track.times), track.times.size(),
                                       kFloat, "SCALAR", bounds);
    const std::size_t output = accessor(append(GltfStream::Keys, track.values), track.values.size(),
                                        kFloat, n == 4 ? "VEC4" : "VEC3");
    channels_.push_back(
        {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
    samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", interpolation}});
  }

  // ---- nodes

  /// The root stands first, so node i of the scene has the number i + 1.
  void put_nodes() {
    PlainNames names;
    Json root{{"name", names.add(scene_.name)}};
    if (scene_.origin != Vec3(0)) root["translation"] = numbers(scene_.origin);
    nodes_.push_back(std::move(root));
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i) {
      const SceneNode& node = scene_.nodes[i];
      nodes_.push_back(put_node(node, names.add(node.name), i + 1));
      nodes_[node.parent ? *node.parent + 1 : 0]["children"].push_back(i + 1);
      if (!is_glb(path_)) continue;
      check_glb_size(path_, 512 * (nodes_.size() + accessors_.size()), buffers_->bytes());
    }
  }

  Json put_node(const SceneNode& node, const std::string& name, std::size_t number) {
    Json entry{{"name", name}};
    Json primitives = Json::array();
    for (const ScenePart& part : node.parts) {
      if (!part.mesh.empty()) primitives.push_back(primitive(part, name));
    }
    if (!primitives.empty()) {
      entry["mesh"] = meshes_.size();
      meshes_.push_back({{"name", name}, {"primitives", std::move(primitives)}});
    }
    // A node that is animated needs no place of its own, but viewers without animation show it.
    const Quat q = normalized(node.rotation);
    if (node.translation != Vec3(0)) entry["translation"] = numbers(node.translation);
    if (q != kNoRotation) entry["rotation"] = {q.x, q.y, q.z, q.w};
    put_track(number, translation_track(node.moves), "translation", "LINEAR");
    put_track(number, rotation_track(node.turns), "rotation", "LINEAR");
    put_track(number, scale_track(node.shown), "scale", "STEP");
    return entry;
  }

  Json materials() const {
    Json all = Json::array();
    PlainNames names;
    for (const SceneMaterial& m : scene_.materials) {
      all.push_back({{"name", names.add(m.name)},
                     {"pbrMetallicRoughness",
                      {{"baseColorFactor", {m.color.x, m.color.y, m.color.z, m.opacity}},
                       {"metallicFactor", m.metallic},
                       {"roughnessFactor", m.roughness}}}});
      if (m.opacity < 1) {
        all.back()["alphaMode"] = "BLEND";
        all.back()["doubleSided"] = true;
      }
    }
    return all;
  }

  /// Buffer 0 is at `uri`, or in the same file when empty.
  Json document(const std::string& uri) const {
    Json json{{"asset", {{"version", "2.0"}, {"generator", "talus " TALUS_VERSION}}},
              {"scene", 0},
              {"scenes", {{{"nodes", {0}}}}},
              {"nodes", nodes_}};
    if (!meshes_.empty()) {
      json["meshes"] = meshes_;
      json["materials"] = materials();
    }
    if (!channels_.empty()) {
      json["animations"] = {{{"name", "run"}, {"channels", channels_}, {"samplers", samplers_}}};
    }
    if (buffers_->bytes() == 0) return json;
    json["accessors"] = accessors_;
    std::string views;
    buffers_->write_views([&](std::string_view text) { views += text; });
    json["bufferViews"] = Json::parse("[" + views + "]");
    json["buffers"] = {{{"byteLength", buffers_->bytes()}}};
    if (!uri.empty()) json["buffers"][0]["uri"] = uri;
    return json;
  }

  const Scene& scene_;
  const std::string& path_;
  std::unique_ptr<GltfBuffers> buffers_;
  Json nodes_ = Json::array(), meshes_ = Json::array(), accessors_ = Json::array();
  Json channels_ = Json::array(), samplers_ = Json::array();
};

}  // namespace

void write_gltf_scene(const Scene& scene, const std::string& path) {
  SceneWriter(scene, path).write();
}

}  // namespace talus
