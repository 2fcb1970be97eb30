#include <algorithm>
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/temp_folder.h"
#include "support/validate.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

/// A cube that hangs in the air and falls on flat ground; `sections` come after it.
std::string cube(const std::string& sections) {
  return "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"},\n \"pieces\": [{\"name\": \"cube\","
         " \"structure\": [{\"op\": \"block\", \"size\": 2, \"cell\": [0, 1, 0]}]}]" +
         (sections.empty() ? "}" : ",\n " + sections + "}");
}

const std::string kPasses = cube(R"("expect": [{"that": "pieces", "count": 1}])");
const std::string kFails =
    cube(R"("expect": [{"that": "mass", "name": "cube", "kg": 7, "why": "it is of stone"}])");
const std::string kMatrix =
    cube(R"("until": {"time_s": {"$": "end"}}, "matrix": {"end": [0.1, 0.2]})");

TEST(CliRun, OneLineACase) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  const ProgramResult run = run_program({"run", "cube.json"}, {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, StartsWith("passed  cube.json::cube  1 piece, at rest at "));
  EXPECT_THAT(run.err, IsEmpty());
  EXPECT_EQ(folder.count(), 1);
}

TEST(CliRun, AFailedExpectationSaysAll) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kFails);
  const ProgramResult run = run_program({"run", "cube.json"}, {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 1);
  for (const char* part : {"FAILED  cube.json::cube", "cube.json:3:13: mass of cube, at ",
                           "expected  7 kg, within 0", "found     2600 kg", "it is of stone"}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
  const ProgramResult json = run_program({"run", "cube.json", "--json"}, {.folder = folder.path()});
  EXPECT_EQ(json.exit_code, 1);
  const Json report = Json::parse(json.out);
  EXPECT_EQ(report["failed"], 1);
  const Json& e = report["cases"][0]["expectations"][0];
  EXPECT_EQ(e["found"], "2600 kg");
  EXPECT_EQ(e["line"], 3);
  EXPECT_EQ(e["path"], "/expect/0");
}

TEST(CliRun, CasesComeInOrderAndCanBeChosen) {
  const TempFolder folder;
  write_text(folder.file("m.json"), kMatrix);
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "m.json"});
    return run_program(more, {.folder = folder.path()});
  };
  const ProgramResult all = run({});
  EXPECT_LT(all.out.find("[end=0.1]"), all.out.find("[end=0.2]"));
  EXPECT_THAT(all.out, HasSubstr("\n2 passed\n"));
  const ProgramResult one = run({"--case", "m[end=0.2]"});
  EXPECT_THAT(one.out, Not(HasSubstr("0.1]")));
  EXPECT_EQ(run({"--case", "n*"}).exit_code, 3);
  EXPECT_EQ(run({"--case", "n*", "--no-cases", "warn"}).exit_code, 0);
  const ProgramResult two_to_one = run({"--trajectory", "a.csv"});
  EXPECT_EQ(two_to_one.exit_code, 2);
  EXPECT_THAT(two_to_one.err, HasSubstr("--case"));
}

TEST(CliRun, FilesOfACase) {
  const TempFolder folder;
  write_text(folder.file("m.json"), kMatrix);
  const ProgramResult out =
      run_program({"run", "m.json", "--out", "deep/results"}, {.folder = folder.path()});
  EXPECT_EQ(out.exit_code, 0) << out.err;
  const std::string stem = folder.path() + "/deep/results/m-end=0.1";
  EXPECT_EQ(Json::parse(read_text(stem + ".report.json"))["passed"], 1);
  EXPECT_EQ(Json::parse(read_text(stem + ".trajectory.json"))["bodies"].size(), 1u);
  for (const char* name : {"a.json", "a.jsonl", "a.csv"}) {
    const ProgramResult run = run_program(
        {"run", "m.json", "--case", "*0.1*", "--trajectory", name}, {.folder = folder.path()});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(read_text(folder.file(name)), HasSubstr("cube"));
  }
  const auto code = [&](const char* path) {
    return run_program({"run", "m.json", "--case", "*0.1*", "--trajectory", path},
                       {.folder = folder.path()})
        .exit_code;
  };
  EXPECT_EQ(code("a.txt"), 2);
  EXPECT_EQ(code("nowhere/a.csv"), 5);
  EXPECT_EQ(code("/dev/full"), 2);
  EXPECT_EQ(run_program({"run", "m.json"}, {.folder = folder.path(), .output_file = "/dev/full"})
                .exit_code,
            5);
}

