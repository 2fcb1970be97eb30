// What scenarios take from other files, and single cuts.
#include <gmock/gmock.h>

#include "io/mesh_reader.h"
#include "scenario/scenario.h"
#include "structure/voxelise.h"
#include "support/temp_folder.h"
#include "voxel/shape.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

constexpr const char* kWedge =
    "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\n"
    "f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";

std::string with(const std::string& sections) {
  return R"({"talus": 1, "terrain": {"preset": "flat"}, )" + sections + "}";
}

std::string import(const std::string& file) {
  return with(R"("structure": [{"op": "import", "file": ")" + file + R"("}])");
}

/// Reads and plans; the message where that fails.
std::string complaint(const TempFolder& folder, const std::string& text) {
  return error_of([&] {
    for (const Scenario& s : parse_scenarios(text, folder.file("f.json"))) make_plan(s);
  });
}

TEST(Import, AMeshIsFilledWithBlocks) {
  const TempFolder folder;
  write_text(folder.file("wedge.obj"), kWedge);
  const Plan plan = make_plan(parse_scenarios(import("wedge.obj"), folder.file("f.json")).front());
  std::int64_t cells = 0;
  for (const Block& block : plan.blocks)
    cells += std::int64_t{block.size} * block.size * block.size;
  EXPECT_EQ(cells, voxelise(read_obj(folder.file("wedge.obj")), kCell).solid.count());
  EXPECT_GT(cells, 20);
}

TEST(Import, FilesMayImportFilesButNotThemselves) {
  const TempFolder folder;
  write_text(folder.file("wedge.obj"), kWedge);
  write_text(folder.file("a.json"),
             R"({"talus": 1, "structure": [{"op": "import", "file": "b.json", "cell": [0, 8, 0]},
                                           {"op": "block", "cell": [20, 0, 0]}]})");
  write_text(folder.file("b.json"),
             R"({"talus": 1, "structure": [{"op": "import", "file": "wedge.obj"}]})");
  EXPECT_EQ(complaint(folder, import("a.json")), "");
  write_text(folder.file("b.json"),
             R"({"talus": 1, "structure": [{"op": "import", "file": "a.json"}]})");
  EXPECT_THAT(complaint(folder, import("a.json")),
              HasSubstr("b.json:1:28: /structure/0: the file imports itself: a.json"));
}

TEST(Import, TheHashIsOneOfTheFilesToo) {
  const TempFolder folder;
  const auto hash = [&] {
    return parse_scenarios(import("a.json"), folder.file("f.json")).front().hash;
  };
  write_text(folder.file("a.json"), R"({"talus": 1, "structure": [{"op": "block"}]})");
  const std::string one = hash();
  EXPECT_EQ(hash(), one);
  write_text(folder.file("a.json"), R"({"talus": 1, "structure": [{"op": "block", "size": 2}]})");
  EXPECT_NE(hash(), one);
}

TEST(Import, WhatCannotBeUsedIsAnErrorWithThePlace) {
  const TempFolder folder;
  const std::string wedge = kWedge;
  write_text(folder.file("open.obj"), wedge.substr(0, wedge.rfind("f ")));
  write_text(folder.file("bad.json"), "{\"talus\": 1,\n \"structur\": []}");
  write_text(folder.file("empty.json"), R"({"talus": 1})");
  EXPECT_THAT(complaint(folder, import("none.json")),
              HasSubstr("f.json:1:59: /structure/0: cannot read"));
  EXPECT_THAT(complaint(folder, import("none.obj")), HasSubstr("f.json:1:59: /structure/0: "));
  EXPECT_THAT(complaint(folder, import("open.obj")),
              HasSubstr("/structure/0: open.obj: the mesh is not closed: 4 open edges"));
  EXPECT_THAT(complaint(folder, import("bad.json")), HasSubstr("bad.json:2:2: /structur: unknown"));
  EXPECT_NE(complaint(folder, import("empty.json")), "");
  EXPECT_THAT(complaint(folder, import("statue.stl")), HasSubstr("must be a .json, .obj or .glb"));
  EXPECT_NE(complaint(folder, import("")), "");
  EXPECT_NE(complaint(folder, import("/")), "");
}

TEST(Import, EveryPrefixOfAFileIsAnErrorOrASuccess) {
  const TempFolder folder;
  const std::string json = R"({"talus": 1, "structure": [{"op": "box", "blocks": [2, 2, 2]}]})";
  for (const auto& [name, whole] :
       {std::pair{"a.json", json}, std::pair{"a.obj", std::string(kWedge)}}) {
    int refused = 0;
    for (std::size_t n = 0; n < whole.size(); ++n) {
      write_text(folder.file(name), whole.substr(0, n));
      refused += !complaint(folder, import(name)).empty();
    }
    EXPECT_GE(refused, static_cast<int>(whole.size()) - 2) << name;
  }
}

TEST(Heights, StandBesideTheScenario) {
  const TempFolder folder;
  write_text(folder.file("h.csv"), "x,z,height\n0,0,5.2\n10,0,5.2\n0,10,5.2\n10,10,5.2\n");
  const auto text = [](const std::string& more) {
    return R"({"talus": 1, "terrain": {"preset": "heightmap", "file": "h.csv")" + more +
           R"(}, "site": {"on_surface_m": [4, 0, 4]}, "structure": [{"op": "block"}]})";
  };
  const Plan plan = make_plan(parse_scenarios(text(""), folder.file("f.json")).front());
  EXPECT_EQ(plan.site.y, 10);
  const Plan twice = make_plan(
      parse_scenarios(text(R"(, "parameters": {"scale_m": 2})"), folder.file("f.json")).front());
  EXPECT_EQ(twice.site.y, 20);
  write_text(folder.file("h.csv"), "x,z,height\n0,0,5\n");
  EXPECT_THAT(complaint(folder, text("")), HasSubstr("f.json:1:25: /terrain: "));
  write_text(folder.file("h.csv"), "");
  EXPECT_NE(complaint(folder, text("")), "");
}

TEST(Cuts, OfSingleEdges) {
  const TempFolder folder;
  const auto cuts_of = [&](const std::string& more) {
    const std::string text = with(R"("structure": [{"op": "block", "size": 2, )" + more + "}]");
    return make_plan(parse_scenarios(text, folder.file("f.json")).front()).blocks.at(0).cuts;
  };
  EXPECT_EQ(cuts_of(R"("cuts": {"-x+y": "ramp"})"), *named_cuts("ramp"));
  EXPECT_EQ(
      cuts_of(R"("cuts": {"-x-z": "round", "-x+z": "round", "+x-z": "round", "+x+z": "round"})"),
      *named_cuts("pillar"));
  EXPECT_EQ(cuts_of(R"("cuts": {"-x+y": "ramp"}, "turns": 2)"), turned(*named_cuts("ramp"), 2));
  EXPECT_EQ(cuts_of(R"("shape": "ramp", "cuts": {"+y-z": "bevel"})").at(edge_index(0, {0, 1, -1})),
            Cut::Bevel);
  EXPECT_THAT(
      complaint(folder,
                with(R"("structure": [{"op": "block", "cuts": {"-x-y": "ramp", "-x+y": "ramp",
                                "+x-y": "ramp", "+x+y": "ramp"}}])")),
      HasSubstr("% of the block"));
}

}  // namespace
}  // namespace talus
