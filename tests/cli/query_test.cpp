#include <sstream>

#include <gmock/gmock.h>

#include "support/program.h"
#include "support/temp_folder.h"
#include "terrain/terrain.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Broken {
  std::string rows, message;
};

// On a plain at 10 m, where every answer is known.
ProgramResult ask(const std::string& kind, const std::string& rows) {
  return run_program({"query", kind, "--preset", "flat", "--set", "level_m=10"}, {.input = rows});
}

TEST(CliQuery, OnePointGivesTheBareNumberOfTheLibrary) {
  const auto hills = make_preset({});
  const ProgramResult height = run_program({"query", "height", "320,-48"});
  EXPECT_EQ(height.exit_code, 0);
  EXPECT_EQ(std::stod(height.out), hills->height(320, -48));
  EXPECT_THAT(height.err, IsEmpty());
  const ProgramResult density = run_program({"query", "density", "-304.5,4,-64"});
  EXPECT_EQ(std::stod(density.out), hills->density({-304.5, 4, -64}));
}

TEST(CliQuery, NearestTellsDistanceAndTheWayOut) {
  std::vector<std::string> arguments = {"query", "nearest", "1,13,2",    "--preset",
                                        "flat",  "--set",   "level_m=10"};
  EXPECT_EQ(run_program(arguments).out, "distance_m 3\nnx 0\nny 1\nnz 0\nwhat terrain\n");
  arguments.emplace_back("--json");
  EXPECT_EQ(run_program(arguments).out,
            "{\"x\":1,\"y\":13,\"z\":2,\"distance_m\":3,\"nx\":0,\"ny\":1,\"nz\":0,"
            "\"what\":\"terrain\"}\n");
  arguments.insert(arguments.end(), {"--reach", "2"});
  EXPECT_THAT(run_program(arguments).out, HasSubstr("\"distance_m\":null"));
}

TEST(CliQuery, CsvRowsKeepTheirOrderTheirBytesAndTheirOtherColumns) {
  EXPECT_EQ(ask("density", "x,name,z,y\n1,a,0,8\n 2 ,\"b, \"\"c\"\"\",0,12.50\n").out,
            "x,name,z,y,density\n1,a,0,8,2\n 2 ,\"b, \"\"c\"\"\",0,12.50,-2.5\n");
}

TEST(CliQuery, QuotedFieldsMaySpanLines) {
  EXPECT_EQ(ask("height", "\"the\nnote\",x,z\n\"two\nlines\",1,2\n").out,
            "\"the\nnote\",x,z,height_m\n\"two\nlines\",1,2,10\n");
}

TEST(CliQuery, ByteOrderMarkAndCarriageReturnsAreTaken) {
  EXPECT_EQ(ask("height", "\xEF\xBB\xBFx,z\r\n1,2\r\n\r\n3,4").out,
            "x,z,height_m\r\n1,2,10\r\n3,4,10\n");
}

TEST(CliQuery, JsonLinesKeepTheirBytesAndSixtyFourBitNumbers) {
  EXPECT_EQ(ask("density",
                "{\"id\": 18446744073709551615, \"x\":1,\"y\":8.0,\"z\":3 }\n\n"
                "{\"z\":3,\"tag\":{\"a\":[1e2]},\"x\":1,\"y\":12}\r\n")
                .out,
            "{\"id\": 18446744073709551615, \"x\":1,\"y\":8.0,\"z\":3,\"density\":2}\n"
            "{\"z\":3,\"tag\":{\"a\":[1e2]},\"x\":1,\"y\":12,\"density\":-2}\r\n");
}