TEST(CliRun, AnAnimationAndAMeshToLookAt) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "cube.json"});
    return run_program(more, {.folder = folder.path()});
  };
  const ProgramResult first = run({"--animation", "a.glb", "--mesh", "m.glb"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(run({"--trajectory", "t.glb", "--animation", "b.gltf", "--mesh", "m.obj"}).exit_code,
            0);
  EXPECT_EQ(run({"--out", "out", "--with", "mesh,animation"}).exit_code, 0);
  EXPECT_EQ(read_text(folder.file("a.glb")), read_text(folder.file("t.glb")));
  EXPECT_EQ(read_text(folder.file("a.glb")), read_text(folder.file("out/cube.animation.glb")));
  EXPECT_EQ(read_text(folder.file("m.glb")), read_text(folder.file("out/cube.mesh.glb")));
  EXPECT_THAT(read_text(folder.file("m.obj")), HasSubstr("usemtl stone"));
  const ToolResult valid = validate_gltf(folder.file("a.glb") + " " + folder.file("b.gltf") + " " +
                                         folder.file("m.glb"));
  EXPECT_TRUE(valid.content) << valid.text;
}

TEST(CliRun, OutputsAreCheckedBeforeTheRun) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  write_text(folder.file("m.json"), kMatrix);
  write_text(folder.file("picture.glb"), "no mesh");
  const auto code = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    const ProgramResult run = run_program(arguments, {.folder = folder.path()});
    EXPECT_THAT(run.out, IsEmpty());
    return run.exit_code;
  };
  EXPECT_EQ(code({"cube.json", "--animation", "a.obj"}), 2);
  EXPECT_EQ(code({"cube.json", "--mesh", "a.csv"}), 2);
  EXPECT_EQ(code({"cube.json", "--mesh", "a.glb", "--animation", "./a.glb"}), 2);
  EXPECT_EQ(code({"cube.json", "--format", "json", "--trajectory", "a.json"}), 2);
  EXPECT_EQ(code({"cube.json", "--format", "xml", "--trajectory", "-"}), 2);
  EXPECT_EQ(code({"cube.json", "--json", "--trajectory", "-"}), 2);
  EXPECT_EQ(code({"cube.json", "--with", "mesh"}), 2);
  EXPECT_EQ(code({"cube.json", "--with", "mash", "--out", "out"}), 2);
  EXPECT_EQ(code({"m.json", "--animation", "a.glb"}), 2);
  EXPECT_EQ(code({"m.json", "--mesh", "a.glb"}), 2);
  EXPECT_EQ(code({"cube.json", "--animation", "nowhere/a.glb"}), 5);
  EXPECT_EQ(code({"cube.json", "--mesh", "nowhere/a.obj"}), 5);
  EXPECT_EQ(code({"cube.json", "--animation", "picture.glb"}), 5);
  EXPECT_EQ(code({"cube.json", "--trajectory", "nowhere/a.csv"}), 5);
  EXPECT_EQ(folder.count(), 3);
}

TEST(CliRun, ATrajectoryOnStandardOutputIsTheFile) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  const auto run = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"run", "cube.json", "--trajectory"});
    return run_program(more, {.folder = folder.path()});
  };
  for (const std::string format : {"json", "jsonl", "csv"}) {
    run({"a." + format});
    const ProgramResult printed = run({"-", "--format", format});
    EXPECT_EQ(printed.out, read_text(folder.file("a." + format)));
    EXPECT_THAT(printed.err, StartsWith("passed  cube.json::cube"));
  }
  EXPECT_EQ(run({"-"}).out, read_text(folder.file("a.csv")));
}

