// The JSON Schema before a validator of others (ajv): it takes what the reader takes.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "scenario/scenario.h"
#include "support/temp_folder.h"
#include "support/validate.h"

namespace talus {
namespace {

ToolResult check(const TempFolder& folder, const std::string& wanted, const std::string& files) {
  write_text(folder.file("schema.json"), scenario_schema());
  return run_tool("validate_schema.mjs", folder.file("schema.json") + " " + wanted + " " + files);
}

std::string with(const std::string& sections) {
  return R"({"talus": 1, "terrain": {"preset": "flat"}, )" + sections + "}";
}

TEST(Schema, TakesEveryShippedScenario) {
  const TempFolder folder;
  std::string files;
  for (const auto& entry : std::filesystem::directory_iterator(TALUS_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".json") files += " " + entry.path().string();
  }
  const ToolResult result = check(folder, "valid", files);
  EXPECT_TRUE(result.content) << result.text;
}

TEST(Schema, TakesEveryKeyThatTheReaderTakes) {
  const TempFolder folder;
  const std::vector<std::string> good{
      with(
          R"("structure": [{"op": "block", "cuts": {"+x+y": "round", "-y-z": "ramp"}, "turns": 1}])"),
      with(R"("structure": [{"op": "column", "height": {"$": "h"}}], "matrix": {"h": [1, 2]})"),
      with(R"("site": {"on_surface_m": [1, 0, 2]}, "until": {"time_s": 1, "at_rest": false})"),
      with(
          R"("settings": {"preset": "classic", "classic": {"friction": 0.2}}, "record": {"every_s": 0.1})"),
      with(R"("edits": [{"mode": "dig", "center_m": [0, 0, 0], "radius_m": 2}])"),
  };
  std::string files;
  for (std::size_t i = 0; i < good.size(); ++i) {
    EXPECT_EQ(error_of([&] { parse_scenarios(good[i], "f.json"); }), "");
    write_text(folder.file(std::to_string(i) + ".json"), good[i]);
    files += " " + folder.file(std::to_string(i) + ".json");
  }
  // What needs a file beside it is known to the schema without one.
  write_text(folder.file("a.json"),
             with(R"("structure": [{"op": "import", "file": "x.obj", "cell_m": 0.1}])"));
  write_text(
      folder.file("b.json"),
      R"({"talus": 1, "terrain": {"preset": "heightmap", "file": "h.png", "spacing_m": 2}})");
  files += " " + folder.file("a.json") + " " + folder.file("b.json");
  const ToolResult result = check(folder, "valid", files);
  EXPECT_TRUE(result.content) << result.text;
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  const TempFolder folder;
  const std::vector<std::string> broken{
      "[]",
      "{}",
      R"({"talus": 2})",
      R"({"talus": 1, "terrain": {"preset": "hils"}})",
      R"({"talus": 1, "terrain": {"preset": "flat", "seed": -1}})",
      R"({"talus": 1, "terrain": {"preset": "slope", "parameters": {"rise_x_deg": "20"}}})",
      R"({"talus": 1, "terrain": {"preset": "heightmap"}})",
      with(R"("structur": [])"),
      with(R"("structure": {})"),
      with(R"("structure": [{"op": "blok"}])"),
      with(R"("structure": [{"op": "block", "size": 40}])"),
      with(R"("structure": [{"op": "block", "size": 1.5}])"),
      with(R"("structure": [{"op": "block", "cell": [0, 0]}])"),
      with(R"("structure": [{"op": "block", "cuts": {"+x+x": "round"}}])"),
      with(R"("structure": [{"op": "block", "cuts": {"+x+y": "square"}}])"),
      with(R"("structure": [{"op": "box"}])"),
      with(R"("structure": [{"op": "import"}])"),
      with(R"("structure": [{"op": "group", "structure": []}])"),
      with(R"("structure": [{"op": "group", "structure": [{"op": "beam"}]}])"),
      with(R"("script": [{"do": "remove", "when": {"time": 1}, "name": "a"}])"),
      with(R"("script": [{"do": "explode"}])"),
      with(R"("expect": [{"that": "mass", "name": "a"}])"),
      with(R"("expect": [{"that": "at_rest", "by_s": -1}])"),
      with(R"("materials": [{"name": "a", "density_kg_m3": 1, "color": "red"}])"),
      with(R"("settings": {"preset": "quick"})"),
      with(R"("record": {"every_s": 0})"),
      with(R"("matrix": {"a": []})"),
      with(R"("matrix": {"a": [null]})"),
  };
  std::string files;
  for (std::size_t i = 0; i < broken.size(); ++i) {
    EXPECT_NE(error_of([&] { parse_scenarios(broken[i], "f.json"); }), "") << broken[i];
    write_text(folder.file(std::to_string(i) + ".json"), broken[i]);
    files += " " + folder.file(std::to_string(i) + ".json");
  }
  const ToolResult result = check(folder, "invalid", files);
  EXPECT_TRUE(result.content) << result.text;
}

}  // namespace
}  // namespace talus
