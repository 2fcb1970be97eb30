#include <gmock/gmock.h>

#include "support/program.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

// On a plain at 10.5 m: a ball of half a metre is stopped with its centre at 11 m.
ProgramResult ask(const std::vector<std::string>& more, const std::string& rows = "") {
  std::vector<std::string> arguments = {"query", "sweep", "--preset",
                                        "flat",  "--set", "level_m=10.5"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments, {.input = rows});
}

TEST(CliQuerySweep, OneSweepTellsWhenWhereAndWithWhat) {
  EXPECT_EQ(ask({"1.25,15,2.5,1.25,7,2.5,0.5"}).out,
            "hit 1\ntime 0.5\npx 1.25\npy 10.5\npz 2.5\nnx 0\nny 1\nnz 0\nfeature face\n"
            "what terrain\n");
}

TEST(CliQuerySweep, RowsAreAnsweredInTheirOrderHitOrNot) {
  EXPECT_EQ(ask({},
                "id,x0,y0,z0,x1,y1,z1,radius\na,1.25,15,2.5,1.25,7,2.5,0.5\n"
                "b,1.25,15,2.5,1.25,12,2.5,0.5\n")
                .out,
            "id,x0,y0,z0,x1,y1,z1,radius,hit,time,px,py,pz,nx,ny,nz,feature,what\n"
            "a,1.25,15,2.5,1.25,7,2.5,0.5,1,0.5,1.25,10.5,2.5,0,1,0,face,terrain\n"
            "b,1.25,15,2.5,1.25,12,2.5,0.5,0,,,,,,,,,none\n");
}

TEST(CliQuerySweep, WhatCannotBeSweptIsRefusedWithTheMend) {
  EXPECT_THAT(ask({"0,13,0,0,5,0,0"}).err, HasSubstr("radius: must be over 0"));
  EXPECT_THAT(ask({"0,13,0,0,5,1e8,1"}).err, HasSubstr("cut it into several"));
  EXPECT_THAT(ask({"0,13,0,0,5,0,1", "--mesh", "nothing.glb"}).err, HasSubstr("nothing.glb"));
  EXPECT_EQ(ask({"0,13,0,0,5,0,-1"}).exit_code, 2);
}

}  // namespace
}  // namespace talus
