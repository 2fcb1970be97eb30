#include "scenario/cases.h"

#include <set>

#include <gmock/gmock.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kMatrix = R"({"talus": 1, "about": {"$": "text"},
  "matrix": {"text": ["a/b", "c"], "on": [true, false]}})";

TEST(Cases, PatternsNameWholeOrShortNames) {
  const std::string name = "tower.json::tower[height=4,wood=oak]";
  for (const char* yes : {"tower.json::tower[height=4,wood=oak]", "tower[height=4,wood=oak]", "*",
                          "tower*", "*oak]", "tower[height=?,*", "*height=4*", "tower.json::*"}) {
    EXPECT_TRUE(names_case(yes, name)) << yes;
  }
  for (const char* no : {"", "tower", "tower.json", "height=4", "*oak", "[th]*", "TOWER*", "?"}) {
    EXPECT_FALSE(names_case(no, name)) << no;
  }
  EXPECT_FALSE(names_case(std::string(500, '*') + "x", std::string(5000, 'y')));
}

TEST(Cases, FoldersGiveTheirJsonFilesByName) {
  const TempFolder folder;
  for (const char* name : {"b.json", "a.json", "c.txt"}) write_text(folder.file(name), "");
  const std::vector<std::string> paths = {folder.path(), folder.file("c.txt")};
  EXPECT_THAT(scenario_files(paths),
              ElementsAre(folder.file("a.json"), folder.file("b.json"), folder.file("c.txt")));
  const std::vector<std::string> nothing = {folder.file("nothing")};
  EXPECT_THAT(error_of([&] { scenario_files(nothing); }), HasSubstr("nothing: there is no"));
}

TEST(Cases, AreChosenByNameAndKnowTheirParameters) {
  const TempFolder folder;
  write_text(folder.file("m.json"), kMatrix);
  EXPECT_EQ(read_cases(folder.file("m.json"), {}).cases.size(), 4u);
  const std::vector<std::string> patterns = {"*on=true*", "m[text=c,*"};
  const CaseFile file = read_cases(folder.file("m.json"), patterns);
  ASSERT_EQ(file.cases.size(), 3u);
  EXPECT_EQ(file.text, kMatrix);
  EXPECT_EQ(file.cases[0].name, "m.json::m[text=a/b,on=true]");
  EXPECT_EQ(file.cases[0].parameters[0].json, "\"a/b\"");
  EXPECT_EQ(file.cases[0].parameters[1].json, "true");
}

TEST(Cases, FileStemsArePlainAndDiffer) {
  std::set<std::string> stems;
  for (const Scenario& scenario : parse_scenarios(kMatrix, "m.json")) {
    const std::string stem = file_stem(scenario);
    EXPECT_EQ(stem.find_first_of("/[]*? "), std::string::npos) << stem;
    stems.insert(stem);
  }
  EXPECT_EQ(stems.size(), 4u);
  EXPECT_EQ(stems.count("m-text=c,on=true"), 1u);
}

}  // namespace
}  // namespace talus
