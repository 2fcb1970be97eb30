#include "io/trajectory_reader.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "io/trajectory_writer.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Trajectory sample() {
  Trajectory t;
  t.scenario = "tower.json::tower[name=a, \"b\"]";
  t.scenario_hash = "0123456789abcdef";
  t.seed = 9007199254740993u;
  t.step_s = 1.0 / 120;
  t.gravity_m_s2 = 9.81;
  t.bodies.resize(2);
  t.bodies[0].name = "cube, the \"first\"\nof two";
  t.bodies[0].mass_kg = 2600;
  t.bodies[0].center_m = {0.5, 1.0 / 3, 0.25};
  t.bodies[0].inertia_kg_m2 = {1, 2, 3, 0.1, -0.2, 1e-17};
  t.bodies[0].blocks_by_material = {{"stone", 3}, {"ice", 1}};
  t.bodies[1].id = 1;
  t.bodies[1].born_s = 0.1;
  for (int i = 0; i < 4; ++i) {
    add_frame(t, 0.1 * i);
    append(t, 0, {Vec3(1.0 / 3, -i, 1e-7), {0, 0.6, 0, 0.8}, Vec3(0, -9.81, 0), Vec3(i), i == 3});
    if (i == 1 || i == 3) append(t, 1, {Vec3(i), {0, 0, 0, 1}, Vec3(0), Vec3(-0.0), false});
  }
  t.events.push_back({"first contact", 0.2, 1, Vec3(1, 2, 3), 4.5});
  t.events.push_back({"rested", 0.3, 0, Vec3(1), 0});
  return t;
}

std::string written(const Trajectory& t, const std::string& ending) {
  const TempFolder folder;
  write_trajectory(t, folder.file("a" + ending));
  return read_text(folder.file("a" + ending));
}

Trajectory parsed(const std::string& text, const std::string& ending) {
  return parse_trajectory(text, "f" + ending, trajectory_format("f" + ending, text));
}

/// Rows as bits: -0 is not 0.
void expect_same_rows(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.t_s, b.t_s);
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (std::size_t i = 0; i < a.bodies.size(); ++i) {
    EXPECT_EQ(a.bodies[i].id, b.bodies[i].id);
    EXPECT_EQ(a.bodies[i].name, b.bodies[i].name);
    EXPECT_EQ(a.bodies[i].mass_kg, b.bodies[i].mass_kg);
    EXPECT_EQ(a.bodies[i].frame, b.bodies[i].frame);
  }
  EXPECT_FALSE(first_parting(a, b));
}

TEST(TrajectoryReader, ReadingWhatWasWrittenGivesTheSame) {
  const Trajectory t = sample();
  for (const char* ending : {".json", ".jsonl", ".csv"}) {
    SCOPED_TRACE(ending);
    const std::string text = written(t, ending);
    const Trajectory back = parsed(text, ending);
    EXPECT_EQ(back.scenario, t.scenario);
    expect_same_rows(back, t);
    EXPECT_EQ(written(back, ending), text);
  }
  const Trajectory back = parsed(written(t, ".json"), ".json");
  EXPECT_EQ(hash(back), hash(t));
  EXPECT_EQ(back.seed, t.seed);
  EXPECT_EQ(back.scenario_hash, t.scenario_hash);
  EXPECT_EQ(back.step_s, t.step_s);
  EXPECT_EQ(back.gravity_m_s2, t.gravity_m_s2);
  EXPECT_EQ(back.bodies[0].inertia_kg_m2, t.bodies[0].inertia_kg_m2);
  EXPECT_FALSE(back.bodies[1].inertia_kg_m2);
  EXPECT_EQ(back.bodies[0].center_m, t.bodies[0].center_m);
  EXPECT_EQ(back.bodies[0].blocks_by_material, t.bodies[0].blocks_by_material);
}

TEST(TrajectoryReader, FormatsAreKnownByTheirBeginning) {
  const Trajectory t = sample();
  EXPECT_EQ(trajectory_format("-", written(t, ".json")), TrajectoryFormat::Json);
  EXPECT_EQ(trajectory_format("-", written(t, ".jsonl")), TrajectoryFormat::JsonLines);
  EXPECT_EQ(trajectory_format("-", written(t, ".csv")), TrajectoryFormat::Csv);
}

TEST(TrajectoryReader, FramesWithoutARowGetTimesBetween) {
  Trajectory t = sample();
  t.bodies.erase(t.bodies.begin());
  t.events.clear();
  const Trajectory back = parsed(written(t, ".csv"), ".csv");
  ASSERT_EQ(back.t_s.size(), 4u);
  EXPECT_EQ(back.t_s[0], 0);
  EXPECT_EQ(back.t_s[1], 0.1);
  EXPECT_DOUBLE_EQ(back.t_s[2], 0.2);
  EXPECT_EQ(back.bodies[0].frame, t.bodies[0].frame);
}

