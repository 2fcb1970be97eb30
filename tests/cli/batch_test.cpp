#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>
#include <sys/stat.h>

#include "support/batch_scenarios.h"
#include "support/program.h"
#include "support/temp_folder.h"
#include "support/validate.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

ProgramResult batch(const TempFolder& folder, Words words, ProgramRun how = {}) {
  words.insert(words.begin(), "batch");
  how.folder = folder.path();
  return run_program(words, how);
}

int count_files(const std::string& folder, const std::string& ending) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    count += entry.path().string().ends_with(ending) ? 1 : 0;
  }
  return count;
}

/// The one file of a case.
std::string result_file(const TempFolder& folder, const std::string& stem) {
  for (const auto& entry : fs::directory_iterator(folder.file("out"))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem) && name.ends_with(".result.json")) return entry.path().string();
  }
  return "";
}

TEST(CliBatch, EveryMixOfVerdictsHasItsExitCode) {
  const TempFolder folder;
  write_text(folder.file("pass.json"), kPassing);
  write_text(folder.file("fail.json"), kFailing);
  write_text(folder.file("broken.json"), kBroken);
  write_text(folder.file("many.json"), kTooMany);
  write_text(folder.file("slow.json"), long_run("[3600]"));
  fs::create_directory(folder.file("empty"));
  const auto code = [&](Words words) {
    words.insert(words.end(), {"--timeout", "0.3"});
    return batch(folder, words).exit_code;
  };
  EXPECT_EQ(code({"pass.json"}), 0);
  EXPECT_EQ(code({"pass.json", "fail.json"}), 1);
  EXPECT_EQ(code({"pass.json", "fail.json", "broken.json"}), 2);
  EXPECT_EQ(code({"fail.json", "many.json"}), 2);
  EXPECT_EQ(code({"pass.json", "slow.json"}), 4);
  write_text(folder.file("limit.json"), kAtItsLimit);
  EXPECT_EQ(code({"fail.json", "limit.json"}), 4);
  write_text(folder.file("nothing.json"), "");
  EXPECT_EQ(code({"fail.json", "nothing.json"}), 2);
  EXPECT_EQ(code({"."}), 4);
  EXPECT_EQ(code({".", "--exit-zero"}), 0);
  EXPECT_EQ(code({"empty"}), 3);
  EXPECT_EQ(code({"empty", "--exit-zero"}), 3);
  EXPECT_EQ(code({"empty", "--no-cases", "pass"}), 0);
  EXPECT_EQ(code({"pass.json", "empty"}), 0);
  EXPECT_EQ(code({"pass.json", "--filter", "nothing"}), 3);
  EXPECT_EQ(code({"nowhere.json"}), 2);
  EXPECT_EQ(code({"pass.json", "--shard", "4/3"}), 2);
  EXPECT_EQ(code({"pass.json", "--resume"}), 2);
  EXPECT_EQ(code({"pass.json", "--json", "--tap"}), 2);
  EXPECT_EQ(code({"pass.json", "--junit", "nowhere/report.xml"}), 5);
  EXPECT_EQ(code({"pass.json", "--junit", "/dev/full"}), 5);
  EXPECT_EQ(code({"pass.json", "--save", "mesh,pictures", "--out", "o"}), 2);
  EXPECT_EQ(batch(folder, {}).exit_code, 2);
}

