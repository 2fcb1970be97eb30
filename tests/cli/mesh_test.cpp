#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <signal.h>

#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Words = std::vector<std::string>;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code not_there;
  for (const auto& entry : std::filesystem::directory_iterator(folder, not_there)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

nlohmann::json inspected(const Words& files) {
  return nlohmann::json::parse(run_program(Words{"inspect", "--json"} + files).out);
}

const Words kShowcase = {"mesh", "--from", "304,4,-64", "--to", "336,36,-32"};

// So long that every machine is still at it when the signal comes.
const Words kLong = {"mesh", "--around", "0,0", "--size", "16000", "-j", "2"};

TEST(CliMesh, WritesEveryFormatAndNothingToStdout) {
  const TempFolder folder;
  for (const char* name : {"a.glb", "a.gltf", "a.obj"}) {
    const ProgramResult run = run_program(kShowcase + Words{"-o", name}, {.folder = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr(name));
    EXPECT_EQ(run_program({"inspect", folder.file(name), "--require", "clean"}).exit_code, 0);
  }
  EXPECT_THAT(names_in(folder.path()), ElementsAre("a.bin", "a.glb", "a.gltf", "a.mtl", "a.obj"));
}

TEST(CliMesh, ClosedIsWatertight) {
  const TempFolder folder;
  const std::string file = folder.file("a.glb");
  for (const char* mesher : {"surface-nets", "marching-cubes"}) {
    const ProgramResult run =
        run_program(kShowcase + Words{"--closed", "--mesher", mesher, "-o", file, "-q"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.err, IsEmpty());
    const ProgramResult verdict = run_program({"inspect", file, "--require", "closed,clean"});
    EXPECT_EQ(verdict.exit_code, 0) << mesher << ": " << verdict.err;
  }
}

TEST(CliMesh, JsonTellsWhatWasWritten) {
  const TempFolder folder;
  const std::string file = folder.file("a.glb");
  const auto told = nlohmann::json::parse(run_program(kShowcase + Words{"-o", file, "--json"}).out);
  const auto found = inspected({file});
  EXPECT_GT(told["triangles"], 0);
  EXPECT_EQ(told["triangles"], found["triangles"]);
  EXPECT_EQ(told["vertices"], found["vertices"]);
}

TEST(CliMesh, TilesTogetherAreTheMergedSurface) {
  const TempFolder folder;
  const std::string tiles = folder.file("tiles"), whole = folder.file("whole.glb");
  const Words region = {"mesh", "--from", "290,4,-70", "--to", "340,36,-20", "--closed", "-q"};
  ASSERT_EQ(run_program(region + Words{"-o", whole}).exit_code, 0);
  ASSERT_EQ(run_program(region + Words{"--tiles", tiles, "--chunk", "16"}).exit_code, 0);
  Words files;
  for (const std::string& name : names_in(tiles)) {
    if (name.ends_with(".glb")) files.push_back(folder.file("tiles/" + name));
  }
  ASSERT_GT(files.size(), std::size_t{4});
  const auto expected = inspected({whole}), together = inspected(files);
  EXPECT_EQ(together["closed"], true);
  EXPECT_EQ(together["triangles"], expected["triangles"]);
  EXPECT_EQ(together["welded_vertices"], expected["welded_vertices"]);
}

TEST(CliMesh, TheThreadsDoNotShowInTheBytes) {
  const TempFolder folder;
  const std::string file = folder.file("a.glb");
  std::vector<std::string> bytes;
  for (const char* threads : {"1", "2", "4"}) {
    run_program(kShowcase + Words{"--chunk", "8", "-o", file, "-j", threads});
    bytes.push_back(read_text(file));
  }
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_EQ(bytes[0], bytes[1]);
  EXPECT_EQ(bytes[0], bytes[2]);
}

TEST(CliMesh, SkippingIsVerifiedWhereAsked) {
  const TempFolder folder;
  const ProgramResult run =
      run_program(kShowcase + Words{"--verify-skips", "-o", folder.file("a.glb")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST(CliMesh, MisuseExitsWith2NamesTheMendAndWritesNothing) {
  struct Misuse {
    Words arguments;
    std::string mend;
  };
  const Words here = {"--around", "0,0", "--size", "20"};
  const Words file = {"-o", "a.glb"};
  const std::vector<Misuse> cases = {
      {here, "either -o FILE"},
      {here + file + Words{"--tiles", "t"}, "either -o FILE"},
      {file, "which region"},
      {here + file + Words{"--from", "1,2,3", "--to", "4,5,6"}, "which region"},
      {file + Words{"--from", "1,2,3"}, "--to is missing"},
      {file + Words{"--around", "1,2"}, "--size is missing"},
      {file + Words{"--from", "1,2,3", "--to", "1,5,6"}, "empty"},
      {file + Words{"--from", "1,2,3", "--to", "4,0,6"}, "swap"},
      {file + Words{"--from", "1,2,nan", "--to", "4,5,6"}, "finite"},
      {file + Words{"--from", "1,2,3", "--to", "4,5,2e9"}, "from -1000000000 to 1000000000"},
      {file + Words{"--from", "-1e9,-1e9,-1e9", "--to", "1e9,1e9,1e9"}, "smaller region"},
      {file + Words{"--from", "0,0,0", "--to", "1e9,1,1", "--step", "0.015625"}, "coarser --step"},
      {file + Words{"--around", "0,0", "--size", "0"}, "above 0"},
      {file + Words{"--around", "0,0", "--size", "inf"}, "finite"},
      {here + file + Words{"--step", "0.3"}, "multiple of 1/64"},
      {here + file + Words{"--step", "128"}, "multiple of 1/64"},
      {here + file + Words{"--mesher", "surface-net"}, "did you mean 'surface-nets'"},
      {here + file + Words{"--no-merge"}, "--mesher blocks"},
      {here + file + Words{"--chunk", "3"}, "4 to 128"},
      {here + file + Words{"-j", "0"}, "1 to 1024"},
      {here + Words{"--tiles", "t", "--tile-format", "gbl"}, "did you mean 'glb'"},
      {here + Words{"-o", "a.stl"}, ".glb, .gltf or .obj"},
      {here + Words{"-o", "a.obj", "--compress"}, ".glb or .gltf"},
  };
  const TempFolder folder;
  for (const Misuse& misuse : cases) {
    const ProgramResult run =
        run_program(Words{"mesh"} + misuse.arguments, {.folder = folder.path()});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr(misuse.mend));
  }
  EXPECT_THAT(names_in(folder.path()), IsEmpty());
}

TEST(CliMesh, AFileOfAnotherKindIsNotOverwritten) {
  const TempFolder folder;
  const std::string file = folder.file("notes.glb");
  write_text(file, "my notes");
  EXPECT_NE(run_program(kShowcase + Words{"-o", file}).exit_code, 0);
  EXPECT_EQ(read_text(file), "my notes");
}

TEST(CliMesh, AFolderThatIsNotThereIsExit5) {
  const TempFolder folder;
  const ProgramResult run = run_program(kShowcase + Words{"-o", folder.file("no/a.glb")});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr("create it first"));
}

TEST(CliMesh, StoppedItLeavesTheOldFileAndNoOther) {
  for (const int number : {SIGINT, SIGTERM}) {
    const TempFolder folder;
    const std::string file = folder.file("a.obj");
    ASSERT_EQ(run_program(kShowcase + Words{"-o", file}).exit_code, 0);
    const std::string old = read_text(file);
    const auto files = names_in(folder.path());
    const auto once_writing = [&] {
      return names_in(folder.path()).size() > files.size() ? number : 0;
    };
    const ProgramResult run = run_program(kLong + Words{"-o", file}, {.signal_when = once_writing});
    EXPECT_EQ(run.exit_code, 128 + number) << run.err;
    EXPECT_FALSE(run.timed_out);
    EXPECT_EQ(read_text(file), old);
    EXPECT_EQ(names_in(folder.path()), files);
  }
}

TEST(CliMesh, StoppedTilesAreIndexedSoFar) {
  const TempFolder folder;
  const std::string tiles = folder.file("tiles");
  const auto some_tiles = [&] { return names_in(tiles).size() > 20 ? SIGINT : 0; };
  const ProgramResult run =
      run_program(kLong + Words{"--tiles", tiles}, {.signal_when = some_tiles});
  EXPECT_EQ(run.exit_code, 130) << run.err;
  const auto index = nlohmann::json::parse(read_text(tiles + "/index.json"));
  EXPECT_EQ(index["complete"], false);
}

TEST(CliMesh, ALogGetsNoCarriageReturns) {
  const TempFolder folder;
  const ProgramResult run = run_program(kShowcase + Words{"-o", folder.file("a.glb"), "-v"});
  EXPECT_THAT(run.err, Not(HasSubstr("\r")));
  EXPECT_THAT(run.err, Not(HasSubstr("\033")));
  EXPECT_THAT(run.err, HasSubstr("chunks hold surface"));
}

}  // namespace
}  // namespace talus
