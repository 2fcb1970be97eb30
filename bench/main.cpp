#include <benchmark/benchmark.h>

#include "bench/scenario_bench.h"

int main(int argc, char** argv) {
  talus::register_shipped_scenarios();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
