#include <filesystem>
#include <regex>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/batch_scenarios.h"
#include "support/program.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

ProgramResult talus(const TempFolder& folder, const Words& words) {
  return run_program(words, {.folder = folder.path()});
}

class CliMerge : public ::testing::Test {
 protected:
  CliMerge() {
    fs::create_directory(folder_.file("more"));
    write_text(folder_.file("some.json"), kSome);
    write_text(folder_.file("more/some.json"), kSome);
    write_text(folder_.file("fail.json"), kFailing);
    write_text(folder_.file("broken.json"), kBroken);
  }

  void run_shards(const Words& more = {}) const {
    for (const char* shard : {"1", "2", "3"}) {
      Words words = {"batch",
                     ".",
                     "more",
                     "--shard",
                     std::string(shard) + "/3",
                     "--out",
                     std::string("shard") + shard};
      words.insert(words.end(), more.begin(), more.end());
      talus(folder_, words);
    }
  }

  std::string path_of(const std::string& shard, const std::string& stem) const {
    for (const auto& entry : fs::directory_iterator(folder_.file(shard))) {
      if (entry.path().filename().string().starts_with(stem)) return entry.path();
    }
    return "";
  }

  TempFolder folder_;
};

TEST_F(CliMerge, ThreeShardsMergedEqualOneRun) {
  const ProgramResult one =
      talus(folder_, {"batch", ".", "more", "--json", "--junit", "one.xml", "--html", "one.html"});
  write_text(folder_.file("durations.txt"), one.out);
  for (const Words& more : {Words{}, Words{"--durations", "durations.txt"}}) {
    run_shards(more);
    const ProgramResult merged = talus(folder_, {"merge", "shard3", "shard1", "shard2", "--json",
                                                 "--junit", "merged.xml", "--html", "m.html"});
    EXPECT_EQ(merged.exit_code, one.exit_code);
    EXPECT_EQ(Json::parse(merged.out)["cases"].size(), 10u);
    EXPECT_EQ(without_times(merged.out), without_times(one.out));
    EXPECT_EQ(without_times(read_text(folder_.file("merged.xml"))),
              without_times(read_text(folder_.file("one.xml"))));
    for (const char* shard : {"shard1", "shard2", "shard3"}) {
      fs::remove_all(folder_.file(shard));
    }
  }
}

TEST_F(CliMerge, ACaseWithoutAResultIsNamed) {
  fs::remove(folder_.file("broken.json"));
  const std::string list = talus(folder_, {"list", "--json", ".", "more"}).out;
  write_text(folder_.file("cases.txt"), list);
  run_shards();
  const auto merge = [&] {
    return talus(folder_, {"merge", "shard1", "shard2", "shard3", "--expect", "cases.txt"});
  };
  const ProgramResult whole = merge();
  EXPECT_EQ(whole.exit_code, 1) << whole.err;
  EXPECT_THAT(whole.err, Not(HasSubstr("no result")));
  EXPECT_THAT(whole.err, Not(HasSubstr("counts")));
  for (const char* shard : {"shard1", "shard2", "shard3"}) {
    if (const std::string path = path_of(shard, "fail-"); !path.empty()) fs::remove(path);
  }
  const ProgramResult less = merge();
  EXPECT_EQ(less.exit_code, 2);
  EXPECT_THAT(less.err, HasSubstr("fail.json::fail: has no result"));
  EXPECT_THAT(less.out, HasSubstr("ERROR   fail.json::fail"));
}

TEST_F(CliMerge, AResultOfOtherContentIsNone) {
  fs::remove(folder_.file("broken.json"));
  run_shards();
  write_text(folder_.file("fail.json"), kPassing);
  write_text(folder_.file("cases.txt"), talus(folder_, {"list", "--json", ".", "more"}).out);
  const ProgramResult run =
      talus(folder_, {"merge", "shard1", "shard2", "shard3", "--expect", "cases.txt"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("fail.json::fail: has no result"));
}

TEST_F(CliMerge, ResultsOfOneCaseMustBeEqual) {
  const Words words = {"batch", "some.json", "--out"};
  for (const char* out : {"a", "b"}) {
    Words all = words;
    all.push_back(out);
    talus(folder_, all);
  }
  EXPECT_THAT(talus(folder_, {"merge", "a", "b"}).out, HasSubstr("2 passed, 2 failed"));
  const std::string path = path_of("b", "some-end=3");
  write_text(path, std::regex_replace(read_text(path), std::regex(R"re("trajectory_hash": "...)re"),
                                      "\"trajectory_hash\": \"fff"));
  const ProgramResult run = talus(folder_, {"merge", "a", "b"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.out, HasSubstr("1 passed, 3 failed"));
  EXPECT_THAT(run.out, HasSubstr("expected  equal results from every shard"));
}

TEST_F(CliMerge, WhatIsNoResultIsAnError) {
  fs::create_directory(folder_.file("a"));
  EXPECT_EQ(talus(folder_, {"merge", "a"}).exit_code, 3);
  EXPECT_EQ(talus(folder_, {"merge", "nowhere"}).exit_code, 2);
  EXPECT_EQ(talus(folder_, {"merge"}).exit_code, 2);
  EXPECT_EQ(talus(folder_, {"merge", "a", "--expect", "some.json"}).exit_code, 2);
  talus(folder_, {"batch", "fail.json", "--out", "a"});
  const std::string path = path_of("a", "fail"), whole = read_text(path);
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    write_text(path, whole.substr(0, length));
    EXPECT_EQ(talus(folder_, {"merge", "a"}).exit_code, 2) << length;
  }
}

}  // namespace
}  // namespace talus
