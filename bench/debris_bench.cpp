// Falling debris: the two scenes of tests/support/debris.h, ten seconds of 600 steps.
#include "debris_bench.h"

#include <benchmark/benchmark.h>

#include "support/debris.h"

namespace talus {
namespace {

void run_debris(benchmark::State& state, Debris scene, const ModernSettings& settings) {
  for (auto _ : state) {
    state.PauseTiming();
    auto world = make_debris(scene, kDebrisFolder, 0, make_modern_solver(settings));
    state.ResumeTiming();
    for (int i = 0; i < kDebrisSteps; ++i) {
      world->step();
      world->take_events();
    }
    state.PauseTiming();
    world.reset();
    state.ResumeTiming();
  }
}

void run_debris(benchmark::State& state, Debris scene, bool sleeping) {
  ModernSettings settings;
  settings.sleeping = sleeping;
  run_debris(state, scene, settings);
}

/// One large world whose steps are shared; all awake.
void debris_on_threads(benchmark::State& state, Debris scene) {
  ModernSettings settings;
  settings.sleeping = false;
  settings.threads = static_cast<int>(state.range(0));
  run_debris(state, scene, settings);
}

void one_awake_step(benchmark::State& state) {
  auto world = make_debris(Debris::Cubes, kDebrisFolder, 0, make_modern_solver());
  for (int i = 0; i < 120; ++i) world->step();
  for (auto _ : state) {
    world->step();
    world->take_events();
  }
}
void a_step_at_rest(benchmark::State& state) {
  auto world = make_debris(Debris::Cubes, kDebrisFolder, 0, make_modern_solver());
  for (int i = 0; i < 1200 && !world->all_at_rest(); ++i) world->step();
  for (auto _ : state) world->step();
  state.SetLabel(world->all_at_rest() ? "" : "NOT AT REST");
}

BENCHMARK_CAPTURE(run_debris, cubes, Debris::Cubes, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_debris, cubes_awake, Debris::Cubes, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_debris, pieces, Debris::Pieces, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run_debris, pieces_awake, Debris::Pieces, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(debris_on_threads, cubes, Debris::Cubes)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(one_awake_step)->Unit(benchmark::kMicrosecond)->Iterations(60);
BENCHMARK(a_step_at_rest)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace talus