TEST(CliBatch, AllIsToldOfEveryCase) {
  const TempFolder folder;
  write_text(folder.file("pass.json"), kPassing);
  write_text(folder.file("fail.json"), kFailing);
  write_text(folder.file("broken.json"), kBroken);
  write_text(folder.file("slow.json"), long_run("[3600]"));
  const ProgramResult run = batch(folder, {".", "--timeout", "0.3"});
  EXPECT_THAT(run.out, HasSubstr("passed  pass.json::pass  1 piece"));
  EXPECT_THAT(run.out, HasSubstr("FAILED  fail.json::fail"));
  EXPECT_THAT(run.out, HasSubstr("found     2600 kg"));
  EXPECT_THAT(run.out, HasSubstr("broken.json:2:2: /exspect"));
  EXPECT_THAT(run.out, HasSubstr("stopped after 0.3 s"));
  EXPECT_THAT(run.out, HasSubstr("1 passed, 1 failed, 2 errors"));
  const ProgramResult lines = batch(folder, {"pass.json", "fail.json", "--jsonl"});
  const std::size_t end = lines.out.find('\n');
  EXPECT_EQ(Json::parse(lines.out.substr(0, end))["name"], "fail.json::fail");
  EXPECT_EQ(Json::parse(lines.out.substr(end))["verdict"], "passed");
  const ProgramResult tap = batch(folder, {"pass.json", "fail.json", "--tap"});
  EXPECT_THAT(tap.out, HasSubstr("TAP version 14\n1..2\nnot ok 1 - fail.json::fail\n  ---\n"));
  EXPECT_THAT(tap.out, HasSubstr("\n  ...\nok 2 - pass.json::pass\n"));
}

TEST(CliBatch, ResultsAreTheSameForEveryNumberOfThreads) {
  const TempFolder folder;
  write_text(folder.file("pass.json"), kPassing);
  write_text(folder.file("some.json"), kSome);
  write_text(folder.file("broken.json"), kBroken);
  const auto run = [&](const char* jobs, Words more) {
    more.insert(more.begin(), {".", "-j", jobs, "--junit", "report.xml"});
    const ProgramResult result = batch(folder, more);
    return without_times(result.out + read_text(folder.file("report.xml")));
  };
  for (const Words& more : {Words{}, Words{"--json"}, Words{"--jsonl"}, Words{"--tap"},
                            Words{"--json", "--fail-fast"}}) {
    const std::string one = run("1", more);
    EXPECT_THAT(one, HasSubstr("broken.json"));
    for (const char* jobs : {"2", "3"}) EXPECT_EQ(one, run(jobs, more));
  }
}

TEST(CliBatch, FailFastReportsUpToTheFirstFailure) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  const ProgramResult run = batch(folder, {"some.json", "--fail-fast", "--json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(Json::parse(run.out)["cases"].size(), 3u);
  EXPECT_THAT(run.err, HasSubstr("1 of 4 cases have no result"));
}

TEST(CliBatch, EachCaseIsWhatRunMakesOfIt) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  const ProgramResult many = batch(
      folder, {"some.json", "-j", "2", "--out", "out", "--save", "trajectory,animation,mesh"});
  EXPECT_EQ(many.exit_code, 1) << many.err;
  EXPECT_EQ(count_files(folder.file("out"), ".json"), 8);
  EXPECT_EQ(count_files(folder.file("out"), ".glb"), 8);
  run_program({"run", "some.json", "--out", "alone"}, {.folder = folder.path()});
  int compared = 0;
  for (const auto& entry : fs::directory_iterator(folder.file("alone"))) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".trajectory.json")) continue;
    const std::string stem = name.substr(0, name.size() - 16);
    const std::string result = result_file(folder, stem + "-");
    const std::string other = result.substr(0, result.size() - 12) + ".trajectory.json";
    EXPECT_EQ(read_text(entry.path()), read_text(other));
    ++compared;
  }
  EXPECT_EQ(compared, 4);
  batch(folder, {"some.json", "--out", "failed", "--save", "trajectory", "--save-for", "failed"});
  EXPECT_EQ(count_files(folder.file("failed"), ".trajectory.json"), 2);
}

