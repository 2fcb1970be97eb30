#include "scenario/scenario.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "scenario/run.h"

namespace talus {
namespace {

std::vector<std::string> shipped() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TALUS_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".json") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Reads and plans; the message where that fails.
std::string complaint(const std::string& text) {
  try {
    for (const Scenario& scenario : parse_scenarios(text, "f.json")) make_plan(scenario);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(std::string(error.what()).rfind("f.json:", 0), 0u) << error.what();
    return error.what();
  }
  return "";
}

std::string with(const std::string& sections) {
  return "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"}, " + sections + "}";
}

TEST(Scenario, EveryShippedOneRunsAsExpected) {
  ASSERT_GE(shipped().size(), 13u);
  for (const std::string& path : shipped()) {
    for (const Scenario& scenario : read_scenarios(path)) {
      EXPECT_GE(scenario.expect.size(), 2u) << path;
      const Report report = run(scenario);
      EXPECT_TRUE(report.counts.conserved());
      for (const ExpectationResult& r : report.expectations) {
        EXPECT_TRUE(r.passed) << scenario.name << r.place.path << ": expected " << r.expected
                              << ", found " << r.found;
      }
    }
  }
}

TEST(Scenario, RunsRepeatToTheBit) {
  for (const char* name : {"/scenarios/pillar.json", "/scenarios/rubble.json"}) {
    const Scenario scenario = read_scenarios(std::string(TALUS_SOURCE_DIR) + name).front();
    EXPECT_EQ(hash(run(scenario).trajectory), hash(run(scenario).trajectory));
  }
}

TEST(Scenario, WithoutGravityTheShippedOnesFail) {
  for (const std::string& path : shipped()) {
    Scenario scenario = read_scenarios(path).front();
    scenario.settings.classic.gravity = scenario.settings.modern.gravity = 0;
    EXPECT_FALSE(run(scenario).passed()) << path;
  }
}

TEST(Scenario, WithoutFrictionThoseThatItHoldsFail) {
  for (const char* name : {"slope_20", "slope_40", "arch", "rubble"}) {
    Scenario scenario =
        read_scenarios(TALUS_SOURCE_DIR "/scenarios/" + std::string(name) + ".json").front();
    scenario.settings.classic.friction = scenario.settings.modern.friction = 0;
    EXPECT_FALSE(run(scenario).passed()) << name;
  }
}

TEST(Scenario, HeightsOfPartsAreCompared) {
  const auto cases = parse_scenarios(
      with(
          R"("structure": [{"op": "block", "name": "a"}, {"op": "block", "name": "b", "cell": [0, 1, 0]},
                            {"op": "block", "name": "c", "cell": [4, 3, 0]}],
              "expect": [{"that": "height", "name": "b", "over": "a", "m": 0.5, "at_s": 0},
                         {"that": "height", "name": "a", "over": "b", "m": -0.5, "at_s": 0},
                         {"that": "height", "name": "c", "over": "a", "m": 1.5, "at_s": 0},
                         {"that": "height", "name": "c", "over": "a", "m": 0, "tolerance_m": 0.03},
                         {"that": "height", "name": "c", "over": "a", "m": 1.5}])"),
      "f.json");
  const Report report = run(cases.front());
  ASSERT_EQ(report.expectations.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(report.expectations[i].passed) << i << report.expectations[i].found;
  }
  EXPECT_FALSE(report.expectations[4].passed);
}

TEST(Scenario, AMatrixMakesACaseOfEveryCombination) {
  const auto cases = parse_scenarios(
      with(R"("structure": [{"op": "column", "height": {"$": "h"}, "material": {"$": "m"}}],
              "matrix": {"h": [1, 3], "m": ["stone", "planks"]})"),
      "dir/f.json");
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[1].name, "f.json::f[h=1,m=planks]");
  EXPECT_EQ(cases[2].name, "f.json::f[h=3,m=stone]");
  EXPECT_EQ(make_plan(cases[3]).blocks.size(), 3u);
  EXPECT_NE(cases[0].hash, cases[1].hash);
}

TEST(Scenario, MessagesSayWhereAndWhat) {
  EXPECT_EQ(complaint("{\"talus\": 1,\n \"structur\": []}"),
            "f.json:2:2: /structur: unknown key 'structur': did you mean 'structure'?");
  EXPECT_EQ(complaint(with("\n\"structure\": [{\"op\": \"block\", \"size\": 40}]")),
            "f.json:2:39: /structure/0/size: must be a whole number from 1 to 16, got 40");
  EXPECT_NE(complaint(R"({"talus": 1, "terrain": {"preset": "hills", "seed": 9007199254740993}})")
                .find("/terrain/seed: must be a whole number from 0 to 4294967295, got "
                      "9007199254740993"),
            std::string::npos);
}

