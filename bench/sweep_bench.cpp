// Sweeps against a wall of n x n faces, and balls that bounce about a valley of the default hills.
//
// Reached on one core of a server that others used, too: a sweep 3.5 us at 16 x 16 faces, 7 us at
// 1024 x 1024. A step of 10 000 balls: 2.4 ms in flight, 3.2 ms as the first land (1 s), 6.6 ms
// where all roll (2 s), 33 ms where they lie in a heap at the bottom and push (4 s). Rolling costs
// half a microsecond a ball, for the time at which it touches in 106 bits; a heap several of these.
#include <benchmark/benchmark.h>

#include "collision/sweep_world.h"
#include "core/random.h"
#include "physics/balls.h"
#include "terrain/preset.h"

namespace talus {
namespace {

void talus_sweep_wall(benchmark::State& state) {
  const int side = static_cast<int>(state.range(0));
  Blocks wall;
  for (int y = 0; y < side; ++y) {
    for (int z = 0; z < side; ++z) wall.place({{0, y, z}, 1, 0, {}});
  }
  Mulberry32 random(1);
  for ([[maybe_unused]] auto _ : state) {
    const double y = 1 + random.next() * (side * kCell - 2);
    const double z = 1 + random.next() * (side * kCell - 2);
    benchmark::DoNotOptimize(sweep_blocks(wall, {{-2, y, z}, {0.2, y + 0.5, z + 0.3}, 0.25}));
  }
}
BENCHMARK(talus_sweep_wall)->RangeMultiplier(4)->Range(16, 1024);

/// The half second after `range(1)` steps.
void talus_balls_valley(benchmark::State& state) {
  TerrainTriangles ground(Terrain{make_preset({}), {}});
  Mulberry32 random(2);
  std::vector<Ball> balls(static_cast<std::size_t>(state.range(0)));
  for (Ball& ball : balls) {
    ball.radius = 0.1 + 0.1 * random.next();
    ball.position = {280 + random.next() * 60, 0, -90 + random.next() * 60};
    ball.position.y =
        ground.terrain().preset->height(ball.position.x, ball.position.z) + 4 + 8 * random.next();
  }
  BallStepper stepper;
  const BallSurroundings around{.ground = &ground};
  for (int i = 0; i < state.range(1); ++i) stepper.step(balls, around, {}, 1.0 / 120);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(stepper.step(balls, around, {}, 1.0 / 120));
  }
}
BENCHMARK(talus_balls_valley)
    ->ArgsProduct({{1000, 10000}, {30, 120, 240, 480}})
    ->Iterations(60)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace talus