TEST(CliBatch, PathsAreTakenAsPeopleGiveThem) {
  const TempFolder folder;
  for (const char* name : {"a", "a/deep", "b"}) fs::create_directory(folder.file(name));
  for (const char* name : {"a/x.json", "a/deep/x.json", "b/x.json", "b/y.json"}) {
    write_text(folder.file(name), kPassing);
  }
  write_text(folder.file("list.txt"), "b/y.json\r\n\na\n");
  const auto names = [&](const Words& words, const std::string& input = "") {
    Words all = words;
    all.push_back("--json");
    const ProgramResult run = batch(folder, all, {.input = input});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::string text;
    const Json report = Json::parse(run.out);
    for (const Json& c : report["cases"]) text += c["name"].get<std::string>() + " ";
    return text;
  };
  EXPECT_EQ(names({"b", "./a/"}), "a/x.json::x b/x.json::x b/y.json::y ");
  EXPECT_EQ(names({"b/../b", "b/x.json"}), "b/x.json::x b/y.json::y ");
  EXPECT_EQ(names({"*/x.json"}), "a/x.json::x b/x.json::x ");
  EXPECT_EQ(names({"**/x.json"}), "a/deep/x.json::x a/x.json::x b/x.json::x ");
  EXPECT_EQ(names({"a/*", "b/?.json", "--filter", "b/*"}), "b/x.json::x b/y.json::y ");
  EXPECT_EQ(names({"a", "b", "--case", "x.json::*"}), "a/x.json::x b/x.json::x ");
  EXPECT_EQ(names({"@list.txt"}), "a/x.json::x b/y.json::y ");
  EXPECT_EQ(names({"-"}, "b\n"), "b/x.json::x b/y.json::y ");
}