TEST(TrajectoryReader, EveryTruncatedPrefixIsAnErrorOrAWholeNumberOfRows) {
  const Trajectory t = sample();
  for (const char* ending : {".json", ".jsonl", ".csv"}) {
    const std::string text = written(t, ending);
    for (std::size_t length = 0; length < text.size(); ++length) {
      const std::string prefix = text.substr(0, length);
      const std::string error = error_of([&] { parsed(prefix, ending); });
      if (ending == std::string(".json")) {
        // All but the last line's end.
        if (length + 1 < text.size()) {
          EXPECT_THAT(error, HasSubstr("f.json:")) << length;
        }
      } else if (!error.empty()) {
        EXPECT_THAT(error, HasSubstr(std::string("f") + ending + ":")) << length;
      }
    }
  }
}

TEST(TrajectoryReader, EveryBrokenFieldOfADocumentIsAnErrorWithItsPlace) {
  using Json = nlohmann::json;
  const Json whole = Json::parse(written(sample(), ".json"));
  const std::vector<Json> wrong = {nullptr,
                                   true,
                                   -1,
                                   1.5,
                                   1e300,
                                   "x",
                                   Json::array(),
                                   Json::object(),
                                   Json::parse("[[[[]]]]"),
                                   Json::parse("[{}]")};
  std::vector<Json::json_pointer> places;
  const Json flat = whole.flatten();
  for (const auto& item : flat.items()) {
    for (Json::json_pointer p(item.key()); !p.empty(); p.pop_back()) places.push_back(p);
  }
  int errors = 0;
  for (const auto& place : places) {
    for (const Json& value : wrong) {
      Json broken = whole;
      broken[place] = value;
      const std::string error = error_of([&] { parsed(broken.dump(), ".json"); });
      EXPECT_THAT(error, AnyOf(IsEmpty(), HasSubstr("f.json:")));
      errors += !error.empty();
    }
    if (!whole.at(place.parent_pointer()).is_object()) continue;
    Json broken = whole;
    broken[place.parent_pointer()].erase(place.back());
    const std::string error = error_of([&] { parsed(broken.dump(), ".json"); });
    const std::string path = place.to_string();
    const bool optional = path.ends_with("inertia_kg_m2") || path == "/gravity_m_s2" ||
                          path == "/generator" || path == "/units" || path == "/up" ||
                          path.find("/blocks/") != std::string::npos;
    EXPECT_EQ(error.empty(), optional) << path << ": " << error;
  }
  EXPECT_GT(errors, static_cast<int>(places.size()) * 5);
}

TEST(TrajectoryReader, ComplaintsNameLineAndColumn) {
  const std::string csv = written(sample(), ".csv");
  const auto first_row = csv.find('\n') + 1;
  const auto complaint = [&](std::string text, const std::string& ending = ".csv") {
    return error_of([&] { parsed(text, ending); });
  };
  EXPECT_THAT(complaint(""), HasSubstr("f.csv:1: "));
  EXPECT_THAT(complaint("a,b\n"), HasSubstr("no column 'case'"));
  EXPECT_THAT(complaint(csv.substr(0, first_row) + "a,0,0\n"), HasSubstr("f.csv:2: 3 fields"));
  const std::string row = "a,0,0,0,n,1,1,1,1,0,0,0,1,0,0,0,0,0,0,0\n";
  EXPECT_EQ(complaint(csv.substr(0, first_row) + row), "");
  EXPECT_THAT(complaint(csv.substr(0, first_row) + row + row), HasSubstr("f.csv:3: frame: 0"));
  for (const char* bad : {"nan", "inf", "1e999", "", "1,5"}) {
    std::string broken = row;
    broken.replace(broken.find(",n,1,") + 3, 1, bad);
    EXPECT_THAT(complaint(csv.substr(0, first_row) + broken), HasSubstr("f.csv:2: ")) << bad;
  }
  std::string far = row;
  far.replace(2, 1, "999999999999");
  EXPECT_THAT(complaint(csv.substr(0, first_row) + far), HasSubstr("f.csv:2: frame"));
  EXPECT_THAT(complaint("{}\n", ".jsonl"), HasSubstr("f.jsonl:1: needs the key"));
  EXPECT_THAT(complaint("\n", ".jsonl"), HasSubstr("f.jsonl:1: not a JSON object"));
  EXPECT_THAT(complaint(std::string(100000, '['), ".jsonl"), HasSubstr("f.jsonl:1"));
  EXPECT_THAT(complaint(std::string(100000, '['), ".json"), HasSubstr("f.json: "));
  EXPECT_THAT(complaint("{\"x\":" + std::string(100000, '['), ".json"), HasSubstr("too deep"));
  EXPECT_THAT(complaint("{\n  \"format\": oops", ".json"), HasSubstr("f.json:2:"));
  EXPECT_THAT(complaint("{\"step_s\": 1e999}", ".json"), HasSubstr("f.json:1:"));
}

}  // namespace
}  // namespace talus
