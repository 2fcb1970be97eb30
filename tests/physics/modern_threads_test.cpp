#include <cstring>

#include <gtest/gtest.h>

#include "physics/world.h"
#include "support/debris.h"

namespace talus {
namespace {

std::vector<double> poses_after(int steps, int threads) {
  ModernSettings settings;
  settings.threads = threads;
  const auto world = make_debris(Debris::Cubes, TALUS_SOURCE_DIR "/tests/data/debris", 0,
                                 make_modern_solver(settings));
  for (int i = 0; i < steps; ++i) world->step();
  std::vector<double> poses;
  for (const Body& body : world->bodies()) {
    const Quat& q = body.orientation;
    for (int k = 0; k < 3; ++k) poses.push_back(body.position[k]);
    poses.insert(poses.end(), {q.w, q.x, q.y, q.z});
  }
  return poses;
}

// A thousand cubes, heaped by then: enough for several parts, and for several shares of all work.
TEST(Modern, ThreadsChangeNoBit) {
  const std::vector<double> one = poses_after(240, 1);
  for (const int threads : {2, 4}) {
    const std::vector<double> several = poses_after(240, threads);
    ASSERT_EQ(several.size(), one.size());
    EXPECT_EQ(std::memcmp(several.data(), one.data(), one.size() * sizeof(double)), 0)
        << threads << " threads";
  }
}

}  // namespace
}  // namespace talus
