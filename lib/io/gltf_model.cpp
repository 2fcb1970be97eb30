#include "io/gltf_model.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace talus {
namespace {

using Json = nlohmann::json;

// A value of the document and the way to it.
class Place {
 public:
  Place(const std::string& file, const Json& value, std::string pointer)
      : file_(file), value_(value), pointer_(std::move(pointer)) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(fmt::format("{}: {}: {}", file_, pointer_.empty() ? "/" : pointer_, why));
  }

  bool has(const char* key) const { return value_.is_object() && value_.contains(key); }

  Place operator[](const char* key) const {
    if (!value_.is_object()) fail("must be an object");
    if (!value_.contains(key)) fail(fmt::format("'{}' is missing", key));
    return {file_, value_[key], fmt::format("{}/{}", pointer_, key)};
  }

  Place operator[](std::size_t index) const {
    return {file_, value_[index], fmt::format("{}/{}", pointer_, index)};
  }

  std::size_t size() const {
    if (!value_.is_array()) fail("must be an array");
    return value_.size();
  }

  std::uint64_t whole() const {
    constexpr double kLargest = 0x1p53;
    if (value_.is_number_unsigned()) return value_.get<std::uint64_t>();
    const double number = value_.is_number() ? value_.get<double>() : -1;
    if (!(number >= 0 && number <= kLargest) || number != std::floor(number)) {
      fail("must be a whole number, 0 or more");
    }
    return static_cast<std::uint64_t>(number);
  }

  std::uint64_t whole_below(std::uint64_t limit) const {
    const std::uint64_t number = whole();
    if (number >= limit) fail(fmt::format("is {}, but there are {}", number, limit));
    return number;
  }

  std::uint64_t whole_or(const char* key, std::uint64_t otherwise) const {
    return has(key) ? (*this)[key].whole() : otherwise;
  }

  double number() const {
    const double number = value_.is_number() ? value_.get<double>() : NAN;
    if (!std::isfinite(number)) fail("must be a finite number");
    return number;
  }

  std::string text() const {
    if (!value_.is_string()) fail("must be a string");
    return value_.get<std::string>();
  }

  bool truth() const {
    if (!value_.is_boolean()) fail("must be true or false");
    return value_.get<bool>();
  }

 private:
  const std::string& file_;
  const Json& value_;
  std::string pointer_;
};

// read(place, entry) for every element of the array `key`, which may be missing.
template <class Entry, class Read>
void read_array(const Place& parent, const char* key, std::vector<Entry>& entries,
                const Read& read) {
  if (!parent.has(key)) return;
  const Place array = parent[key];
  entries.resize(array.size());
  for (std::size_t i = 0; i < entries.size(); ++i) read(array[i], entries[i]);
}

