#include "io/trajectory_writer.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace talus {
namespace {

std::string in_temp(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / ("talus_trajectory_" + name)).string();
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Trajectory small() {
  Trajectory t;
  t.scenario = "a, \"b\"";
  t.seed = 9007199254740993u;
  t.step_s = 1.0 / 120;
  t.bodies.resize(2);
  t.bodies[0].name = "cube";
  t.bodies[0].mass_kg = 2600;
  t.bodies[0].blocks_by_material = {{"stone", 1}};
  t.bodies[1].id = 1;
  for (int i = 0; i < 3; ++i) {
    add_frame(t, 0.1 * i);
    append(t, 0, {Vec3(1.0 / 3, -i, 1e-7), {0, 0, 0, 1}, Vec3(0, -9.81, 0), Vec3(0), i == 2});
    if (i > 0) append(t, 1, {Vec3(i), {0, 0, 0, 1}, Vec3(0), Vec3(0), false});
  }
  t.events.push_back({"rested", 0.2, 0, Vec3(1), 0});
  return t;
}

TEST(TrajectoryWriter, JsonReadsBackToTheSameBits) {
  const Trajectory t = small();
  const std::string path = in_temp("a.json");
  write_trajectory(t, path);
  const auto j = nlohmann::json::parse(content(path));
  EXPECT_EQ(j["seed"], "9007199254740993");
  EXPECT_EQ(j["scenario"], t.scenario);
  ASSERT_EQ(j["bodies"].size(), 2u);
  const auto& body = j["bodies"][0];
  ASSERT_EQ(body["position_m"].size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(body["position_m"][i][0].get<double>(), t.bodies[0].position_m[i].x);
    EXPECT_EQ(body["t_s"][i].get<double>(), t.t_s[i]);
  }
  EXPECT_EQ(body["asleep"][2], true);
  EXPECT_EQ(j["bodies"][1]["frame"][0], 1);
  EXPECT_EQ(j["events"][0]["kind"], "rested");
}

TEST(TrajectoryWriter, RowsAreOneABodyAndFrame) {
  write_trajectory(small(), in_temp("a.jsonl"));
  std::istringstream lines(content(in_temp("a.jsonl")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto row = nlohmann::json::parse(line);
    EXPECT_EQ(row["case"], "a, \"b\"");
    EXPECT_TRUE(row.contains("wz_rad_s"));
  }
  EXPECT_EQ(count, 5);
  write_trajectory(small(), in_temp("a.csv"));
  const std::string csv = content(in_temp("a.csv"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 6);
  EXPECT_NE(
      csv.find("\"a, \"\"b\"\"\",0,0,0,cube,2600,0.3333333333333333,0,1e-07,0,0,0,1,0,-9.81,0"),
      std::string::npos);
}

TEST(TrajectoryWriter, NothingIsWrittenWithANumberThatIsNotFinite) {
  Trajectory t = small();
  t.bodies[0].position_m[1].x = std::nan("");
  for (const char* name : {"nan.json", "nan.jsonl", "nan.csv"}) {
    std::filesystem::remove(in_temp(name));
    EXPECT_THROW(write_trajectory(t, in_temp(name)), Error);
    EXPECT_FALSE(std::filesystem::exists(in_temp(name)));
  }
  t = small();
  t.events[0].speed_m_s = std::nan("");
  EXPECT_THROW(write_trajectory(t, in_temp("nan.json")), Error);
  EXPECT_THROW(write_trajectory(small(), in_temp("a.txt")), Error);
}

}  // namespace
}  // namespace talus
