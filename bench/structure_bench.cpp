// A building of `n` blocks: an upper and a lower half, joined by one block, and a mast of ten on
// the roof.
#include <benchmark/benchmark.h>

#include "structure/support.h"

namespace talus {
namespace {

struct Building {
  Blocks blocks;
  Support support;
  BlockId neck = kNoBlock;  // all above it hangs on it
  BlockId mast = kNoBlock;  // lowest of the mast: ten stand on it

  explicit Building(int n) {
    constexpr int kWidth = 50, kDepth = 40;
    const int storeys = n / (kWidth * kDepth), half = storeys / 2;
    for (int y = 0; y < storeys + 1; ++y) {
      if (y == half) {
        neck = add({kWidth / 2, y, kDepth / 2});
        continue;
      }
      for (int z = 0; z < kDepth; ++z) {
        for (int x = 0; x < kWidth; ++x) add({x, y, z});
      }
    }
    mast = add({3, storeys + 1, 3});
    for (int i = 1; i <= 10; ++i) add({3, storeys + 1 + i, 3});
  }

  BlockId add(IVec3 cell) {
    const BlockId id = blocks.place({cell, 1, 0, {}});
    support.set_anchored(id, cell.y == 0);
    return id;
  }
};

void set_blocks(benchmark::State& state, const Building& building) {
  state.counters["blocks"] = static_cast<double>(building.blocks.count());
}

void build(benchmark::State& state) {
  for (auto _ : state) {
    Building building(static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(building.support.unsupported_anywhere(building.blocks));
    set_blocks(state, building);
  }
}
BENCHMARK(build)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// The look at what holds, again and again, once the block is gone.
void cut(benchmark::State& state, BlockId Building::*block, std::size_t falling) {
  Building building(static_cast<int>(state.range(0)));
  const BlockId id = building.*block;
  building.blocks.remove(id);
  for (auto _ : state) {
    const auto fallen = building.support.unsupported(building.blocks, {{id}, {}});
    if (fallen.size() != 1 || fallen[0].size() < falling) {
      return state.SkipWithError("the wrong blocks fall");
    }
  }
  set_blocks(state, building);
}

void cut_drops_ten(benchmark::State& state) {
  cut(state, &Building::mast, 10);
}
BENCHMARK(cut_drops_ten)->Arg(100'000)->Unit(benchmark::kMicrosecond);

void cut_drops_half(benchmark::State& state) {
  cut(state, &Building::neck, static_cast<std::size_t>(state.range(0)) / 2);
}
BENCHMARK(cut_drops_half)->Arg(48'000)->Arg(96'000)->Arg(192'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace talus
