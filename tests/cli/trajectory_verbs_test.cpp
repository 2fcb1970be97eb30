#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "io/trajectory_writer.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Json = nlohmann::json;

Trajectory sliding(double speed) {
  Trajectory t;
  t.scenario = "slide.json::slide";
  t.step_s = 0.1;
  t.gravity_m_s2 = 10;
  t.bodies.resize(1);
  t.bodies[0].name = "sled";
  t.bodies[0].mass_kg = 2;
  t.bodies[0].inertia_kg_m2 = {1, 1, 1, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    add_frame(t, 0.5 * i);
    const double v = i < 2 ? 2 : speed;
    append(t, 0, {Vec3(i, 1, 0), {0, 0, 0, 1}, Vec3(v, 0, 0), Vec3(0), false});
  }
  return t;
}

class CliTrajectories : public testing::Test {
 protected:
  CliTrajectories() {
    for (const char* ending : {"json", "jsonl", "csv"}) {
      write_trajectory(sliding(2), folder_.file(std::string("a.") + ending));
      write_trajectory(sliding(2.5), folder_.file(std::string("b.") + ending));
    }
  }
  ProgramResult talus(const std::vector<std::string>& arguments, const std::string& input = "") {
    return run_program(arguments, {.input = input, .folder = folder_.path()});
  }
  TempFolder folder_;
};

TEST_F(CliTrajectories, InspectShowsATableOfBodies) {
  for (const char* file : {"a.json", "a.jsonl", "a.csv"}) {
    const ProgramResult run = talus({"inspect", file});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith("slide.json::slide: 1 body, 4 frames from 0 to 1.5 s"));
    EXPECT_THAT(run.out, HasSubstr("sled        2   0.000          -       -   3.000    2.000"));
    const Json json = Json::parse(talus({"inspect", file, "--json"}).out);
    EXPECT_EQ(json["bodies"][0]["path_m"], 3);
    EXPECT_EQ(json["bodies"][0]["final_position_m"], Json({3.0, 1.0, 0.0}));
    EXPECT_EQ(json["bodies"][0]["rest_s"], Json());
  }
}

TEST_F(CliTrajectories, InspectGivesEnergyOverTime) {
  const std::string head = "time_s,translational_j,rotational_j,potential_j,total_j\n";
  EXPECT_THAT(talus({"inspect", "a.json", "--energy"}).out,
              StartsWith(head + "0,4,0,20,24\n0.5,4,0,20,24\n"));
  EXPECT_THAT(talus({"inspect", "a.csv", "--energy"}).out, StartsWith(head + "0,4,,,\n"));
}

TEST_F(CliTrajectories, InspectConvertsBetweenFormats) {
  const ProgramResult run = talus({"inspect", "a.json", "-o", "c.csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_EQ(read_text(folder_.file("c.csv")), read_text(folder_.file("a.csv")));
  talus({"inspect", "a.csv", "-o", "c.jsonl"});
  EXPECT_EQ(read_text(folder_.file("c.jsonl")), read_text(folder_.file("a.jsonl")));
  EXPECT_EQ(talus({"inspect", "a.csv", "-o", "c.glb"}).exit_code, 2);
  EXPECT_EQ(talus({"inspect", "-"}, read_text(folder_.file("a.jsonl"))).exit_code, 0);
}

TEST_F(CliTrajectories, InspectRefusesBrokenOnes) {
  write_text(folder_.file("broken.json"), "{\"format\": \"talus trajectory\"}");
  const ProgramResult run = talus({"inspect", "broken.json"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("broken.json: /: needs the key"));
  EXPECT_EQ(talus({"inspect", "a.json", "b.json"}).exit_code, 2);
  EXPECT_EQ(talus({"inspect", "a.json", "--require", "closed"}).exit_code, 2);
}

TEST_F(CliTrajectories, DiffFindsTheFirstFrameAndBody) {
  EXPECT_EQ(talus({"diff", "a.json", "a.csv"}).exit_code, 0);
  const ProgramResult run = talus({"diff", "a.json", "b.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "frame 2 (1 s): body 0 'sled': linear velocity differs by 0.5 m/s\n");
  const Json json = Json::parse(talus({"diff", "a.json", "b.csv", "--json"}).out);
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["frame"], 2);
  EXPECT_EQ(json["name"], "sled");
  EXPECT_EQ(json["difference"], 0.5);
  EXPECT_EQ(talus({"diff", "a.json", "b.json", "--velocity", "0.5"}).exit_code, 0);
  EXPECT_EQ(talus({"diff", "a.json", "b.json", "--velocity", "-1"}).exit_code, 2);
  EXPECT_EQ(talus({"diff", "a.json", "nothing.json"}).exit_code, 2);
  EXPECT_EQ(talus({"diff", "a.json"}).exit_code, 2);
}

}  // namespace
}  // namespace talus
