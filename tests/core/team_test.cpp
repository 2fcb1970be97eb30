#include "core/team.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace talus {
namespace {

class TeamOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, TeamOf, testing::Values(1, 2, 3, 8));

TEST_P(TeamOf, EveryShareIsDoneOnce) {
  Team team(GetParam());
  for (const std::size_t count : {0, 1, 2, 3, 7, 64, 1000}) {
    std::vector<std::atomic<int>> done(count);
    team.run(count, [&](std::size_t i) { ++done[i]; });
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i << " of " << count;
  }
}

TEST_P(TeamOf, RunsOfSharesCoverAll) {
  Team team(GetParam());
  for (const std::size_t count : {0, 1, 9, 10, 11, 100}) {
    std::vector<std::atomic<int>> done(count);
    team.run_shares(count, 10, [&](std::size_t first, std::size_t end) {
      EXPECT_LT(first, end);
      EXPECT_LE(end - first, 10U);
      for (std::size_t i = first; i < end; ++i) ++done[i];
    });
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i << " of " << count;
  }
}

// Each stage reads what others wrote in the one before: none starts early, and nothing is unseen.
TEST_P(TeamOf, AStageSeesAllOfTheLast) {
  Team team(GetParam());
  constexpr std::size_t kPlaces = 16;
  std::vector<std::uint64_t> now(kPlaces, 1), next(kPlaces);
  for (int stage = 1; stage <= 2000; ++stage) {
    team.run(kPlaces,
             [&](std::size_t i) { next[i] = now[kPlaces - 1 - i] + now[(i + 5) % kPlaces]; });
    now.swap(next);
    for (std::uint64_t& value : now) value %= 1000003;
  }
  std::vector<std::uint64_t> alone(kPlaces, 1), after(kPlaces);
  for (int stage = 1; stage <= 2000; ++stage) {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      after[i] = (alone[kPlaces - 1 - i] + alone[(i + 5) % kPlaces]) % 1000003;
    }
    alone.swap(after);
  }
  EXPECT_EQ(now, alone);
}

TEST_P(TeamOf, WakesUpAfterAPause) {
  Team team(GetParam());
  std::atomic<int> done = 0;
  for (int i = 0; i < 5; ++i) {
    team.run(100, [&](std::size_t) { ++done; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(done, 500);
}

}  // namespace
}  // namespace talus
