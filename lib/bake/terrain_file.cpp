#include "bake/terrain_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bake/height_file.h"
#include "core/error.h"
#include "core/suggest.h"
#include "io/atomic_file.h"
#include "io/read_file.h"

namespace talus {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24;
constexpr std::size_t kMostEdits = 65536;
constexpr int kMostDepth = 100;
constexpr double kMostMetres = 1e9;

// A value of the document, and how to name it in a message.
struct Value {
  const json& data;
  const std::string& file;
  std::string at;

  [[noreturn]] void fail(const std::string& why) const {
    throw Error(fmt::format("{}: {}: {}", file, at.empty() ? "/" : at, why));
  }
  Value operator[](const std::string& key) const {
    if (!data.contains(key)) fail("'" + key + "' is missing");
    return {data.at(key), file, at + "/" + key};
  }
  bool has(const char* key) const { return data.contains(key); }

  void expect_keys(const std::vector<std::string>& known) const {
    if (!data.is_object()) fail("must be an object: {...}");
    for (const auto& [key, value] : data.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(unknown_word("key", key, known));
      }
    }
  }
  std::string text() const {
    if (!data.is_string()) fail("must be a string");
    return data.get<std::string>();
  }
  double number(double least, double most) const {
    const double value = data.is_number() ? data.get<double>() : NAN;
    if (!(value >= least && value <= most)) {
      fail(fmt::format("must be a number from {} to {}", least, most));
    }
    return value;
  }
  Vec3 vector(double least, double most) const {
    if (!data.is_array() || data.size() != 3) fail("must be three numbers: [x, y, z]");
    Vec3 v;
    for (int axis = 0; axis < 3; ++axis) {
      const auto i = static_cast<std::size_t>(axis);
      v[axis] = Value{data[i], file, fmt::format("{}/{}", at, i)}.number(least, most);
    }
    return v;
  }
};

// Doubled keys and nesting are for the parser to see; the document has forgotten them.
class StructureCheck {
 public:
  explicit StructureCheck(const std::string& path) : path_(path) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kMostDepth) {
      throw Error(fmt::format("{}: nested more than {} deep", path_, kMostDepth));
    }
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key &&
        !keys_.back().insert(parsed.get<std::string>()).second) {
      throw Error(
          fmt::format("{}: key '{}' is there twice; leave one", path_, parsed.get<std::string>()));
    }
    return true;
  }

 private:
  std::string path_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

json parse(const std::string& path) {
  const std::string text = read_file(path, kMostBytes);
  try {
    return json::parse(text, StructureCheck(path), true, true);
  } catch (const json::parse_error& error) {
    const std::size_t end = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const std::string before = text.substr(0, end);
    const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
    const std::string why = error.what();
    const std::size_t reason = why.find("syntax error");
    throw Error(fmt::format("{}:{}:{}: {}", path,
                            std::count(before.begin(), before.end(), '\n') + 1, end - line + 1,
                            reason == std::string::npos ? "not valid JSON" : why.substr(reason)));
  } catch (const json::exception&) {
    throw Error(fmt::format("{}: holds a number that is too large", path));
  }
}

std::uint32_t read_seed(const Value& value) {
  constexpr const char* kMend = "must be a whole number from 0 to 4294967295";
  if (value.data.is_string()) {
    const std::string text = value.text();
    std::uint32_t seed = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (failure != std::errc{} || end != text.data() + text.size()) value.fail(kMend);
    return seed;
  }
  if (!value.data.is_number_unsigned() || value.data.get<std::uint64_t>() > 0xFFFFFFFF) {
    value.fail(kMend);
  }
  return static_cast<std::uint32_t>(value.data.get<std::uint64_t>());
}

Vec3 read_point(const Value& value) {
  return value.vector(-kMostMetres, kMostMetres);
}

void read_sphere(const Value& value, const std::string& mode, Brush& brush) {
  value.expect_keys({mode, "center_m", "radius_m"});
  brush.shape = Brush::Shape::Sphere;
  brush.center = read_point(value["center_m"]);
  brush.radius = value["radius_m"].number(0, 1e6);
}

void read_box(const Value& value, const std::string& mode, Brush& brush) {
  value.expect_keys({mode, "center_m", "size_m"});
  brush.shape = Brush::Shape::Box;
  brush.center = read_point(value["center_m"]);
  brush.half_size = value["size_m"].vector(0, 2e6) * 0.5;
}

