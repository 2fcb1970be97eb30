#include "physics/slabs.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace talus {
namespace {

std::vector<std::uint64_t> weights_of(const Slabs& slabs, const std::vector<Slabs::Body>& bodies) {
  std::vector<std::uint64_t> weights(slabs.count());
  for (const Slabs::Body& body : bodies) weights[slabs.of(body.position)] += body.weight;
  return weights;
}

TEST(Slabs, ShareTheWeightWhicheverWayTheHeapLies) {
  for (const Vec3 size : {Vec3(40, 3, 5), Vec3(5, 3, 40), Vec3(2, 30, 2)}) {
    std::mt19937 random(7);
    const auto unit = [&] { return random() / 4294967296.0; };
    std::vector<Slabs::Body> bodies;
    std::uint64_t all = 0;
    for (int i = 0; i < 1000; ++i) {
      // Dense at one end.
      const double t = unit() * unit();
      const auto weight = static_cast<std::uint32_t>(1 + 5 * unit());
      bodies.push_back({size * Vec3(t, t, t) + Vec3(-1000, 7, 3), weight});
      all += weight;
    }
    Slabs slabs;
    slabs.divide(bodies, 4);
    ASSERT_EQ(slabs.count(), 4U);
    for (const std::uint64_t weight : weights_of(slabs, bodies)) {
      EXPECT_NEAR(static_cast<double>(weight), static_cast<double>(all) / 4, 0.1 * all);
    }
  }
}

TEST(Slabs, FollowOneAnotherAndGoOnOutside) {
  std::vector<Slabs::Body> bodies;
  bodies.reserve(100);
  for (int i = 0; i < 100; ++i) bodies.push_back({Vec3(0, 0, i), 1});
  Slabs slabs;
  slabs.divide(bodies, 4);
  std::uint32_t last = 0;
  for (double z = -50; z < 150; z += 0.25) {
    const std::uint32_t slab = slabs.of(Vec3(1e9, -1e9, z));
    EXPECT_GE(slab, last) << z;
    last = slab;
  }
  EXPECT_EQ(last, 3U);
  EXPECT_EQ(slabs.of(Vec3(0, 0, -1e300)), 0U);
  EXPECT_EQ(slabs.of(Vec3(0, 0, 1e300)), 3U);
}

TEST(Slabs, OneIsAllAndSoIsASinglePlace) {
  Slabs slabs;
  EXPECT_EQ(slabs.of(Vec3(5)), 0U);
  const std::vector<Slabs::Body> here(10, {Vec3(3), 2});
  slabs.divide(here, 4);
  const auto weights = weights_of(slabs, here);
  EXPECT_EQ(*std::max_element(weights.begin(), weights.end()), 20U);
  slabs.divide({}, 1);
  EXPECT_EQ(slabs.count(), 1U);
  EXPECT_EQ(slabs.of(Vec3(-8, 2, 1e6)), 0U);
}

}  // namespace
}  // namespace talus
