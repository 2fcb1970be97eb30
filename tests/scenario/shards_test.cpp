#include "scenario/shards.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> many_ids(int count) {
  std::vector<std::string> ids;
  ids.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ids.push_back("a.json::a[n=" + std::to_string(i) + "]");
  return ids;
}

TEST(Shards, EveryCaseIsInOne) {
  const std::vector<std::string> ids = many_ids(23);
  Durations known;
  for (int i = 0; i < 23; i += 2) known[ids[static_cast<std::size_t>(i)]] = i * i % 7;
  for (const Durations& durations : {Durations{}, known}) {
    for (const int shards : {1, 2, 5, 30}) {
      std::multiset<std::size_t> seen;
      for (int shard = 1; shard <= shards; ++shard) {
        const auto mine = shard_cases(ids, durations, shard, shards);
        EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
        seen.insert(mine.begin(), mine.end());
      }
      EXPECT_EQ(seen.size(), ids.size());
      EXPECT_EQ(std::set<std::size_t>(seen.begin(), seen.end()).size(), ids.size());
    }
  }
}

TEST(Shards, WithoutDurationsEveryNth) {
  EXPECT_THAT(shard_cases(many_ids(7), {}, 2, 3), ElementsAre(1, 4));
}

TEST(Shards, DurationsBalanceThem) {
  const std::vector<std::string> ids = many_ids(5);
  const Durations known = {{ids[0], 1}, {ids[1], 9}, {ids[2], 3}, {ids[3], 3}, {ids[4], 2}};
  EXPECT_THAT(shard_cases(ids, known, 1, 2), ElementsAre(1));
  EXPECT_THAT(shard_cases(ids, known, 2, 2), ElementsAre(0, 2, 3, 4));
  EXPECT_THAT(longest_first(ids, known), ElementsAre(1, 2, 3, 4, 0));
  EXPECT_THAT(expected_durations(ids, {{ids[1], 2}, {ids[2], 4}}), ElementsAre(3, 2, 4, 3, 3));
}

TEST(Shards, DurationsComeFromReportsAndPlainObjects) {
  const TempFolder folder;
  const std::string path = folder.file("report.json");
  write_text(path, R"({"cases": [{"name": "a", "took_s": 2.5}, {"name": "b"}, 3, {"took_s": 1}]})");
  EXPECT_EQ(read_durations(path), (Durations{{"a", 2.5}}));
  write_text(path, R"({"a": 1, "b": "x", "c": -1})");
  EXPECT_EQ(read_durations(path), (Durations{{"a", 1}}));
  write_text(path, "[]");
  EXPECT_THAT(error_of([&] { read_durations(path); }), HasSubstr("talus batch --json"));
}

}  // namespace
}  // namespace talus
