// Thirty starts of each debris scene: when all sleeps, and how deep anything lies in anything.
//   debris_seeds [first [last]]
#include <cstdio>
#include <cstdlib>

#include "debris_bench.h"
#include "support/debris.h"
#include "support/overlap.h"

int main(int argc, char** argv) {
  using namespace talus;
  const int first = argc > 1 ? std::atoi(argv[1]) : 1, last = argc > 2 ? std::atoi(argv[2]) : 30;
  std::puts("scene,seed,asleep_s,pair_mm,ground_mm,below");
  for (const Debris scene : {Debris::Cubes, Debris::Pieces}) {
    for (int seed = first; seed <= last; ++seed) {
      const auto world =
          make_debris(scene, kDebrisFolder, static_cast<std::uint32_t>(seed), make_modern_solver());
      double asleep = -1;
      for (int i = 0; i < kDebrisSteps; ++i) {
        world->step();
        if (!world->all_at_rest())
          asleep = -1;
        else if (asleep < 0)
          asleep = world->time_s();
      }
      const Overlap overlap = measure_overlap(*world);
      std::printf("%s,%d,%.2f,%.3f,%.3f,%d\n", scene == Debris::Cubes ? "cubes" : "pieces", seed,
                  asleep, 1000 * overlap.pair_m, 1000 * overlap.ground_m, overlap.below);
      std::fflush(stdout);
    }
  }
}
