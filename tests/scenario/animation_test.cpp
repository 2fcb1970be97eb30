// Runs as animations and meshes, looked at by an independent reader of glTF's JSON and bytes.
#include "scenario/animation.h"

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "io/mesh_reader.h"
#include "mesh/measure.h"
#include "scenario/run.h"
#include "support/temp_folder.h"
#include "support/validate.h"

namespace talus {
namespace {

using Json = nlohmann::json;

Scenario shipped(const std::string& name) {
  return read_scenarios(TALUS_SOURCE_DIR "/scenarios/" + name + ".json").front();
}

Scenario parsed(const std::string& sections) {
  return parse_scenarios(R"({"talus": 1, "terrain": {"preset": "flat"}, )" + sections + "}",
                         "f.json")
      .front();
}

/// A .glb taken apart.
struct Glb {
  Json json;
  std::string bytes;

  explicit Glb(const std::string& path) {
    const std::string file = read_text(path);
    std::uint32_t json_bytes = 0;
    std::memcpy(&json_bytes, file.data() + 12, 4);
    json = Json::parse(file.substr(20, json_bytes));
    if (file.size() > 28 + json_bytes) bytes = file.substr(28 + json_bytes);
  }

  std::vector<std::vector<float>> floats(const Json& accessor_number) const {
    const Json& accessor = json["accessors"][accessor_number.get<std::size_t>()];
    const Json& view = json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
    const std::size_t n = accessor["type"] == "SCALAR" ? 1 : accessor["type"] == "VEC3" ? 3 : 4;
    const std::size_t start =
        view["byteOffset"].get<std::size_t>() + accessor["byteOffset"].get<std::size_t>();
    std::vector<std::vector<float>> rows(accessor["count"], std::vector<float>(n));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::memcpy(rows[i].data(), bytes.data() + start + i * n * 4, n * 4);
    }
    return rows;
  }

  struct Track {
    std::vector<float> t;
    std::vector<std::vector<float>> values;
  };
  std::string name(std::size_t node) const { return json["nodes"][node]["name"]; }
  /// By node name and path.
  std::map<std::pair<std::string, std::string>, Track> tracks() const {
    std::map<std::pair<std::string, std::string>, Track> all;
    if (!json.contains("animations")) return all;
    const Json& animation = json["animations"][0];
    for (const Json& channel : animation["channels"]) {
      const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
      const std::string path = channel["target"]["path"];
      EXPECT_EQ(sampler["interpolation"], path == "scale" ? "STEP" : "LINEAR");
      Track& track = all[{name(channel["target"]["node"].get<std::size_t>()), path}];
      for (const auto& row : floats(sampler["input"])) track.t.push_back(row[0]);
      track.values = floats(sampler["output"]);
    }
    return all;
  }
};

/// Where a linear track is at a time.
std::vector<float> at(const Glb::Track& track, double t) {
  std::size_t i = 0;
  while (i + 1 < track.t.size() && track.t[i + 1] <= t) ++i;
  std::vector<float> v = track.values[i];
  if (i + 1 == track.t.size() || t <= track.t[i]) return v;
  const double s = (t - track.t[i]) / (double{track.t[i + 1]} - track.t[i]);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] = static_cast<float>(v[k] * (1 - s) + track.values[i + 1][k] * s);
  }
  return v;
}

TEST(Animation, EveryBodyIsWhereItsTrajectorySays) {
  const TempFolder folder;
  const std::string path = folder.file("a.glb");
  for (const char* name : {"pillar", "stairs", "rubble"}) {
    const Scenario scenario = shipped(name);
    const Report report = run(scenario);
    write_animation(scenario, report, path);
    const Glb glb(path);
    const auto tracks = glb.tracks();
    const Vec3 site = kCell * Vec3(make_plan(scenario).site);
    std::size_t moving = 0;
    for (const auto& [key, track] : tracks) moving += key.second == "translation";
    EXPECT_EQ(moving, report.trajectory.bodies.size());
    // Nodes are named after the bodies: "rest (0)" is rest_0.
    for (const BodyTrack& body : report.trajectory.bodies) {
      std::string node = body.name;
      const std::size_t at_number = node.rfind(" (");
      if (at_number != std::string::npos)
        node = node.substr(0, at_number) + "_" + std::to_string(body.id);
      ASSERT_TRUE(tracks.count({node, "translation"})) << node;
      const auto& moves = tracks.at({node, "translation"});
      for (std::size_t i = 0; i < body.rows(); ++i) {
        const double t = report.trajectory.t_s[static_cast<std::size_t>(body.frame[i])];
        const auto p = at(moves, t);
        for (int k = 0; k < 3; ++k) {
          EXPECT_NEAR(site[k] + p[static_cast<std::size_t>(k)], body.position_m[i][k], 2e-5);
        }
        if (!tracks.count({node, "rotation"})) continue;
        const auto q = at(tracks.at({node, "rotation"}), t);
        double dot = 0;
        for (std::size_t k = 0; k < 4; ++k) dot += q[k] * body.rotation_xyzw[i][k];
        EXPECT_NEAR(std::abs(dot), 1, 2e-5);  // between keys, turns are not normalised
      }
    }
  }
}

