#include <gmock/gmock.h>

#include "scenario/scenario.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A cube of 4, its corner at the origin, with the faces given as squares.
constexpr const char* kCube =
    "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 4 4 0\nv 0 0 4\nv 4 0 4\nv 0 4 4\nv 4 4 4\n"
    "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

TEST(CliImport, MakesAStructureThatAScenarioBuilds) {
  const TempFolder folder;
  write_text(folder.file("cube.obj"), kCube);
  const ProgramResult run = run_program(
      {"import", "cube.obj", "-o", "cube.json", "--material", "bricks", "--largest", "4"},
      {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, HasSubstr("512 cells, 8 blocks in 1 boxes"));
  write_text(folder.file("s.json"),
             R"({"talus": 1, "terrain": {"preset": "flat"}, "structure": [
                 {"op": "import", "file": "cube.json", "name": "cube", "cell": [10, 0, 0]}]})");
  const auto cases = read_scenarios(folder.file("s.json"));
  const Plan plan = make_plan(cases.front());
  ASSERT_EQ(plan.blocks.size(), 8u);
  EXPECT_EQ(plan.blocks[0], (Block{{10, 0, 0}, 4, 1, {}}));
  EXPECT_EQ(plan.parts.at("cube").size(), 8u);
}

TEST(CliImport, StdoutCellAndOrigin) {
  const TempFolder folder;
  write_text(folder.file("cube.obj"), std::string("# origin -100 50 0\n") + kCube);
  const ProgramResult there = run_program({"import", folder.file("cube.obj"), "-o", "-", "-q"});
  EXPECT_EQ(there.exit_code, 0) << there.err;
  EXPECT_THAT(there.err, IsEmpty());
  EXPECT_THAT(there.out, HasSubstr(R"("cell": [-200, 100, 0], "size": 8, "blocks": [1, 1, 1])"));
  const ProgramResult here =
      run_program({"import", folder.file("cube.obj"), "-o", "-", "--to-origin", "--cell", "2"});
  EXPECT_THAT(here.out, HasSubstr(R"("cell": [0, 0, 0], "size": 2, "blocks": [1, 1, 1])"));
}

TEST(CliImport, BadInputIsAMessageAndExitCode2) {
  const TempFolder folder;
  const std::string mesh = folder.file("cube.obj"), out = folder.file("o.json");
  write_text(mesh, kCube);
  const std::string whole = kCube;
  write_text(folder.file("open.obj"), whole.substr(0, whole.rfind("f ")));
  const auto failed = [&](std::vector<std::string> arguments, const char* message) {
    arguments.insert(arguments.begin(), "import");
    const ProgramResult run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.err, HasSubstr(message));
  };
  failed({folder.file("open.obj"), "-o", out}, "open.obj: the mesh is not closed: 4 open edges");
  failed({folder.file("none.obj"), "-o", out}, "none.obj");
  failed({mesh, "-o", out, "--cell", "0"}, "--cell");
  failed({mesh, "-o", out, "--cell", "0.0001"}, "take a larger cell");
  failed({mesh, "-o", out, "--cell", "100"}, "take a smaller --cell");
  failed({mesh, "-o", out, "--largest", "17"}, "--largest");
  failed({mesh, "-o", folder.file("o.obj")}, "structures are written as .json");
  failed({mesh}, "-o");
  EXPECT_EQ(folder.count(), 2);
}

TEST(CliImport, EveryPrefixOfAMeshIsAnErrorOrASuccess) {
  const TempFolder folder;
  const std::string whole = kCube;
  int succeeded = 0;
  for (std::size_t n = 0; n <= whole.size(); n += n + 12 < whole.size() ? 5 : 1) {
    write_text(folder.file("cut.obj"), whole.substr(0, n));
    const ProgramResult run = run_program({"import", folder.file("cut.obj"), "-o", "-"});
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 2) << n << run.err;
    succeeded += run.exit_code == 0;
  }
  EXPECT_LE(succeeded, 3);  // the whole, without its last line end, and nothing before
  EXPECT_GE(succeeded, 1);
}

}  // namespace
}  // namespace talus