TEST(Scenario, TooLargeIsRefusedBeforeItIsBuilt) {
  const std::string box = R"("structure": [{"op": "box", "blocks": [10000, 10000, 10000]}])";
  EXPECT_NE(complaint(with(box)).find("too many blocks"), std::string::npos);
  std::string group = R"({"op": "block"})";
  for (int i = 0; i < 20; ++i) {
    group.insert(
        0, R"({"op": "group", "repeat": {"count": 1000000, "by": [0, 0, 0]}, "structure": [)");
    group += "]}";
  }
  EXPECT_NE(complaint(with("\"structure\": [" + group + "]")), "");
  EXPECT_NE(complaint(with(R"("structure": [{"op": "beam", "length": 1000000, "size": 16},
                              {"op": "beam", "cell": [0, 50, 0], "length": 1000000, "size": 16}])")),
            "");
  EXPECT_NE(complaint(with(R"("matrix": {"a": [1,2,3,4,5,6,7,8,9,10], "b": [1,2,3,4,5,6,7,8,9,10],
      "c": [1,2,3,4,5,6,7,8,9,10], "d": [1,2,3,4,5,6,7,8,9,10], "e": [1,2,3,4,5,6,7,8,9,10],
      "f": [1,2,3,4,5,6,7,8,9,10]})")),
            "");
}

TEST(Scenario, APieceOfAWideBoxIsRefusedBeforeItIsBuilt) {
  const std::string message = complaint(with(
      R"("pieces": [{"name": "a", "structure": [{"op": "block", "cell": [0, 9, 0],
         "repeat": {"count": 900, "by": [5, 5, 5]}}]}], "until": {"time_s": 1})"));
  EXPECT_NE(message.find("/pieces/0: a piece is 2248"), std::string::npos) << message;
}

/// Runs; the message where that fails.
std::string trouble(const std::string& text) {
  try {
    for (const Scenario& scenario : parse_scenarios(text, "f.json")) run(scenario);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 4);
    return error.what();
  }
  return "";
}

TEST(Scenario, GroundThatIsTooLargeToFallIsNamedWithItsSize) {
  const auto dig = [](const std::string& head, const std::string& radius) {
    return trouble(with(R"("settings": {"terrain_islands": true}, "until": {"time_s": 1}, "edits": [
        {"mode": "fill", "shape": "box", "center_m": [0, 5, 0], "half_size_m": [1.4, 9, 1.4]}, )" +
                        head + R"(], "script": [{"do": "dig", "brush": {"center_m": [0, 6, 0],
        "radius_m": )" + radius +
                        "}}]"));
  };
  const auto says = [](const std::string& message, const char* part) {
    return message.find("/script/0: at 0 s: ") != std::string::npos &&
           message.find(part) != std::string::npos;
  };
  const char* heavy = R"({"mode": "fill", "shape": "box", "center_m": [0, 40, 0],
      "half_size_m": [30, 28, 30]})";
  const char* wide = R"({"mode": "fill", "shape": "capsule", "center_m": [0, 12, 0],
      "end_m": [900, 600, 700], "radius_m": 2})";
  EXPECT_PRED2(says, dig(heavy, "3"), "cuts off 191");
  EXPECT_PRED2(says, dig(wide, "3"), "reaches over a box of 3");
  EXPECT_PRED2(says, dig(wide, "900"), "digs in a box of 59");
}

TEST(Scenario, WhatGrowsTooLargeToMoveIsToldWithItsTime) {
  const std::string message = trouble(with(
      R"("pieces": [{"name": "pole", "spin_rad_s": [2, 0, 2], "structure": [
         {"op": "column", "size": 8, "height": 500, "cell": [0, 2, 0]}]}], "until": {"time_s": 1})"));
  EXPECT_NE(message.find(": at 0."), std::string::npos) << message;
  EXPECT_NE(message.find(" s: a piece takes up"), std::string::npos) << message;
}

TEST(Scenario, EveryPrefixIsAnErrorOrASuccess) {
  const std::string text = content(TALUS_SOURCE_DIR "/scenarios/pillar.json");
  int refused = 0;
  for (std::size_t n = 0; n < text.size(); ++n) refused += !complaint(text.substr(0, n)).empty();
  EXPECT_GE(refused, static_cast<int>(text.size()) - 2);
}

TEST(Scenario, EverySingleCorruptionIsAnErrorOrASuccess) {
  const auto whole =
      nlohmann::ordered_json::parse(content(TALUS_SOURCE_DIR "/scenarios/pillar.json"));
  int refused = 0, tried = 0;
  const auto flat = whole.flatten();
  for (const auto& [path, value] : flat.items()) {
    for (const char* wrong : {"null", "-1", "1e300", "0.5", "\"\"", "[]", "{}", "true",
                              "99999999999999999999", "{\"$\": \"x\"}"}) {
      auto broken = whole;
      broken[nlohmann::ordered_json::json_pointer(path)] = nlohmann::ordered_json::parse(wrong);
      ++tried;
      refused += !complaint(broken.dump()).empty();
    }
  }
  EXPECT_GT(refused, tried / 2);
  EXPECT_LT(refused, tried);
}

TEST(Scenario, TheSchemaKnowsEveryKeyOfTheShippedOnes) {
  const auto schema = nlohmann::json::parse(scenario_schema());
  for (const std::string& path : shipped()) {
    const auto file = nlohmann::json::parse(content(path));
    for (const auto& [key, value] : file.items()) {
      EXPECT_TRUE(schema["properties"].contains(key)) << path << ": " << key;
    }
  }
}

}  // namespace
}  // namespace talus
