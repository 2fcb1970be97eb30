#include "collision/box_pairs.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/simd.h"
#include "support/plain_gaps.h"

namespace talus {
namespace {

class BoxPairsAtLevel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(""); }

  float unit() { return std::uniform_real_distribution<float>(-1, 1)(random_); }
  PosedBox box() {
    const Quat turn = normalized(Quat(unit(), unit(), unit(), unit()));
    // Of some, the edges are parallel.
    const Mat3f axes = random_() % 4 == 0 ? Mat3f(1) : Mat3f(rotation_matrix(turn));
    return {{unit(), unit(), unit()}, axes, 0.5F + 0.4F * Vec3f(unit(), unit(), unit()), 0};
  }

  std::mt19937 random_{5};
};

TEST_P(BoxPairsAtLevel, GapsAreThoseOfTheCornersShadows) {
  std::vector<PosedBox> a, b;
  BoxPairs pairs;
  // Twice, so that lanes are used again; and not a whole number of groups.
  for (const int count : {300, 37}) {
    a.clear();
    b.clear();
    pairs.clear();
    for (int i = 0; i < count; ++i) {
      a.push_back(box());
      b.push_back(box());
      pairs.add(a.back(), b.back());
    }
    pairs.measure();
    ASSERT_EQ(pairs.size(), a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Mat3 axes_a(a[k].axes), axes_b(b[k].axes);
      const Corners corners_a = box_corners(Vec3(a[k].center), axes_a, Vec3(a[k].half));
      const Corners corners_b = box_corners(Vec3(b[k].center), axes_b, Vec3(b[k].half));
      const BoxGaps gaps = pairs.gaps(k);
      float greatest = kNoGap;
      const auto compare = [&](Vec3 axis, float gap) {
        EXPECT_NEAR(gap, plain_gap(glm::normalize(axis), corners_a, corners_b), 2e-5);
        greatest = std::max(greatest, gap);
      };
      for (int i = 0; i < 3; ++i) {
        compare(axes_a[i], gaps.along_a[i]);
        compare(axes_b[i], gaps.along_b[i]);
        for (int j = 0; j < 3; ++j) {
          const Vec3 cross = glm::cross(axes_a[i], axes_b[j]);
          if (glm::dot(cross, cross) > kParallelSine2) {
            compare(cross, gaps.along_edges[i][j]);
          } else {
            EXPECT_LE(gaps.along_edges[i][j], kNoGap);
          }
        }
      }
      EXPECT_EQ(pairs.greatest_gap(k), greatest);
    }
  }
}

TEST_P(BoxPairsAtLevel, HaveTheSameBitsAtEveryWidth) {
  BoxPairs pairs;
  for (int i = 0; i < 100; ++i) pairs.add(box(), box());
  BoxPairs narrow = pairs;
  pairs.measure();
  use_simd_level("sse4");
  narrow.measure();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const BoxGaps one = pairs.gaps(k), other = narrow.gaps(k);
    EXPECT_EQ(pairs.greatest_gap(k), narrow.greatest_gap(k));
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(one.along_a[i], other.along_a[i]);
      EXPECT_EQ(one.along_b[i], other.along_b[i]);
      for (int j = 0; j < 3; ++j) EXPECT_EQ(one.along_edges[i][j], other.along_edges[i][j]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, BoxPairsAtLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& level) { return level.param; });

}  // namespace
}  // namespace talus