TEST(CliMesh, AScenariosStructureAtTheStart) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  write_text(folder.file("m.json"), kMatrix);
  const auto code = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"mesh", "--scenario"});
    return run_program(more, {.folder = folder.path()}).exit_code;
  };
  EXPECT_EQ(code({"cube.json", "-o", "a.glb"}), 0);
  EXPECT_EQ(code({"m.json", "--case", "*0.1*", "-o", "b.obj"}), 0);
  EXPECT_THAT(read_text(folder.file("b.obj")), HasSubstr("usemtl stone"));
  const ToolResult valid = validate_gltf(folder.file("a.glb"));
  EXPECT_TRUE(valid.content) << valid.text;
  EXPECT_EQ(code({"m.json", "-o", "c.glb"}), 2);
  EXPECT_EQ(code({"m.json", "--case", "no", "-o", "c.glb"}), 3);
  EXPECT_EQ(code({"cube.json"}), 2);
  EXPECT_EQ(code({"cube.json", "-o", "c.csv"}), 2);
  EXPECT_EQ(code({"cube.json", "-o", "c.glb", "--size", "3"}), 2);
}

TEST(CliRun, TheSameRunGivesTheSameBytes) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), kPasses);
  for (const char* name : {"a.json", "b.json"}) {
    run_program({"run", "cube.json", "--trajectory", name}, {.folder = folder.path()});
  }
  EXPECT_EQ(read_text(folder.file("a.json")), read_text(folder.file("b.json")));
}

TEST(CliRun, ErrorsHaveTheirExitCodes) {
  const TempFolder folder;
  write_text(folder.file("broken.json"), "{\"talus\": 1,\n \"exspect\": []}");
  const ProgramResult broken = run_program({"run", "broken.json"}, {.folder = folder.path()});
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.err, HasSubstr("broken.json:2:2: /exspect: unknown key 'exspect': did you "
                                    "mean 'expect'?"));
  EXPECT_EQ(run_program({"run", "no.json"}, {.folder = folder.path()}).exit_code, 2);
  EXPECT_EQ(run_program({"run"}).exit_code, 2);
  write_text(folder.file("rows.json"), cube(R"("script": [{"do": "push", "name": "gone"}],
                  "structure": [{"op": "block", "name": "gone", "cell": [9, 0, 0]}])"));
  const ProgramResult error = run_program({"run", "rows.json"}, {.folder = folder.path()});
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_THAT(error.out, HasSubstr("ERROR   rows.json::rows"));
  EXPECT_THAT(error.err, HasSubstr("nothing of 'gone' has broken off"));
}

TEST(CliRun, AnInterruptKeepsWhatIsFinished) {
  const TempFolder folder;
  write_text(folder.file("long.json"), cube(R"("until": {"time_s": {"$": "end"}, "at_rest": false},
                  "matrix": {"end": [0.1, 3600]},
                  "settings": {"classic": {"still_time_s": 1000, "oldest_s": 3600},
                               "world": {"step_s": 1e-4}})"));
  const std::string first = folder.path() + "/out/long-end=0.1.report.json";
  int waited = 0;
  const ProgramResult run =
      run_program({"run", "long.json", "--out", "out", "--json"},
                  {.folder = folder.path(), .signal_when = [&] {
                     // Some time after the first case's last file, so that the second one runs.
                     return !std::filesystem::exists(first) || ++waited < 20 ? 0 : SIGTERM;
                   }});
  EXPECT_EQ(run.exit_code, 143);
  EXPECT_EQ(Json::parse(run.out)["cases"].size(), 1u);
}

TEST(CliRun, UpdateExpectedRewritesAndNeverPasses) {
  const TempFolder folder;
  write_text(folder.file("cube.json"), "// mine\n" + kFails);
  const auto update = [&] {
    return run_program({"run", "cube.json", "--update-expected"}, {.folder = folder.path()});
  };
  const ProgramResult first = update();
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err, HasSubstr("cube.json: 1 expectation rewritten"));
  std::string wanted = "// mine\n" + kFails;
  wanted.replace(wanted.find("7,"), 1, "2600");
  EXPECT_EQ(read_text(folder.file("cube.json")), wanted);
  EXPECT_EQ(update().exit_code, 1);
  EXPECT_EQ(run_program({"run", "cube.json"}, {.folder = folder.path()}).exit_code, 0);
  EXPECT_EQ(folder.count(), 1);
}

