// The shipped scenarios, whole. The label is the hash of the trajectory: the same wherever it runs,
// and the one of tests/data/golden_trajectories.txt.
#include "bench/scenario_bench.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "scenario/cases.h"
#include "scenario/run.h"

namespace talus {
namespace {

std::string hex(std::uint64_t value) {
  std::string digits(16, '0');
  char text[16];
  const auto end = std::to_chars(text, text + sizeof text, value, 16).ptr;
  const std::string_view all(text, end);
  return digits.replace(digits.size() - all.size(), all.size(), all);
}

void run_shipped(benchmark::State& state, const Scenario& scenario) {
  std::uint64_t hashed = 0;
  for (auto _ : state) hashed = hash(run(scenario).trajectory);
  state.SetLabel(hex(hashed));
}

}  // namespace

void register_shipped_scenarios() {
  const std::vector<std::string> folder = {TALUS_SCENARIOS};
  for (const std::string& path : scenario_files(folder)) {
    for (const Scenario& scenario : read_cases(path, {}).cases) {
      benchmark::RegisterBenchmark(("run_shipped/" + scenario.name).c_str(), run_shipped, scenario)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace talus