template <class Value>
Value one_of(const Place& place, std::initializer_list<std::pair<const char*, Value>> known) {
  const std::string text = place.text();
  std::string names;
  for (const auto& [name, value] : known) {
    if (text == name) return value;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  place.fail(fmt::format("is '{}', known are {}", text, names));
}

void refuse_unknown_extensions(const Place& root) {
  if (!root.has("extensionsRequired")) return;
  const Place required = root["extensionsRequired"];
  for (std::size_t i = 0; i < required.size(); ++i) {
    const std::string name = required[i].text();
    bool known = name == "KHR_mesh_quantization" || name == "EXT_meshopt_compression";
    for (const char* harmless : {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"}) {
      known = known || name.starts_with(harmless);
    }
    if (!known) required[i].fail(fmt::format("extension {} is not known; export without it", name));
  }
}

void read_buffer(const Place& place, GltfBufferEntry& buffer) {
  buffer.bytes = place["byteLength"].whole();
  if (place.has("uri")) buffer.uri = place["uri"].text();
}

GltfPacking read_packing(const Place& place, std::size_t buffers) {
  GltfPacking packing;
  packing.buffer = place["buffer"].whole_below(buffers);
  packing.offset = place.whole_or("byteOffset", 0);
  packing.bytes = place["byteLength"].whole();
  packing.stride = place["byteStride"].whole();
  packing.count = place["count"].whole();
  packing.mode = one_of<GltfPackMode>(place["mode"], {{"ATTRIBUTES", GltfPackMode::Attributes},
                                                      {"TRIANGLES", GltfPackMode::Triangles},
                                                      {"INDICES", GltfPackMode::Indices}});
  if (place.has("filter")) {
    packing.filter =
        one_of<GltfFilter>(place["filter"], {{"NONE", GltfFilter::None},
                                             {"OCTAHEDRAL", GltfFilter::Octahedral},
                                             {"QUATERNION", GltfFilter::Quaternion},
                                             {"EXPONENTIAL", GltfFilter::Exponential}});
  }
  return packing;
}

void read_view(const Place& place, std::size_t buffers, GltfView& view) {
  view.buffer = place["buffer"].whole_below(buffers);
  view.offset = place.whole_or("byteOffset", 0);
  view.bytes = place["byteLength"].whole();
  view.stride = place.whole_or("byteStride", 0);
  constexpr const char* kPacked = "EXT_meshopt_compression";
  if (place.has("extensions") && place["extensions"].has(kPacked)) {
    view.packing = read_packing(place["extensions"][kPacked], buffers);
  }
}

// Accessors that no triangle uses (matrices of skins, say) are read as they come and not judged.
void read_accessor(const Place& place, std::size_t views, GltfAccessor& accessor) {
  accessor.component_type = place["componentType"].whole();
  accessor.count = place["count"].whole();
  accessor.normalized = place.has("normalized") && place["normalized"].truth();
  accessor.components = one_of<std::uint64_t>(place["type"], {{"SCALAR", 1},
                                                              {"VEC2", 2},
                                                              {"VEC3", 3},
                                                              {"VEC4", 4},
                                                              {"MAT2", 0},
                                                              {"MAT3", 0},
                                                              {"MAT4", 0}});
  if (place.has("sparse"))
    place["sparse"].fail("sparse accessors are not read; export without them");
  if (!place.has("bufferView")) place.fail("an accessor without 'bufferView' has no data to read");
  accessor.view = place["bufferView"].whole_below(views);
  accessor.offset = place.whole_or("byteOffset", 0);
}

void read_mesh(const Place& place, std::size_t accessors, std::vector<GltfTriangles>& mesh) {
  const Place primitives = place["primitives"];
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    const Place primitive = primitives[i];
    const std::uint64_t mode = primitive.whole_or("mode", 4);
    if (mode < 4) continue;
    if (mode > 4) primitive["mode"].fail("strips and fans are not read; export as triangles");
    const Place attributes = primitive["attributes"];
    if (!attributes.has("POSITION")) continue;
    const auto optional_accessor = [&](const Place& parent,
                                       const char* key) -> std::optional<std::uint64_t> {
      if (!parent.has(key)) return std::nullopt;
      return parent[key].whole_below(accessors);
    };
    mesh.push_back(
        {attributes["POSITION"].whole_below(accessors), optional_accessor(attributes, "NORMAL"),
         optional_accessor(attributes, "COLOR_0"), optional_accessor(primitive, "indices")});
  }
}

std::vector<double> numbers(const Place& parent, const char* key, std::vector<double> otherwise) {
  if (!parent.has(key)) return otherwise;
  const Place array = parent[key];
  if (array.size() != otherwise.size()) {
    array.fail(fmt::format("must have {} numbers", otherwise.size()));
  }
  for (std::size_t i = 0; i < otherwise.size(); ++i) otherwise[i] = array[i].number();
  return otherwise;
}

// Translation, rotation (a unit quaternion), scale.
std::array<double, 16> compose(const std::vector<double>& t, const std::vector<double>& r,
                               const std::vector<double>& s) {
  const double x = r[0], y = r[1], z = r[2], w = r[3];
  return {(1 - 2 * (y * y + z * z)) * s[0],
          2 * (x * y + z * w) * s[0],
          2 * (x * z - y * w) * s[0],
          0,
          2 * (x * y - z * w) * s[1],
          (1 - 2 * (x * x + z * z)) * s[1],
          2 * (y * z + x * w) * s[1],
          0,
          2 * (x * z + y * w) * s[2],
          2 * (y * z - x * w) * s[2],
          (1 - 2 * (x * x + y * y)) * s[2],
          0,
          t[0],
          t[1],
          t[2],
          1};
}

void read_node(const Place& place, const GltfModel& model, GltfNode& node) {
  if (place.has("mesh")) node.mesh = place["mesh"].whole_below(model.meshes.size());
  read_array(place, "children", node.children, [&](const Place& child, std::uint64_t& number) {
    number = child.whole_below(model.nodes.size());
  });
  if (place.has("matrix")) {
    const auto matrix = numbers(place, "matrix", std::vector<double>(16));
    std::copy(matrix.begin(), matrix.end(), node.matrix.begin());
  } else {
    node.matrix =
        compose(numbers(place, "translation", {0, 0, 0}), numbers(place, "rotation", {0, 0, 0, 1}),
                numbers(place, "scale", {1, 1, 1}));
  }
}

std::vector<std::uint64_t> read_roots(const Place& root, const GltfModel& model) {
  std::vector<std::uint64_t> roots;
  if (root.has("scenes") && root["scenes"].size() > 0) {
    const Place scenes = root["scenes"];
    const std::uint64_t scene = root.has("scene") ? root["scene"].whole_below(scenes.size()) : 0;
    read_array(scenes[scene], "nodes", roots, [&](const Place& place, std::uint64_t& number) {
      number = place.whole_below(model.nodes.size());
    });
    return roots;
  }
  std::vector<bool> is_child(model.nodes.size());
  for (const GltfNode& node : model.nodes) {
    for (const std::uint64_t child : node.children) is_child[child] = true;
  }
  for (std::size_t i = 0; i < is_child.size(); ++i) {
    if (!is_child[i]) roots.push_back(i);
  }
  return roots;
}

Json parse_json(const std::string& path, std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: not well-formed JSON: {}", path, error.what()));
  }
}

}  // namespace

GltfModel parse_gltf(const std::string& path, std::string_view json) {
  const Json document = parse_json(path, json);
  const Place root(path, document, "");
  const std::string version = root["asset"]["version"].text();
  if (!version.starts_with("2.")) {
    root["asset"]["version"].fail(fmt::format("is '{}', only glTF 2 is read", version));
  }
  refuse_unknown_extensions(root);
  GltfModel model;
  read_array(root, "buffers", model.buffers, read_buffer);
  read_array(root, "bufferViews", model.views, [&](const Place& place, GltfView& view) {
    read_view(place, model.buffers.size(), view);
  });
  read_array(root, "accessors", model.accessors, [&](const Place& place, GltfAccessor& accessor) {
    read_accessor(place, model.views.size(), accessor);
  });
  read_array(root, "meshes", model.meshes, [&](const Place& place, auto& mesh) {
    read_mesh(place, model.accessors.size(), mesh);
  });
  read_array(root, "nodes", model.nodes,
             [&](const Place& place, GltfNode& node) { read_node(place, model, node); });
  model.roots = read_roots(root, model);
  return model;
}

}  // namespace talus
