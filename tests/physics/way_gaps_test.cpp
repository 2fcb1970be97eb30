#include "physics/way_gaps.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/simd.h"
#include "support/plain_gaps.h"

namespace talus {
namespace {

using Part = ColliderShape::Part;

/// Of two boxes, the greatest gap along all fifteen axes, and along their faces' normals, which is
/// enough where it is positive.
struct PlainGaps {
  double all, enough;
};

PlainGaps plain_gaps(const Mat3& axes_a, const Corners& a, const Mat3& axes_b, const Corners& b) {
  double faces = -HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    faces = std::max({faces, plain_gap(axes_a[i], a, b), plain_gap(axes_b[i], a, b)});
  }
  double all = faces;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 cross = glm::cross(axes_a[i], axes_b[j]);
      if (glm::dot(cross, cross) < 2 * kParallelSine2) continue;
      all = std::max(all, plain_gap(glm::normalize(cross), a, b));
    }
  }
  return {all, faces > 0 ? faces : all};
}

Corners corners_of(const Part& part, const Mat3& axes, Vec3 position) {
  return box_corners(position + axes * Vec3(part.middle), axes, Vec3(part.half));
}

/// Bodies of one to three boxes that pass one another, or meet.
class WayGaps : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(""); }

  float unit() { return std::uniform_real_distribution<float>(-1, 1)(random_); }
  Vec3f vector() { return {unit(), unit(), unit()}; }

  std::vector<Part> boxes() {
    std::vector<Part> parts(1 + random_() % 3);
    for (Part& part : parts) part = {0.8F * vector(), 0.3F + 0.2F * glm::abs(vector()), 0};
    return parts;
  }
  BoxesUnderWay body(const std::vector<Part>& parts, Vec3f start) {
    BoxesUnderWay body{parts, start, vector(), 1, {}, {}};
    const Quat from = normalized(Quat(unit(), unit(), unit(), unit()));
    body.from = glm::quat(from);
    body.to = glm::quat(rotation_by(0.25 * Vec3(vector())) * from);
    if (random_() % 4 == 0) body.end = 0.6F;
    if (random_() % 4 == 0) body.from_t = 0.2F, body.to_t = 0.7F;
    return body;
  }
  static Quat orientation(const BoxesUnderWay& body, double t) {
    const double share = (t - body.from_t) / (double{body.to_t} - body.from_t);
    return normalized(Quat(body.from) * (1 - share) + Quat(body.to) * share);
  }
  static PlainGaps plain(const BoxesUnderWay& a, const BoxesUnderWay& b, double moment) {
    const double ta = std::min<double>(moment, a.end), tb = std::min<double>(moment, b.end);
    const Mat3 axes_a = rotation_matrix(orientation(a, ta));
    const Mat3 axes_b = rotation_matrix(orientation(b, tb));
    PlainGaps least{HUGE_VAL, HUGE_VAL};
    for (const Part& mine : a.boxes) {
      for (const Part& other : b.boxes) {
        const PlainGaps gaps =
            plain_gaps(axes_a, corners_of(mine, axes_a, Vec3(a.start) + ta * Vec3(a.shift)), axes_b,
                       corners_of(other, axes_b, Vec3(b.start) + tb * Vec3(b.shift)));
        least.all = std::min(least.all, gaps.all);
        least.enough = std::min(least.enough, gaps.enough);
      }
    }
    return least;
  }

  std::mt19937 random_{3};
};

TEST_P(WayGaps, AreNoMoreThanTheDistanceAndAsDeepAsTheOverlap) {
  constexpr double kRounding = 1e-5;
  int apart = 0, overlapping = 0, by_edges = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::vector<Part> parts_a = boxes(), parts_b = boxes();
    const BoxesUnderWay a = body(parts_a, vector()), b = body(parts_b, vector() * 2.0F);
    Moments moments;
    for (float& t : moments) t = 0.5F + 0.5F * unit();
    const Moments gaps = gaps_under_way(a, b, moments);
    for (std::size_t k = 0; k < kMoments; ++k) {
      const PlainGaps exact = plain(a, b, moments[k]);
      EXPECT_LE(gaps[k], exact.all + kRounding);
      EXPECT_GE(gaps[k], exact.enough - kRounding);
      apart += exact.all > 0.1;
      overlapping += exact.all < 0;
      by_edges += exact.all > 0 && exact.all == exact.enough;
    }
  }
  EXPECT_GT(apart, 5000);
  EXPECT_GT(overlapping, 3000);
  EXPECT_GT(by_edges, 50);
}

TEST_P(WayGaps, HaveTheSameBitsAtEveryWidth) {
  for (int i = 0; i < 200; ++i) {
    const std::vector<Part> parts_a = boxes(), parts_b = boxes();
    const BoxesUnderWay a = body(parts_a, vector()), b = body(parts_b, vector() * 2.0F);
    Moments moments;
    for (float& t : moments) t = 0.5F + 0.5F * unit();
    const Moments gaps = gaps_under_way(a, b, moments);
    use_simd_level("sse4");
    EXPECT_EQ(gaps, gaps_under_way(a, b, moments));
    use_simd_level(GetParam());
  }
}

TEST_P(WayGaps, AreInfiniteWithoutBoxes) {
  const std::vector<Part> parts = boxes();
  const BoxesUnderWay a = body(parts, Vec3f(0)), none;
  for (const float gap : gaps_under_way(a, none, {})) EXPECT_EQ(gap, HUGE_VALF);
}

INSTANTIATE_TEST_SUITE_P(AtEverySimdLevel, WayGaps, testing::ValuesIn(simd_levels()),
                         [](const auto& level) { return level.param; });

}  // namespace
}  // namespace talus
