// What holds for every shipped scenario, beyond what each expects of itself.
#include <cmath>

#include <gtest/gtest.h>

#include "scenario/cases.h"
#include "scenario/files.h"
#include "scenario/run.h"

namespace talus {
namespace {

std::vector<Scenario> shipped() {
  std::vector<Scenario> all;
  const std::vector<std::string> folder = {TALUS_SOURCE_DIR "/scenarios"};
  for (const std::string& path : scenario_files(folder)) {
    for (const Scenario& scenario : read_cases(path, {}).cases) all.push_back(scenario);
  }
  return all;
}

double mass_of(const Trajectory& trajectory) {
  double mass = 0;
  for (const BodyTrack& body : trajectory.bodies) mass += body.mass_kg;
  return mass;
}

// A hit that is found late is pushed out of what it overlaps, which lifts it, by less than two
// millimetres a step. Beyond that nothing adds energy: not contacts, not rounding.
TEST(Shipped, NoStepAddsEnergy) {
  for (Scenario scenario : shipped()) {
    Expectation energy;
    energy.kind = Expectation::Kind::Energy;
    energy.tolerance = HUGE_VAL;
    scenario.expect = {energy};
    const double metre_of_fall = 9.81 * mass_of(run(scenario).trajectory);
    scenario.expect[0].tolerance = 0.002 * metre_of_fall;
    const ExpectationResult seen = run(scenario).expectations.at(0);
    EXPECT_TRUE(seen.passed) << scenario.name << ": " << seen.found << " at " << seen.time_s
                             << " s";
  }
}

TEST(Shipped, RunsUnderBothPresetsWithoutLosingABlock) {
  for (Scenario scenario : shipped()) {
    for (const char* preset : {"modern", "classic"}) {
      scenario.settings.preset = preset;
      if (scenario.settings.is_classic()) scenario.water = {};  // it knows none
      const Report report = run(scenario);
      EXPECT_TRUE(report.counts.conserved()) << scenario.name << ", preset " << preset;
      EXPECT_GT(report.counts.built, 0) << scenario.name << ", preset " << preset;
    }
  }
}

}  // namespace
}  // namespace talus