TEST(Animation, TracksStartAtZeroRiseKeepTheirSignAndHoldNoIdleKey) {
  const TempFolder folder;
  const Scenario scenario = shipped("stairs");
  write_animation(scenario, run(scenario), folder.file("a.glb"));
  std::size_t turns = 0;
  for (const auto& [key, track] : Glb(folder.file("a.glb")).tracks()) {
    ASSERT_EQ(track.t.size(), track.values.size());
    EXPECT_EQ(track.t[0], 0);
    for (std::size_t i = 1; i < track.t.size(); ++i) {
      EXPECT_GT(track.t[i], track.t[i - 1]);
      if (i + 1 < track.t.size()) {
        EXPECT_FALSE(track.values[i] == track.values[i - 1] &&
                     track.values[i] == track.values[i + 1]);
      }
      if (key.second != "rotation") continue;
      ++turns;
      double dot = 0, length = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        dot += track.values[i][k] * track.values[i - 1][k];
        length += track.values[i][k] * track.values[i][k];
      }
      EXPECT_GT(dot, 0);
      EXPECT_NEAR(length, 1, 1e-6);
    }
  }
  EXPECT_GT(turns, 50u);
}

constexpr const char* kTower = R"("structure": [
    {"op": "column", "name": "tower", "height": 6, "size": 2},
    {"op": "column", "name": "other", "cell": [8, 0, 0], "height": 2, "size": 2, "material": "planks"}],
  "script": [
    {"do": "remove", "when": {"time_s": 0.5}, "box": {"cell": [0, 2, 0]}},
    {"do": "place", "when": {"time_s": 1}, "block": {"cell": [8, 4, 0], "size": 2, "material": "copper"}},
    {"do": "dig", "when": {"time_s": 1.5}, "brush": {"center_m": [20, 0, 0], "radius_m": 3}}])";

TEST(Animation, WhatIsPlacedOrRemovedOnTheWayIsHiddenBeforeAndAfter) {
  const TempFolder folder;
  const Scenario scenario = parsed(kTower);
  write_animation(scenario, run(scenario), folder.file("a.glb"));
  const auto tracks = Glb(folder.file("a.glb")).tracks();
  const auto shown = [&](const std::string& node, double t) {
    const auto track = tracks.find({node, "scale"});
    if (track == tracks.end()) return true;
    std::size_t i = 0;
    while (i + 1 < track->second.t.size() && track->second.t[i + 1] <= t) ++i;
    return track->second.values[i] == std::vector<float>{1, 1, 1};
  };
  EXPECT_TRUE(tracks.count({"removed", "scale"}));
  EXPECT_TRUE(tracks.count({"placed", "scale"}));
  EXPECT_FALSE(tracks.count({"standing", "scale"}));
  EXPECT_FALSE(tracks.count({"tower_0", "scale"}));  // stands where it was until it falls
  EXPECT_TRUE(shown("removed", 0.49));
  EXPECT_FALSE(shown("removed", 0.51));
  EXPECT_FALSE(shown("placed", 0.99));
  EXPECT_TRUE(shown("placed", 1.01));
  // The ground's chunks that were dug into stand twice, one after the other.
  std::size_t before = 0, after = 0;
  for (const auto& [key, track] : tracks) {
    if (key.first.rfind("ground", 0) != 0) continue;
    EXPECT_NE(shown(key.first, 1.4), shown(key.first, 1.6)) << key.first;
    before += shown(key.first, 1.4);
    after += shown(key.first, 1.6);
  }
  EXPECT_EQ(before, 1u);
  EXPECT_EQ(after, 1u);
}

