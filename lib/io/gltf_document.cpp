#include "io/gltf_document.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace talus {
namespace {

// White where the vertices have colours, which then come through unchanged.
std::string materials(bool vertex_colors) {
  return fmt::format(
      R"("materials":[{{"name":"{}","pbrMetallicRoughness":{{"baseColorFactor":{},"metallicFactor":0,)"
      R"("roughnessFactor":1}}}}])",
      vertex_colors ? "vertex_colors" : "rock", vertex_colors ? "[1,1,1,1]" : "[0.36,0.33,0.29,1]");
}

std::string json_string(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

GltfDocument::GltfDocument(const std::string& folder, const MeshFileOptions& options)
    : options_(options), nodes_(folder), meshes_(folder), accessors_(folder) {}

std::uint64_t GltfDocument::add_accessor(GltfPlace place, std::uint64_t count,
                                         const GltfFormat& format, const std::string& bounds) {
  accessors_.write(fmt::format(
      R"({}{{"bufferView":{},"byteOffset":{},"componentType":{}{},"count":{},"type":"{}"{}{}}})",
      accessor_count_ ? "," : "", place.view, place.offset, format.component_type,
      format.normalized ? R"(,"normalized":true)" : "", count, format.type,
      bounds.empty() ? "" : ",", bounds));
  return accessor_count_++;
}

void GltfDocument::add_node(const std::string& name, Vec3 translation, double scale,
                            const GltfPrimitive& primitive) {
  const char* comma = node_count_ ? "," : "";
  const std::string plain = names_.add(name);
  std::string node = fmt::format(R"({}{{"name":"{}","mesh":{})", comma, plain, node_count_);
  if (translation != Vec3(0)) {
    node +=
        fmt::format(R"(,"translation":[{},{},{}])", translation.x, translation.y, translation.z);
  }
  if (scale != 1) node += fmt::format(R"(,"scale":[{0},{0},{0}])", scale);
  nodes_.write(node + "}");

  std::string mesh = fmt::format(R"({}{{"name":"{}","primitives":[{{"attributes":{{"POSITION":{})",
                                 comma, plain, primitive.positions);
  if (primitive.normals) mesh += fmt::format(R"(,"NORMAL":{})", *primitive.normals);
  if (primitive.colors) mesh += fmt::format(R"(,"COLOR_0":{})", *primitive.colors);
  meshes_.write(mesh + fmt::format(R"(}},"indices":{},"material":0}}]}})", primitive.indices));
  has_colors_ = has_colors_ || primitive.colors.has_value();
  ++node_count_;
}

std::uint64_t GltfDocument::bytes() const {
  constexpr std::uint64_t kDigits = 20;
  return 4096 + nodes_.size() + meshes_.size() + accessors_.size() + node_count_ * (kDigits + 1);
}

std::string GltfDocument::head() const {
  std::string text = fmt::format(R"({{"asset":{{"version":"2.0","generator":{}}})",
                                 json_string(options_.generator));
  if (empty()) return text + R"(,"scene":0,"scenes":[{"name":"empty"}])";
  std::string extensions;
  if (options_.encoding != MeshEncoding::Plain) extensions = R"("KHR_mesh_quantization")";
  if (options_.encoding == MeshEncoding::Compressed) extensions += R"(,"EXT_meshopt_compression")";
  if (!extensions.empty()) {
    text += fmt::format(R"(,"extensionsUsed":[{0}],"extensionsRequired":[{0}])", extensions);
  }
  return text + R"(,"scene":0,"scenes":[{"nodes":[)";
}

std::string GltfDocument::tail(const GltfBuffers& buffers, std::uint64_t binary_bytes,
                               const std::string& uri) const {
  std::string text =
      fmt::format(R"(],{},"buffers":[{{"byteLength":{})", materials(has_colors_), binary_bytes);
  if (!uri.empty()) text += fmt::format(R"(,"uri":{})", json_string(uri));
  text += "}";
  if (buffers.fallback_bytes() > 0) {
    text += fmt::format(
        R"(,{{"byteLength":{},"extensions":{{"EXT_meshopt_compression":{{"fallback":true}}}}}})",
        buffers.fallback_bytes());
  }
  return text + "]}";
}

void GltfDocument::write(const ByteSink& out, const GltfBuffers& buffers,
                         std::uint64_t binary_bytes, const std::string& uri) const {
  out(head());
  if (empty()) return out("}");
  for (std::uint64_t i = 0; i < node_count_; ++i) out(fmt::format("{}{}", i ? "," : "", i));
  out(R"(]}],"nodes":[)");
  nodes_.copy_to(out);
  out(R"(],"meshes":[)");
  meshes_.copy_to(out);
  out(R"(],"accessors":[)");
  accessors_.copy_to(out);
  out(R"(],"bufferViews":[)");
  buffers.write_views(out);
  out(tail(buffers, binary_bytes, uri));
}

}  // namespace talus
