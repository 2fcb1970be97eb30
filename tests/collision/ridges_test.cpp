#include "collision/ridges.h"

#include <cmath>
#include <functional>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace talus {
namespace {

const IVec3 kSize(7, 8, 9);

/// The ridges of a density.
std::vector<RidgeEdge> ridges_of(const std::function<double(Vec3)>& density) {
  std::vector<double> samples;
  for (int z = 0; z < kSize.z; ++z) {
    for (int y = 0; y < kSize.y; ++y) {
      for (int x = 0; x < kSize.x; ++x) samples.push_back(density(Vec3(x, y, z)));
    }
  }
  std::vector<RidgeEdge> ridges{{}};  // what was there before does not stay
  find_ridges(samples, kSize, ridges);
  return ridges;
}

TEST(Ridges, PlanesValleysAndGentleMoundsHaveNone) {
  EXPECT_TRUE(ridges_of([](Vec3 p) { return 3.3 + 0.2 * p.x - 0.4 * p.z - p.y; }).empty());
  EXPECT_TRUE(ridges_of([](Vec3 p) { return 2.3 + std::abs(p.z - 4) - p.y; }).empty());
  EXPECT_TRUE(ridges_of([](Vec3 p) {
                return 4.3 - 0.02 * ((p.x - 3) * (p.x - 3) + (p.z - 4) * (p.z - 4)) - p.y;
              }).empty());
}

/// A roof of 45 degrees, its ridge along each axis in turn.
TEST(Ridges, ARoofHasOneAlongItsTop) {
  for (int along = 0; along < 3; ++along) {
    const int up = (along + 1) % 3, across = (along + 2) % 3;
    const auto ridges = ridges_of([&](Vec3 p) { return 4.3 - std::abs(p[across] - 3) - p[up]; });
    double length = 0;
    for (const RidgeEdge& r : ridges) {
      for (const Vec3f& end : {r.a, r.b}) {
        EXPECT_NEAR(end[up], 4.3, 1e-5);
        EXPECT_EQ(end[across], 3);
      }
      EXPECT_NEAR(r.normal[up], 1, 1e-6);
      EXPECT_NEAR(r.cone, std::sqrt(0.5), 1e-6);
      length += glm::distance(r.a, r.b);
    }
    EXPECT_NEAR(length, kSize[along] - 1, 1e-5);
  }
}

/// Ends lie on the surface, and half the angle between the cells' normals is the cone's.
TEST(Ridges, EndsAreOnTheSurfaceAndNormalsLeadOut) {
  const auto density = [](Vec3 p) {
    return 9 - (p.x - 3) * (p.x - 3) - 1.3 * (p.y - 3.5) * (p.y - 3.5) - (p.z - 4) * (p.z - 4);
  };
  const auto ridges = ridges_of(density);
  ASSERT_GT(ridges.size(), 50u);
  for (const RidgeEdge& r : ridges) {
    const Vec3 middle = 0.5 * Vec3(r.a + r.b);
    EXPECT_GT(glm::dot(middle - Vec3(3, 3.5, 4), Vec3(r.normal)), 2);
    EXPECT_NEAR(glm::dot(r.normal, glm::normalize(r.b - r.a)), 0, 1e-4);
    EXPECT_GT(r.cone, 0.8F);
    EXPECT_LT(r.cone, std::cos(0.5 * kSharp) + 1e-6);
    for (const Vec3f& end : {r.a, r.b}) {
      // On an edge of the lattice, where the blend of its two samples is zero.
      const Vec3 low(glm::floor(end)), high(glm::ceil(end));
      const double part = glm::distance(Vec3(end), low);
      EXPECT_NEAR(density(low) + part * (density(high) - density(low)), 0, 1e-4);
    }
  }
}

/// Two crossings of one face that a saddle parts by its middle.
TEST(Ridges, ASaddleHasTwo) {
  for (const double middle : {0.2, -0.2}) {
    const auto ridges = ridges_of([&](Vec3 p) {
      const double u = p.y - 3.5, v = p.z - 4.5;
      return u * v + middle * 0.5 - 0.5 * std::abs(p.x - 3);
    });
    int in_face = 0;
    for (const RidgeEdge& r : ridges) {
      const Vec3f m = 0.5F * (r.a + r.b);
      if (m.x != 3 || std::abs(m.y - 3.5F) > 0.5F || std::abs(m.z - 4.5F) > 0.5F) continue;
      ++in_face;
      // Solid is where both are large alike; the corners cut off are those of the middle's other
      // kind.
      EXPECT_EQ((m.y - 3.5F) * (m.z - 4.5F) < 0, middle > 0);
    }
    EXPECT_EQ(in_face, 2);
  }
}

}  // namespace
}  // namespace talus
