#include <gmock/gmock.h>

#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

ProgramResult ask(const std::string& kind, const std::vector<std::string>& more,
                  const std::string& rows = "") {
  std::vector<std::string> arguments = {"query", kind};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, {.input = rows});
}

const std::vector<std::string> kPlain = {"--preset", "flat", "--set", "level_m=10.5"};

std::vector<std::string> on_plain(std::vector<std::string> more) {
  more.insert(more.end(), kPlain.begin(), kPlain.end());
  return more;
}

const std::string kColumn = TALUS_SOURCE_DIR "/scenarios/column.json";
std::vector<std::string> on_column(std::vector<std::string> more, const std::string& at) {
  for (const std::string& word : {std::string("--scenario"), kColumn, std::string("--case"),
                                  std::string("column[height=2]"), std::string("--at"), at}) {
    more.push_back(word);
  }
  return more;
}

TEST(CliQueryRay, OneRayTellsWhereAndWhat) {
  EXPECT_EQ(ask("ray", on_plain({"1.25,15,2.5,0,-2,0"})).out,
            "hit 1\ndistance_m 4.5\npx 1.25\npy 10.5\npz 2.5\nnx 0\nny 1\nnz 0\nwhat terrain\n");
  EXPECT_EQ(ask("ray", on_plain({"1.25,15,2.5,0,2,0"})).out, "hit 0\nwhat none\n");
  EXPECT_EQ(ask("ray", on_plain({"1.25,15,2.5,0,-2,0", "--reach", "4.4"})).out,
            "hit 0\nwhat none\n");
}

TEST(CliQueryRay, RowsAreAnsweredInTheirOrderHitOrNot) {
  EXPECT_EQ(ask("ray", on_plain({}), "id,x,y,z,dx,dy,dz\na,0,15,0,0,-1,0\nb,0,15,0,1,0,0\n").out,
            "id,x,y,z,dx,dy,dz,hit,distance_m,px,py,pz,nx,ny,nz,what\n"
            "a,0,15,0,0,-1,0,1,4.5,0,10.5,0,0,1,0,terrain\n"
            "b,0,15,0,1,0,0,0,,,,,,,,none\n");
}

TEST(CliQueryRay, AScenarioStandsAtTheStartAndHasFallenLater) {
  // foot 0 to 1 m, shaft 1 to 3 m; the foot goes at 0.1 s.
  EXPECT_THAT(ask("ray", on_column({"0.3,2.5,-9,0,0,1"}, "0")).out, HasSubstr("what standing"));
  EXPECT_EQ(ask("ray", on_column({"0.3,2.5,-9,0,0,1"}, "5")).out, "hit 0\nwhat none\n");
  EXPECT_THAT(ask("ray", on_column({"0.3,1.5,-9,0,0,1"}, "5")).out, HasSubstr("what shaft (0)"));
  EXPECT_THAT(ask("ray", on_column({"0.3,9,0.3,0,-1,0", "--all", "--json"}, "0")).out,
              HasSubstr("\"what\":\"terrain\"}\n]"));
}

TEST(CliQueryRay, EveryHitIsARow) {
  const std::string out =
      ask("ray", on_column({"--all"}, "0"), "x,y,z,dx,dy,dz\n0.3,2.3,-9,0,0,1\n").out;
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 3);  // header, in, out
}

TEST(CliQueryBox, TellsWhatItOverlaps) {
  EXPECT_THAT(ask("box", on_plain({"0,10,0,1,11,1"})).out, HasSubstr("what terrain"));
  EXPECT_EQ(ask("box", on_plain({"0,11,0,1,12,1"})).out, "hit 0\ntriangles 0\nwhat none\n");
  EXPECT_EQ(ask("box", on_plain({"0,1,0,1,2,1"})).out, "hit 1\ntriangles 0\nwhat terrain\n");
  EXPECT_THAT(ask("box", on_column({"0.2,-0.5,0.2,0.8,1.5,0.8"}, "0")).out,
              HasSubstr("what terrain;standing"));
  EXPECT_THAT(ask("box", on_column({"0.2,1.1,0.2,0.8,1.5,0.8"}, "5")).out,
              HasSubstr("what shaft (0)"));
}

TEST(CliQueryNearest, MeetsRubble) {
  EXPECT_THAT(ask("nearest", on_column({"0.5,3.25,0.5"}, "0")).out,
              HasSubstr("distance_m 0.25\nnx 0\nny 1\nnz 0\nwhat standing"));
  EXPECT_THAT(ask("nearest", on_column({"0.5,2.25,0.5"}, "5")).out, HasSubstr("what shaft (0)"));
}

TEST(CliQueryRay, WhatCannotBeAskedIsRefusedWithTheMend) {
  EXPECT_THAT(ask("ray", on_plain({"0,0,0,0,0,0"})).err, HasSubstr("must not be 0,0,0"));
  EXPECT_THAT(ask("box", on_plain({"0,0,0,-1,1,1"})).err, HasSubstr("least corner"));
  EXPECT_THAT(ask("ray", {"0,0,0,0,1,0", "--at", "3"}).err, HasSubstr("--at: goes with"));
  EXPECT_THAT(ask("ray", on_column({"0,0,0,0,1,0"}, "100")).err, HasSubstr("ends after 30 s"));
  EXPECT_THAT(ask("ray", {"0,0,0,0,1,0", "--scenario", kColumn}).err, HasSubstr("choose one"));
  EXPECT_EQ(ask("ray", on_plain({"0,0,0,0,0,0"})).exit_code, 2);
}

}  // namespace
}  // namespace talus