TEST(CliQuery, ABrokenRowIsNamedByItsLineAfterTheGoodOnesAreAnswered) {
  const std::vector<Broken> cases = {
      {"x,z\n1,2\nabc,3\n", "-:3: x: not a finite number: 'abc'"},
      {"x,z\n1,2\n1,nan\n", "-:3: z: not a finite number: 'nan'"},
      {"x,z\n1,2\n1,-inf\n", "-:3: z: not a finite number"},
      {"x,z\n1,2\n1,1e10\n", "-:3: z: coordinates go from"},
      {"x,z\n1,2\n1\n", "-:3: 1 columns, but the header has 2"},
      {"x,z\n1,2\n1,2,3\n", "-:3: 3 columns"},
      {"x,z\n1,2\n\"1,2\n3,4\n", "-:3: a quote opens here"},
      {"{\"x\":1,\"z\":2}\n{\"x\":1}\n", "-:2: no key 'z'"},
      {"{\"x\":1,\"z\":2}\n{\"x\":\"1\",\"z\":2}\n", "-:2: x: not a number: \"1\""},
      {"{\"x\":1,\"z\":2}\n{\"x\":1,\"z\":1e999}\n", "-:2: "},
      {"{\"x\":1,\"z\":2}\n{\"x\":1,\"x\":2,\"z\":3}\n", "-:2: key 'x' is there twice"},
      {"{\"x\":1,\"z\":2}\n[1]\n", "-:2: not a JSON object"},
      {"{\"x\":1,\"z\":2}\n{\"x\":1,\"z\":2\n", "-:2: not a JSON object"},
      {"{\"x\":1,\"z\":2}\n" + std::string(100000, '['), "-:2: nested deeper than 100"},
  };
  for (const Broken& broken : cases) {
    const ProgramResult run = ask("height", broken.rows);
    EXPECT_EQ(run.exit_code, 2) << broken.rows.substr(0, 100);
    EXPECT_THAT(run.err, HasSubstr(broken.message));
    EXPECT_THAT(run.out, HasSubstr("10"));
  }
}

TEST(CliQuery, AHeaderThatCannotBeAnsweredIsRefused) {
  const std::vector<Broken> cases = {
      {"", "no rows"},
      {"\n\n", "no rows"},
      {"a,b\n1,2\n", "no column 'x'"},
      {"1,2\n", "no column 'x'"},
      {"x,z,x\n1,2,3\n", "column 'x' is there twice"},
      {"x,z,height_m\n1,2,3\n", "column 'height_m' is there already"},
      {"{\"x\":1,\"z\":2,\"height_m\":3}\n", "column 'height_m' is there already"},
      {std::string(std::size_t{3} << 20, 'x'), "line longer than"},
  };
  for (const Broken& broken : cases) {
    const ProgramResult run = ask("height", broken.rows);
    EXPECT_EQ(run.exit_code, 2) << broken.rows.substr(0, 100);
    EXPECT_THAT(run.out, IsEmpty());
    EXPECT_THAT(run.err, HasSubstr(broken.message));
  }
}

TEST(CliQuery, ManyRowsComeBackInOrder) {
  std::ostringstream rows, expected;
  rows << "id,x,z\n";
  expected << "id,x,z,height_m\n";
  for (int i = 0; i < 20000; ++i) {
    rows << i << ",1,2\n";
    expected << i << ",1,2,10\n";
  }
  EXPECT_EQ(ask("height", rows.str()).out, expected.str());
}

TEST(CliQuery, AReaderWhoLeavesEndsItQuietly) {
  std::string rows = "x,z\n";
  for (int i = 0; i < 200000; ++i) rows += "1,2\n";
  const ProgramResult run = run_program({"query", "height"}, {.input = rows, .read_at_most = 1});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(CliQuery, AFileNamesTheSameTerrainAsOptions) {
  const TempFolder folder;
  write_text(folder.file("world.json"), R"({"seed": 7, "parameters": {"base_m": 20}})");
  const std::string options =
      run_program({"query", "height", "5,5", "--seed", "7", "--set", "base_m=20"}).out;
  EXPECT_EQ(run_program({"query", "height", "5,5", "--terrain", folder.file("world.json")}).out,
            options);
  EXPECT_NE(
      run_program({"query", "height", "5,5", "--terrain", folder.file("world.json"), "--seed", "8"})
          .out,
      options);
}

}  // namespace
}  // namespace talus
