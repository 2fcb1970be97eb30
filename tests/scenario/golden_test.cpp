// The shipped scenarios, to the bit. tests/data/golden_trajectories.txt has a line a case with the
// hash of its whole trajectory ("all"), and lines with those of its bodies, so that a change names
// the first body that moves otherwise. A change that is meant is put there by hand, with its reason
// in the commit.
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenario/cases.h"
#include "scenario/run.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

/// "case body" to its hash.
using Hashes = std::map<std::string, std::string>;

Hashes golden() {
  std::istringstream lines(read_text(TALUS_TEST_DATA "/golden_trajectories.txt"));
  Hashes hashes;
  for (std::string name, body, value; lines >> name >> body >> value;) {
    hashes[name.append(" ").append(body)] = value;
  }
  return hashes;
}

std::string hash_text(const Trajectory& trajectory) {
  return fmt::format("{:016x}", hash(trajectory));
}

/// Compares the bodies first, in their order, so that the first one that differs is named.
void expect_golden(const Trajectory& t, const std::string& name, const Hashes& wanted) {
  std::string now;
  for (const BodyTrack& track : t.bodies) {
    Trajectory one;
    one.t_s = t.t_s;
    one.bodies = {track};
    const std::string line = fmt::format("{} {}", name, track.id);
    now += line + " " + hash_text(one) + "\n";
    const auto golden = wanted.find(line);
    if (golden == wanted.end() || golden->second == hash_text(one)) continue;
    ADD_FAILURE() << name << ": body " << track.id << " '" << track.name
                  << "' is the first that moves otherwise";
    break;
  }
  const auto whole = wanted.find(name + " all");
  ASSERT_NE(whole, wanted.end()) << "not in the file: " << name << " all " << hash_text(t) << "\n"
                                 << now;
  EXPECT_EQ(whole->second, hash_text(t)) << name << " all; its bodies now:\n" << now;
}

TEST(Golden, ShippedScenariosRunToTheSameBits) {
  const Hashes wanted = golden();
  const std::vector<std::string> folder = {TALUS_SOURCE_DIR "/scenarios"};
  for (const std::string& path : scenario_files(folder)) {
    for (const Scenario& scenario : read_cases(path, {}).cases) {
      expect_golden(run(scenario).trajectory, scenario.name, wanted);
    }
  }
}

}  // namespace
}  // namespace talus