TEST(CliBatch, ResumeSkipsWhatMatchesAndHidesNoFailure) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  const auto run = [&](Words more) {
    more.insert(more.begin(), {"some.json", "--out", "out", "--json"});
    return batch(folder, more);
  };
  const ProgramResult first = run({});
  const ProgramResult second = run({"--resume"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_EQ(second.out, first.out);  // with the times of the first
  EXPECT_THAT(second.err, HasSubstr("4 of 4 results are from out"));
  EXPECT_THAT(run({"--rerun-failed"}).err, HasSubstr("2 of 4 results are from out"));
  EXPECT_THAT(run({"--resume", "--repeat", "2"}).err, Not(HasSubstr("results are from")));

  run({});
  EXPECT_THAT(run({"--resume", "--save", "mesh"}).err, Not(HasSubstr("results are from")));
  write_text(result_file(folder, "some-end=3"), "{\"format\": \"talus case re");
  EXPECT_THAT(run({"--resume"}).err, HasSubstr("3 of 4 results are from out"));
  std::string changed = kSome;
  changed.replace(changed.find("2.5"), 3, "2.6");
  write_text(folder.file("some.json"), changed);
  EXPECT_THAT(run({"--resume"}).err, Not(HasSubstr("results are from")));
}

TEST(CliBatch, ATimeoutIsNoResultToResumeFrom) {
  const TempFolder folder;
  write_text(folder.file("slow.json"), long_run("[0.2]"));
  EXPECT_EQ(batch(folder, {"slow.json", "--out", "out", "--timeout", "1e-9"}).exit_code, 4);
  EXPECT_EQ(batch(folder, {"slow.json", "--out", "out", "--resume"}).exit_code, 0);
}

TEST(CliBatch, IsStoppedWhileItWaitsForAFile) {
  const TempFolder folder;
  ASSERT_EQ(::mkfifo(folder.file("pipe.json").c_str(), 0600), 0);
  int asked = 0;
  const ProgramResult run =
      batch(folder, {"pipe.json"}, {.signal_when = [&] { return ++asked > 50 ? SIGINT : 0; }});
  EXPECT_EQ(run.exit_code, 128 + SIGINT) << run.err;
  EXPECT_FALSE(run.timed_out);
}

TEST(CliBatch, AFolderIsClearedOfWhatKilledRunsLeft) {
  const TempFolder folder;
  write_text(folder.file("pass.json"), kPassing);
  fs::create_directory(folder.file("out"));
  write_text(folder.file("out/.talus-1-2.tmp"), "{");
  EXPECT_EQ(batch(folder, {"pass.json", "--out", "out"}).exit_code, 0);
  EXPECT_EQ(count_files(folder.file("out"), ""), 1);
}

TEST(CliBatch, AParameterThatDoesNotFitBreaksItsCaseOnly) {
  const TempFolder folder;
  std::string text = kSome;
  text.replace(text.find("0.1, 0.2"), 8, "-1, 3.5");
  write_text(folder.file("some.json"), text);
  const ProgramResult run = batch(folder, {"some.json", "--json", "--out", "out"});
  EXPECT_EQ(run.exit_code, 2);
  const Json cases = Json::parse(run.out)["cases"];
  ASSERT_EQ(cases.size(), 4u);
  EXPECT_EQ(cases[2]["name"], "some.json::some[end=-1]");
  EXPECT_THAT(cases[2]["error"].get<std::string>(), HasSubstr("/until/time_s"));
  EXPECT_EQ(cases[3]["verdict"], "passed");
}

class CliBatchStopped : public ::testing::TestWithParam<int> {};

TEST_P(CliBatchStopped, LosesNothingThatIsFinished) {
  const TempFolder folder;
  write_text(folder.file("a.json"), kFailing);
  write_text(folder.file("b.json"), long_run("[0.1, 20]"));
  const Words words = {".", "--out", "out", "--json", "-j", "2"};
  const ProgramResult stopped = batch(folder, words, {.signal_when = [&] {
                                        std::error_code ignored;
                                        const bool begun =
                                            fs::exists(folder.file("out"), ignored) &&
                                            !result_file(folder, "a-").empty() &&
                                            !result_file(folder, "b-end=0.1").empty();
                                        return begun ? GetParam() : 0;
                                      }});
  EXPECT_EQ(stopped.exit_code, 128 + GetParam());
  EXPECT_FALSE(stopped.timed_out);
  if (GetParam() != SIGKILL) {
    const Json report = Json::parse(stopped.out);
    EXPECT_EQ(report["cases"].size(), 2u);
    EXPECT_EQ(report["failed"], 1);
    EXPECT_EQ(count_files(folder.file("out"), ""), 2);
  }
  write_text(folder.file("b.json"), long_run("[0.1, 0.2]"));
  Words again = words;
  again.push_back("--resume");
  const ProgramResult resumed = batch(folder, again);
  EXPECT_EQ(resumed.exit_code, 1);
  EXPECT_THAT(resumed.err, HasSubstr("2 of 3 results are from out"));
  const TempFolder fresh;
  for (const char* name : {"a.json", "b.json"}) {
    write_text(fresh.file(name), read_text(folder.file(name)));
  }
  EXPECT_EQ(without_times(resumed.out), without_times(batch(fresh, words).out));
}

INSTANTIATE_TEST_SUITE_P(Signals, CliBatchStopped, ::testing::Values(SIGINT, SIGTERM, SIGKILL));

TEST(CliBatch, OutputThatCannotBeWrittenLeavesEarlierResults) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  batch(folder, {"some.json", "--out", "out"});
  const std::string first = result_file(folder, "some-end=3"),
                    third = result_file(folder, "some-end=0.1");
  const std::string kept = read_text(first);
  fs::remove(third);
  fs::create_directories(third + "/in the way");
  const ProgramResult run = batch(folder, {"some.json", "--out", "out", "--resume", "--json"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr(fs::path(third).filename().string()));
  EXPECT_EQ(read_text(first), kept);
  EXPECT_GE(Json::parse(run.out)["cases"].size(), 2u);
  EXPECT_EQ(batch(folder, {"some.json"}, {.output_file = "/dev/full"}).exit_code, 5);
}

/// A small file system of its own, for as long as it lives.
struct SmallDisk {
  explicit SmallDisk(std::string at)
      : path(std::move(at)), there(::mount("tmpfs", path.c_str(), "tmpfs", 0, "size=32k") == 0) {}
  ~SmallDisk() {
    if (there) ::umount(path.c_str());
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  const std::string path;
  const bool there;
};

TEST(CliBatch, AFullDiskKeepsWhatIsWhole) {
  const TempFolder folder;
  fs::create_directory(folder.file("out"));
  const std::string out = folder.file("out");
  const SmallDisk disk(out);
  if (!disk.there) {
    GTEST_SKIP() << "needs the right to mount a small file system";
  }
  write_text(folder.file("many.json"), long_run("[1,2,3,4,5,6,7,8,9,10,11,12]"));
  std::string quick = read_text(folder.file("many.json"));
  quick.replace(quick.find("1e-4"), 4, "1e-2");
  write_text(folder.file("many.json"), quick);
  const ProgramResult run = batch(folder, {"many.json", "--out", "out", "-j", "2", "--json"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.err, HasSubstr("No space left"));
  const int kept = count_files(out, ".result.json");
  EXPECT_GT(kept, 0);
  EXPECT_EQ(count_files(out, ""), kept);  // nothing half-written
  EXPECT_EQ(Json::parse(run.out)["cases"].size(), static_cast<std::size_t>(kept));
  const ProgramResult merged = run_program({"merge", "out", "--json"}, {.folder = folder.path()});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
}

TEST(CliBatch, RepeatComparesTheBits) {
  const TempFolder folder;
  write_text(folder.file("pass.json"), kPassing);
  const ProgramResult run = batch(folder, {"pass.json", "--repeat", "3", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  const Json expectations = Json::parse(run.out)["cases"][0]["expectations"];
  EXPECT_EQ(expectations.back()["that"], "repeat");
  EXPECT_EQ(expectations.back()["found"], "the same bits in 3 runs");
}

TEST(CliBatch, OthersReadTheJUnit) {
  ASSERT_EQ(std::system("xmllint --version >/dev/null 2>&1 && "
                        "/usr/bin/python3 -c 'import junitparser' 2>/dev/null"),
            0)
      << "needs xmllint and python3-junitparser: scripts/setup test";
  const TempFolder folder;
  for (const char* name : {"a", "b"}) fs::create_directory(folder.file(name));
  for (const char* name : {"a/some.json", "b/some.json"}) write_text(folder.file(name), kSome);
  std::string odd = kFailing;
  odd.replace(odd.find("<it>"), 4, "\\u0001\\u001b[1m\\ufffe<it>\\u00e9\\t]]>");
  write_text(folder.file("a/odd.json"), odd);
  write_text(folder.file("a/broken.json"), kBroken);
  batch(folder, {"a", "b", "--junit", "report.xml"});
  const std::string xml = folder.file("report.xml");
  EXPECT_EQ(
      std::system(("xmllint --noout --schema " TALUS_TEST_DATA "/junit.xsd " + xml + " 2>/dev/null")
                      .c_str()),
      0)
      << read_text(xml);
  const std::string script = R"(/usr/bin/python3 -c '
import sys, junitparser
from junitparser import JUnitXml, Failure, Error
xml = JUnitXml.fromfile(sys.argv[1])
cases = [case for suite in xml for case in suite]
kinds = [type(r) for case in cases for r in case.result]
assert (xml.tests, xml.failures, xml.errors) == (10, 5, 1), (xml.tests, xml.failures, xml.errors)
assert kinds.count(Failure) == 5 and kinds.count(Error) == 1, kinds
assert len({(c.classname, c.name) for c in cases}) == len(cases) == 10
' )";
  EXPECT_EQ(std::system((script + xml).c_str()), 0) << read_text(xml);
}

TEST(CliBatch, TheReportFollowsItsSchema) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  write_text(folder.file("broken.json"), kBroken);
  write_text(folder.file("slow.json"), long_run("[3600]"));
  write_text(folder.file("report.txt"),
             batch(folder, {".", "--timeout", "0.2", "--repeat", "2", "--json"}).out);
  write_text(folder.file("schema.txt"), run_program({"schema", "report"}).out);
  const ToolResult result = run_tool(
      "validate_schema.mjs", folder.file("schema.txt") + " valid " + folder.file("report.txt"));
  EXPECT_TRUE(result.content) << result.text;
}

TEST(CliBatch, ThePageNeedsNothingElse) {
  const TempFolder folder;
  write_text(folder.file("some.json"), kSome);
  fs::create_directory(folder.file("pages"));
  batch(folder, {"some.json", "--out", "out", "--save", "trajectory", "--html", "pages/r.html"});
  const std::string page = read_text(folder.file("pages/r.html"));
  EXPECT_THAT(page, HasSubstr("4 cases: 2 passed, 2 failed"));
  EXPECT_THAT(page, HasSubstr("some.json::some[end=0.1]"));
  EXPECT_THAT(page, HasSubstr("<polyline"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  const std::size_t link = page.find("href=\"") + 6;
  const std::string target = page.substr(link, page.find('"', link) - link);
  EXPECT_TRUE(fs::exists(folder.file("pages/" + target))) << target;
}

}  // namespace
}  // namespace talus
