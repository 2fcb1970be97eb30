#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kCorners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
constexpr const char* kThreeFaces = "f 1 3 2\nf 1 2 4\nf 1 4 3\n";
constexpr const char* kFourth = "f 2 3 4\n";

std::string obj(const char* faces, const char* more = "") {
  return std::string(kCorners) + faces + more;
}

TEST(CliInspect, KnowsATetrahedron) {
  const TempFolder folder;
  const std::string file = folder.file("tetrahedron.obj");
  write_text(file, obj(kThreeFaces, kFourth));
  const ProgramResult run = run_program({"inspect", file, "--json", "--require", "closed,clean"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.err, IsEmpty());
  const auto found = nlohmann::json::parse(run.out);
  EXPECT_EQ(found["triangles"], 4);
  EXPECT_EQ(found["components"], 1);
  EXPECT_DOUBLE_EQ(found["volume_m3"], 1.0 / 6);
  EXPECT_EQ(found["open_edges"], 0);
  EXPECT_EQ(found["bounds_m"]["max"], nlohmann::json({1.0, 1.0, 1.0}));
  EXPECT_EQ(found["passed"], true);
}

TEST(CliInspect, AHoleFailsClosedButNotClean) {
  const TempFolder folder;
  const std::string file = folder.file("open.obj");
  write_text(file, obj(kThreeFaces));
  EXPECT_EQ(run_program({"inspect", file}).exit_code, 0);
  EXPECT_EQ(run_program({"inspect", file, "--require", "clean"}).exit_code, 0);
  const ProgramResult run = run_program({"inspect", file, "--require", "clean,closed", "--json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("not closed: 3 open edges"));
  EXPECT_EQ(nlohmann::json::parse(run.out)["passed"], false);
}

TEST(CliInspect, ATurnedTriangleIsNotClean) {
  const TempFolder folder;
  const std::string file = folder.file("turned.obj");
  write_text(file, obj(kThreeFaces, "f 2 4 3\n"));
  const ProgramResult run = run_program({"inspect", file, "--require", "clean"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("same way"));
}

TEST(CliInspect, FilesTogetherAreOneSurface) {
  const TempFolder folder;
  write_text(folder.file("a.obj"), obj(kThreeFaces));
  write_text(folder.file("b.obj"), obj(kFourth));
  const ProgramResult run =
      run_program({"inspect", folder.file("a.obj"), folder.file("b.obj"), "--require", "closed"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(CliInspect, TheVerdictStandsWhenNobodyReadsIt) {
  const TempFolder folder;
  write_text(folder.file("open.obj"), obj(kThreeFaces));
  const ProgramResult run =
      run_program({"inspect", folder.file("open.obj"), "--require", "closed"}, {.read_at_most = 0});
  EXPECT_EQ(run.exit_code, 1);
}

TEST(CliInspect, ABrokenFileIsExit2) {
  const TempFolder folder;
  write_text(folder.file("broken.glb"), "glTF and nothing more");
  write_text(folder.file("broken.obj"), "v 0 0 0\nf 1 2 3\n");
  for (const char* name : {"broken.glb", "broken.obj"}) {
    const ProgramResult run = run_program({"inspect", folder.file(name)});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr(name));
  }
}

}  // namespace
}  // namespace talus