TEST(Animation, AMaterialForEachBlockMaterialAndPlainUniqueNames) {
  const TempFolder folder;
  const Scenario scenario = shipped("rubble");
  write_animation(scenario, run(scenario), folder.file("a.glb"));
  const Glb glb(folder.file("a.glb"));
  std::set<std::string> materials, names;
  for (const Json& material : glb.json["materials"]) materials.insert(material["name"]);
  EXPECT_EQ(materials, (std::set<std::string>{"stone", "planks", "copper", "bricks", "ground"}));
  for (const Json& node : glb.json["nodes"]) {
    const std::string name = node["name"];
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), std::string::npos);
  }
  EXPECT_EQ(names.size(), 200u + 2u);  // the root and the ground
  for (const Json& mesh : glb.json["meshes"]) {
    for (const Json& primitive : mesh["primitives"]) {
      EXPECT_TRUE(primitive["attributes"].contains("NORMAL"));
    }
  }
}

TEST(Animation, TheKhronosValidatorFindsNeitherErrorNorWarning) {
  const TempFolder folder;
  std::string files;
  const auto put = [&](const std::string& name, const Scenario& scenario) {
    const Report report = run(scenario);
    for (const char* ending : {".glb", ".gltf"}) {
      files += " " + folder.file(name + ending) + " " + folder.file(name + "_end" + ending);
      write_animation(scenario, report, folder.file(name + ending));
      write_structure(scenario, report, StructureState::Final, folder.file(name + "_end" + ending));
    }
  };
  for (const char* name : {"pillar", "stairs", "rubble", "arch", "tower_on_slope"}) {
    put(name, shipped(name));
  }
  put("tower", parsed(kTower));
  put("nothing", parsed(R"("about": "only ground")"));
  const ToolResult result = validate_gltf(files);
  EXPECT_TRUE(result.content) << result.text;
  EXPECT_NE(result.text.find("rubble.glb: 0 errors, 0 warnings"), std::string::npos);
}

TEST(Animation, IsTheSameBytesEveryTime) {
  const TempFolder folder;
  const Scenario scenario = shipped("pillar");
  write_animation(scenario, run(scenario), folder.file("a.glb"));
  write_animation(scenario, run(scenario), folder.file("b.glb"));
  EXPECT_EQ(read_text(folder.file("a.glb")), read_text(folder.file("b.glb")));
}

TEST(Animation, OfAnotherKindOfFileIsRefused) {
  const TempFolder folder;
  const Scenario scenario = shipped("free_fall");
  const Report report = run(scenario);
  for (const char* name : {"a.obj", "a.png", "a"}) {
    EXPECT_NE(error_of([&] { write_animation(scenario, report, folder.file(name)); }), "") << name;
  }
  EXPECT_EQ(folder.count(), 0);
}

TEST(StructureFile, HoldsTheBlocksAtTheStartAndAtTheEnd) {
  const TempFolder folder;
  const Scenario scenario = shipped("pillar");
  const Report report = run(scenario);
  const double ball = M_PI / 6;
  for (const char* ending : {".glb", ".gltf", ".obj"}) {
    const std::string first = folder.file(std::string("first") + ending);
    const std::string last = folder.file(std::string("last") + ending);
    write_structure(scenario, report, StructureState::Initial, first);
    write_structure(scenario, report, StructureState::Final, last);
    // Eight cubes of 1 m, a ball, and the cube that is cut out; sides between two materials or two
    // nodes are left out or twice there, so the volume is looked at as a closed surface.
    const MeshMeasure before = measure(read_mesh_file(first)),
                      after = measure(read_mesh_file(last));
    EXPECT_NEAR(before.volume_m3, 10 + ball, 0.02) << ending;
    EXPECT_NEAR(after.volume_m3, 9 + ball, 0.02) << ending;
    EXPECT_LT(after.bounds.lo.y, 0.05);
    EXPECT_NEAR(before.bounds.hi.x, 7, 1e-5);
  }
  const std::string obj = read_text(folder.file("first.obj"));
  for (const char* material : {"usemtl stone", "usemtl planks", "usemtl copper"}) {
    EXPECT_NE(obj.find(material), std::string::npos);
  }
  EXPECT_NE(read_text(folder.file("first.mtl")).find("newmtl copper"), std::string::npos);
}

}  // namespace
}  // namespace talus