TEST(CliCheck, TellsTheMistakesOfAllFiles) {
  const TempFolder folder;
  write_text(folder.file("a.json"), "{\"talus\": 2}");
  write_text(folder.file("b.json"), kPasses);
  write_text(folder.file("c.json"),
             cube(R"("structure": [{"op": "box", "blocks": [10000, 10000, 10000]}])"));
  const ProgramResult run = run_program({"check", "."}, {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("a.json:1:11: /talus"));
  EXPECT_THAT(run.err, HasSubstr("c.json:3:16: /structure/0: too many blocks"));
  EXPECT_THAT(run.out, HasSubstr("3 files, 2 cases: 2 files broken"));
  EXPECT_EQ(run_program({"check", "b.json"}, {.folder = folder.path()}).exit_code, 0);
}

TEST(CliCheck, TellsAllThatKeepsACaseFromBeingBuilt) {
  const TempFolder folder;
  write_text(folder.file("f.json"), R"({"talus": 1, "structure": [
  {"op": "block", "name": "a"},
  {"op": "block", "name": "b"},
  {"op": "group", "name": "c", "structure": [{"op": "box", "blocks": [10000, 10000, 10000]},
                                             {"op": "block", "name": "d", "cell": [9, 0, 0]}]}],
 "pieces": [{"name": "a", "structure": [{"op": "block"}]}],
 "script": [{"do": "remove", "name": "bb"}],
 "expect": [{"that": "stands", "name": "c"}, {"that": "stands", "name": "d"},
  {"that": "stands", "name": "nobody"}]})");
  const ProgramResult run = run_program({"check", "f.json"}, {.folder = folder.path()});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 5) << run.err;
  for (const char* part :
       {"f.json:3:3: ", "f.json:4:46: ", "f.json:6:13: ", "f.json:7:13: ", "f.json:9:3: "}) {
    EXPECT_THAT(run.err, HasSubstr(part));
  }
}

TEST(CliList, NamesWhatWouldRun) {
  const TempFolder folder;
  write_text(folder.file("m.json"), kMatrix);
  const ProgramResult plain = run_program({"list", "."}, {.folder = folder.path()});
  EXPECT_EQ(plain.out, "m.json::m[end=0.1]\nm.json::m[end=0.2]\n");
  const ProgramResult json = run_program({"list", ".", "--json"}, {.folder = folder.path()});
  const Json cases = Json::parse(json.out)["cases"];
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0]["parameters"]["end"], 0.1);
  EXPECT_NE(cases[0]["hash"], cases[1]["hash"]);
  EXPECT_EQ(cases[0]["file"], "./m.json");
  const TempFolder empty;
  EXPECT_EQ(run_program({"list", empty.path()}).exit_code, 3);
}

TEST(CliSchema, EveryFormatHasOne) {
  for (const char* name : {"scenario", "trajectory", "report"}) {
    const Json schema = Json::parse(run_program({"schema", name}).out);
    EXPECT_EQ(schema["title"], std::string("talus ") + name);
  }
  EXPECT_EQ(run_program({"schema"}).out, run_program({"schema", "scenario"}).out);
  EXPECT_EQ(run_program({"schema", "mesh"}).exit_code, 2);
}

}  // namespace
}  // namespace talus
