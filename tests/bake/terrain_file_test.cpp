#include "bake/terrain_file.h"

#include <gmock/gmock.h>

#include "bake/bake_fixture.h"

namespace talus {

namespace {

using testing::AllOf;
using testing::HasSubstr;

class TerrainFileTest : public BakeTest {
 protected:
  std::string error_in(const std::string& text) const {
    const std::string file = write("t.json", text);
    return error_of([&] { read_terrain_file(file); });
  }
};

const char* const kWhole = R"({  // a hill with a hole
  "preset": "flat", "seed": "4294967295", "parameters": {"level_m": 12},
  "edits": [
    {"dig": "sphere", "center_m": [1, 2, 3], "radius_m": 4},
    {"fill": "box", "center_m": [0, 20, 0], "size_m": [8, 2, 6]},
    {"dig": "capsule", "from_m": [0, 20, 0], "to_m": [60, 15, 0], "radius_m": 3}
  ]
})";

TEST_F(TerrainFileTest, EverythingArrives) {
  const TerrainFile file = read_terrain_file(write("t.json", kWhole));
  EXPECT_EQ(file.spec.preset, "flat");
  EXPECT_EQ(file.spec.seed, 4294967295u);
  ASSERT_EQ(file.edits.size(), 3u);
  EXPECT_EQ(file.edits[0].center, Vec3(1, 2, 3));
  EXPECT_EQ(file.edits[1].mode, Brush::Mode::Fill);
  EXPECT_EQ(file.edits[1].half_size, Vec3(4, 1, 3));
  EXPECT_EQ(file.edits[2].end, Vec3(60, 15, 0));
  EXPECT_EQ(make_terrain(file).preset->height(0, 0), 12);
}

TEST_F(TerrainFileTest, ErrorsNameThePlace) {
  EXPECT_THAT(error_in("{\n \"seed\": }"), HasSubstr("t.json:2:10: syntax error"));
  EXPECT_THAT(error_in(R"({"sed": 1})"), HasSubstr("did you mean 'seed'"));
  EXPECT_THAT(error_in(R"({"seed": 1, "seed": 2})"), HasSubstr("twice"));
  EXPECT_THAT(error_in(R"({"seed": -1})"), HasSubstr("/seed: must be a whole number"));
  EXPECT_THAT(error_in(R"({"seed": 1e999})"), HasSubstr("too large"));
  EXPECT_THAT(error_in(R"({"preset": "hils"})"), HasSubstr("'hills'"));
  EXPECT_THAT(error_in(R"({"parameters": {"cave_radius": 1e6}})"),
              HasSubstr("/parameters/cave_radius: must be a number from"));
  EXPECT_THAT(error_in(R"({"edits": [{"dig": "sphere", "center_m": [0, 0, 0]}]})"),
              HasSubstr("/edits/0: 'radius_m' is missing"));
  EXPECT_THAT(error_in(R"({"edits": [{"dig": "ball"}]})"), HasSubstr("/edits/0/dig: unknown"));
  EXPECT_THAT(
      error_in(R"({"edits": [{"dig": "box", "center_m": [0, "1", 0], "size_m": [1, 1, 1]}]})"),
      HasSubstr("/edits/0/center_m/1"));
  EXPECT_THAT(error_in("{\"edits\": " + std::string(5000, '[')), HasSubstr("nested"));
  EXPECT_THAT(error_in("[]"), HasSubstr("object"));
}

TEST_F(TerrainFileTest, EveryPrefixIsAnErrorNotACrash) {
  const std::string whole = kWhole;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(error_in(whole.substr(0, size)), "") << size;
  }
}

TEST_F(TerrainFileTest, HeightsArePlacedInAnyOrder) {
  const std::string csv = write("h.csv", "x,z,height\n0,0,1\n2,0,3\n0,2,5\n2,2,7\n");
  for (const bool file_first : {true, false}) {
    TerrainSpec spec;
    spec.preset = "heightmap";
    if (file_first) apply_setting(spec, "file=" + csv);
    apply_setting(spec, "origin_x_m=100");
    apply_setting(spec, "spacing_m=10");
    apply_setting(spec, "scale_m=2");
    if (!file_first) apply_setting(spec, "file=" + csv);
    const auto preset = make_preset(spec);
    EXPECT_EQ(preset->height(100, 0), 2);
    EXPECT_EQ(preset->height(105, 0), 4);
    EXPECT_EQ(preset->height(110, 10), 14);
  }
  const TerrainFile file = read_terrain_file(
      write("t.json", R"({"preset": "heightmap", "file": "h.csv", "origin_z_m": -2})"));
  EXPECT_EQ(make_terrain(file).preset->height(0, 0), 5);
}

TEST_F(TerrainFileTest, BadSettingsAreNamed) {
  const auto error = [](const std::string& preset, const std::string& setting) {
    TerrainSpec spec;
    spec.preset = preset;
    return error_of([&] { apply_setting(spec, setting); });
  };
  EXPECT_THAT(error("hills", "cave_radius"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(error("hills", "cave_radius=3x"), AllOf(HasSubstr("cave_radius"), HasSubstr("3x")));
  EXPECT_THAT(error("hills", "cave_radius=nan"), HasSubstr("number"));
  EXPECT_THAT(error("hills", "file=a.png"), HasSubstr("heightmap"));
  EXPECT_THAT(error("heightmap", "file=a.txt"), HasSubstr(".csv"));
  EXPECT_THAT(error("heightmap", "spacing_m=0"), HasSubstr("spacing_m"));
}

TEST_F(TerrainFileTest, TheLastSettingCounts) {
  TerrainSpec spec;
  apply_setting(spec, "cave_radius=1");
  apply_setting(spec, "cave_radius=2");
  ASSERT_EQ(spec.parameters.size(), 1u);
  EXPECT_EQ(spec.parameters[0].second, 2);
}

}  // namespace

}  // namespace talus
