// The program's manners: help, messages, exit codes, streams.
#include <algorithm>

#include <gmock/gmock.h>

#include "support/program.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Words = std::vector<std::string>;

struct Misuse {
  Words arguments;
  std::string mend;  // what the message must say
};

TEST(CliHelp, EveryVerbShowsExamplesBeforeItsUsage) {
  const std::vector<Words> verbs = {{"mesh"},
                                    {"query"},
                                    {"query", "density"},
                                    {"query", "height"},
                                    {"query", "nearest"},
                                    {"inspect"},
                                    {"presets"},
                                    {"completion"},
                                    {"man"},
                                    {}};
  for (const Words& verb : verbs) {
    for (const char* flag : {"-h", "--help"}) {
      Words arguments = verb;
      arguments.emplace_back(flag);
      const ProgramResult run = run_program(arguments);
      EXPECT_EQ(run.exit_code, 0);
      EXPECT_THAT(run.err, IsEmpty());
      const std::size_t examples = run.out.find("Examples:\n  talus");
      const std::size_t usage = run.out.find("Usage: talus");
      ASSERT_NE(examples, std::string::npos) << run.out;
      ASSERT_NE(usage, std::string::npos) << run.out;
      EXPECT_LT(examples, usage);
      EXPECT_THAT(run.out, HasSubstr("--quiet"));
    }
  }
}

TEST(CliHelp, NamesTheExitCodes) {
  EXPECT_THAT(run_program({"--help"}).out, HasSubstr("5 output could not be written"));
}

TEST(CliHelp, ABareVerbThatNeedsMoreIsAMistakeThatGetsTheHelp) {
  for (const Words& bare : std::vector<Words>{
           {}, {"mesh"}, {"run"}, {"check"}, {"list"}, {"diff"}, {"query"}, {"inspect"}}) {
    const ProgramResult run = run_program(bare);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr("Examples:"));
  }
}

TEST(CliHelp, VersionIsOneLine) {
  const ProgramResult run = run_program({"--version"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.out, StartsWith("talus 0."));
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1);
}

TEST(CliErrors, MisuseExitsWith2AndNamesTheMend) {
  const std::vector<Misuse> cases = {
      {{"mehs"}, "did you mean 'mesh'"},
      {{"qqqqqqqqqq"}, "mesh, run, batch, merge, check, list, query, inspect"},
      {{"query", "heigth", "1,2"}, "did you mean 'height'"},
      {{"mesh", "--form", "1,2,3"}, "did you mean '--from'"},
      {{"mesh", "--sede=4"}, "did you mean '--seed'"},
      {{"mesh", "--size"}, "--size: needs a value"},
      {{"mesh", "--size", ""}, "--size: needs a value"},
      {{"query", "height", "1,2", "3,4"}, "unexpected argument '3,4'"},
      {{"query", "height", "1,2", "--preset", "hils"}, "did you mean 'hills'"},
      {{"query", "height", "1,2", "--set", "cave_radiu=1"}, "did you mean 'cave_radius'"},
      {{"query", "height", "1,2", "--set", "cave_radius"}, "cave_radius"},
      {{"query", "height", "1,2", "--set", "cave_radius=nan"}, "cave_radius"},
      {{"query", "height", "1,2", "--set", "cave_radius=7"}, "0 to 1"},
      {{"query", "height", "1,2", "--seed", "4294967296"}, "0 to 4294967295"},
      {{"query", "height", "1,2", "--seed", "-1"}, "0 to 4294967295"},
      {{"query", "height", "1,2", "--seed", "0x10"}, "0 to 4294967295"},
      {{"query", "height", "1,2", "--terrain", "nowhere.json"}, "nowhere.json"},
      {{"query", "height", "1,2,3"}, "x,z: 2 numbers, got 3"},
      {{"query", "height", "1,"}, "finite numbers with commas between"},
      {{"query", "height", "1,inf"}, "finite numbers with commas between"},
      {{"query", "height", "1,1e999"}, "finite numbers with commas between"},
      {{"query", "height", "1,1e10"}, "from -1000000000 to 1000000000"},
      {{"query", "nearest", "1,2,3", "--reach", "0"}, "--reach: must be over 0"},
      {{"inspect", "nowhere.glb"}, "nowhere.glb"},
      {{"inspect", "a.glb", "--require", "clsed"}, "did you mean 'closed'"},
      {{"completion", "bsh"}, "did you mean 'bash'"},
  };
  for (const Misuse& misuse : cases) {
    const ProgramResult run = run_program(misuse.arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr(misuse.mend));
    EXPECT_THAT(run.err, StartsWith("talus"));
  }
}

TEST(CliErrors, AreOneLineWithoutColourWhereStderrIsNoTerminal) {
  const ProgramResult run =
      run_program({"query", "height", "a,b"}, {.environment = {"TERM=xterm"}});
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
  EXPECT_THAT(run.err, Not(HasSubstr("\033")));
}

TEST(CliErrors, QuietStillComplains) {
  const ProgramResult run = run_program({"-q", "query", "height", "a,b"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("error"));
}

TEST(CliOutput, AFullDiskIsExit5) {
  for (const Words& arguments : std::vector<Words>{
           {"--help"}, {"--version"}, {"presets"}, {"man"}, {"query", "height", "1,2"}}) {
    const ProgramResult run = run_program(arguments, {.output_file = "/dev/full"});
    EXPECT_EQ(run.exit_code, 5);
    EXPECT_THAT(run.err, HasSubstr("No space left on device"));
  }
}

TEST(CliCompletion, KnowsEveryVerbAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const ProgramResult run = run_program({"completion", shell});
    EXPECT_EQ(run.exit_code, 0);
    for (const char* word : {"inspect", "run", "update-expected", "nearest", "verify-skips",
                             "tile-format", "require"}) {
      EXPECT_THAT(run.out, HasSubstr(word)) << shell;
    }
  }
}

TEST(CliManual, HasASectionForEveryVerb) {
  const ProgramResult run = run_program({"man"});
  for (const char* section : {".TH TALUS 1", ".SH \"talus mesh\"", ".SH \"talus query nearest\"",
                              ".SH \"talus inspect\"", ".SH \"EXIT STATUS\""}) {
    EXPECT_THAT(run.out, HasSubstr(section));
  }
}

}  // namespace
}  // namespace talus