void read_capsule(const Value& value, const std::string& mode, Brush& brush) {
  value.expect_keys({mode, "from_m", "to_m", "radius_m"});
  brush.shape = Brush::Shape::Capsule;
  brush.center = read_point(value["from_m"]);
  brush.end = read_point(value["to_m"]);
  brush.radius = value["radius_m"].number(0, 1e6);
}

Brush read_brush(const Value& value) {
  if (!value.data.is_object() || value.has("dig") == value.has("fill")) {
    value.fail(R"(must be an object with either "dig" or "fill": "sphere", "box" or "capsule")");
  }
  const std::string mode = value.has("dig") ? "dig" : "fill";
  const std::string shape = value[mode].text();
  Brush brush;
  brush.mode = mode == "dig" ? Brush::Mode::Dig : Brush::Mode::Fill;
  if (shape == "sphere") {
    read_sphere(value, mode, brush);
  } else if (shape == "box") {
    read_box(value, mode, brush);
  } else if (shape == "capsule") {
    read_capsule(value, mode, brush);
  } else {
    value[mode].fail(unknown_word("shape", shape, {"sphere", "box", "capsule"}));
  }
  return brush;
}

std::vector<Brush> read_edits(const Value& value) {
  if (!value.data.is_array()) value.fail("must be a list: [...]");
  if (value.data.size() > kMostEdits) {
    value.fail(fmt::format("has {} edits, at most {} are taken", value.data.size(), kMostEdits));
  }
  std::vector<Brush> edits;
  for (std::size_t i = 0; i < value.data.size(); ++i) {
    edits.push_back(read_brush({value.data[i], value.file, fmt::format("{}/{}", value.at, i)}));
  }
  return edits;
}

void set_parameter(TerrainSpec& spec, const std::string& name, double value) {
  for (auto& [known, old] : spec.parameters) {
    if (known == name) {
      old = value;
      return;
    }
  }
  spec.parameters.emplace_back(name, value);
}

PresetInfo find_preset(const Value& value) {
  std::vector<std::string> names;
  for (const PresetInfo& info : preset_table()) {
    if (info.name == value.text()) return info;
    names.push_back(info.name);
  }
  value.fail(unknown_word("preset", value.text(), names));
}

void read_parameters(const Value& value, const PresetInfo& preset, TerrainSpec& spec) {
  std::vector<std::string> names;
  for (const ParameterInfo& parameter : preset.parameters) names.push_back(parameter.name);
  value.expect_keys(names);
  for (const ParameterInfo& parameter : preset.parameters) {
    if (!value.has(parameter.name.c_str())) continue;
    set_parameter(spec, parameter.name,
                  value[parameter.name].number(parameter.least, parameter.most));
  }
}

void read_heights(const Value& root, TerrainSpec& spec) {
  if (root.has("file")) {
    const std::string name = root["file"].text();
    load_heights(spec, name.starts_with("/") ? name : folder_of(root.file) + "/" + name);
  }
  for (const char* key : {"spacing_m", "origin_x_m", "origin_z_m"}) {
    if (!root.has(key)) continue;
    if (spec.preset != "heightmap") root[key].fail("only preset heightmap takes it");
    place_heights(spec, key, root[key].number(key[0] == 's' ? 1e-6 : -kMostMetres, kMostMetres));
  }
}

}  // namespace

TerrainFile read_terrain_file(const std::string& path) {
  const json document = parse(path);
  const Value root{document, path, ""};
  root.expect_keys({"$schema", "preset", "seed", "parameters", "file", "spacing_m", "origin_x_m",
                    "origin_z_m", "edits"});
  TerrainFile terrain;
  PresetInfo preset = preset_table().front();
  if (root.has("preset")) preset = find_preset(root["preset"]);
  terrain.spec.preset = preset.name;
  if (root.has("seed")) terrain.spec.seed = read_seed(root["seed"]);
  if (root.has("parameters")) read_parameters(root["parameters"], preset, terrain.spec);
  if (root.has("edits")) terrain.edits = read_edits(root["edits"]);
  read_heights(root, terrain.spec);
  return terrain;
}

void apply_setting(TerrainSpec& spec, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(fmt::format("{}: must be KEY=VALUE; 'talus presets' has the keys", setting));
  }
  const std::string key = setting.substr(0, equals), text = setting.substr(equals + 1);
  if (key == "file") return load_heights(spec, text);
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    throw Error(fmt::format("{}: must be a number, got '{}'", key, text));
  }
  if (spec.preset == "heightmap" && place_heights(spec, key, value)) return;
  set_parameter(spec, key, value);
}

Terrain make_terrain(const TerrainFile& file) {
  return {make_preset(file.spec), file.edits};
}

}  // namespace talus
