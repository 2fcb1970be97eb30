// Broken scenario files: whatever is in them, reading and planning ends soon, in an Error or well.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "scenario/scenario.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

/// Reads and plans. Errors must say where.
std::string complaint(const std::string& text) {
  std::string error = error_of([&] {
    for (const Scenario& scenario : parse_scenarios(text, "f.json")) make_plan(scenario);
  });
  EXPECT_THAT(error, AnyOf(IsEmpty(), StartsWith("f.json:"))) << text;
  return error;
}

std::string shipped(const char* name) {
  return read_text(std::string(TALUS_SOURCE_DIR "/scenarios/") + name);
}

std::vector<Json::json_pointer> places_in(const Json& whole) {
  std::vector<Json::json_pointer> places;
  const Json flat = whole.flatten();
  for (const auto& item : flat.items()) {
    for (Json::json_pointer p(item.key()); !p.empty(); p.pop_back()) places.push_back(p);
  }
  return places;
}

TEST(HostileScenario, EveryTruncatedPrefixIsAnError) {
  const std::string text = shipped("undermined_wall.json");
  const std::size_t end = text.rfind('}');
  for (std::size_t length = 0; length <= end; ++length) {
    EXPECT_NE(complaint(text.substr(0, length)), "") << length;
  }
}

TEST(HostileScenario, EverySingleCorruptionIsAnErrorOrASuccess) {
  const std::vector<Json> wrong = {nullptr,
                                   true,
                                   "NaN",
                                   "",
                                   std::string(5000, 'x'),
                                   0,
                                   -1,
                                   0.5,
                                   -1e300,
                                   1e300,
                                   9007199254740993,
                                   Json::array(),
                                   Json::object(),
                                   Json::parse(R"([1, 2, 3])"),
                                   Json::parse(R"({"$": "nothing"})")};
  for (const char* name : {"undermined_wall.json", "pillar.json"}) {
    const Json whole = Json::parse(shipped(name));
    for (const auto& place : places_in(whole)) {
      for (const Json& value : wrong) {
        Json broken = whole;
        broken[place] = value;
        complaint(broken.dump());
      }
      if (!whole.at(place.parent_pointer()).is_object()) continue;
      Json without = whole;
      without[place.parent_pointer()].erase(place.back());
      complaint(without.dump());
      without[place.parent_pointer()][place.back() + "x"] = whole[place];
      EXPECT_NE(complaint(without.dump()), "") << place.to_string();
    }
  }
}

TEST(HostileScenario, LimitsAreNamedBeforeMemoryIsTaken) {
  const auto with = [](const std::string& sections) {
    return "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"}, " + sections + "}";
  };
  EXPECT_THAT(complaint(with(R"("structure": [{"op": "box", "blocks": [10000, 10000, 10000]}])")),
              HasSubstr("too many blocks: a scenario may have 4000000"));
  std::string nested = R"({"op": "block"})";
  for (int i = 0; i < 12; ++i) {
    nested.insert(0, R"({"op": "group", "count": 10, "by": [0, 1, 0], "structure": [)");
    nested += "]}";
  }
  EXPECT_NE(complaint(with("\"structure\": [" + nested + "]")), "");
  EXPECT_THAT(complaint(std::string(100000, '[')), HasSubstr("nested over 100 deep"));
  EXPECT_THAT(complaint(std::string(100000, '{')), HasSubstr("f.json:1:2"));
  EXPECT_THAT(complaint(with(R"("until": {"time_s": 1e999})")), HasSubstr("/until/time_s"));
  EXPECT_THAT(complaint(with(R"("until": {}, "until": {})")), HasSubstr("twice"));
  EXPECT_THAT(
      complaint(R"({"talus": 1, "terrain": {"preset": "hills", "seed": 9007199254740993}})"),
      HasSubstr("9007199254740993"));
  EXPECT_THAT(complaint(with(R"("matrix": {"a": [1,2,3,4,5,6,7,8,9,10], "b": [1,2,3,4,5,6,7,8,9,10],
      "c": [1,2,3,4,5,6,7,8,9,10], "d": [1,2,3,4,5,6,7,8,9,10], "e": [1,2,3,4,5,6,7,8,9,10],
      "f": [1,2,3,4,5,6,7,8,9,10]})")),
              HasSubstr("too many cases"));
}

}  // namespace
}  // namespace talus
