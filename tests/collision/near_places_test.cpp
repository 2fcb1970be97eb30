#include "collision/near_places.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "collision/surroundings.h"
#include "collision/terrain_triangles.h"

namespace talus {
namespace {

/// A cell through which a plane goes: density rises against `out`, and is 0 at `through`.
std::array<double, 8> plane_cell(Vec3 through, Vec3 out) {
  std::array<double, 8> corners{};
  for (std::size_t i = 0; i < 8; ++i) {
    const Vec3 corner(i & 1, i >> 1 & 1, i >> 2);
    corners[i] = -glm::dot(corner - through, out);
  }
  return corners;
}

TEST(NearPlaces, OfAPlaneItIsTheFootWhereThatIsInTheCell) {
  const Vec3 out = glm::normalize(Vec3(0.2, 1, -0.3));
  const auto cell = plane_cell({0.5, 0.5, 0.5}, out);
  const auto at = nearest_in_cell(cell, Vec3(0.6, 0.45, 0.5) + 0.7 * out);
  ASSERT_TRUE(at);
  const Vec3 flat = Vec3(0.6, 0.45, 0.5);
  EXPECT_LT(glm::distance(*at, flat - glm::dot(flat - Vec3(0.5), out) * out), 1e-9);
}

TEST(NearPlaces, BesideTheCellItIsOnTheCellsSide) {
  const auto cell = plane_cell({0, 0.5, 0}, {0, 1, 0});
  const auto at = nearest_in_cell(cell, {1.75, 1, -0.25});
  ASSERT_TRUE(at);
  EXPECT_LT(glm::distance(*at, Vec3(1, 0.5, 0)), 1e-9);
}

TEST(NearPlaces, ACellThatTheSurfaceMissesHasNone) {
  EXPECT_FALSE(nearest_in_cell(plane_cell({0, 1.5, 0}, {0, 1, 0}), {0.5, 2, 0.5}));
}

NearPlace place(Vec3 at, Vec3 point) {
  const double distance = glm::distance(at, point);
  return {at, (point - at) / distance, distance};
}

TEST(NearPlaces, InACreaseBothFlanksStayOnAPlaneOnlyTheFoot) {
  const Vec3 point(0, 1, 0);
  std::vector<NearPlace> places = {place({0.9, 0.3, 0}, point), place({0, 0, 0.5}, point),
                                   place({0, 0, 0}, point), place({0, 0, 0}, point)};
  keep_separate(places);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].at, Vec3(0));
  EXPECT_EQ(places[1].at, Vec3(0.9, 0.3, 0));
}

/// The distance from the surface by trying everything: along a line in a cell the density is
/// linear, so where it is 0 is known.
class Everywhere {
 public:
  explicit Everywhere(Field& field) : field_(field) {}

  double distance(Vec3 point, double reach) {
    double least = HUGE_VAL;
    const Vec3 lo = glm::floor(point - Vec3(reach)), hi = glm::floor(point + Vec3(reach));
    for (double z = lo.z; z <= hi.z; ++z) {
      for (double y = lo.y; y <= hi.y; ++y) {
        for (double x = lo.x; x <= hi.x; ++x) {
          for (int axis = 0; axis < 3; ++axis)
            least = std::min(least, along(Vec3(x, y, z), axis, point));
        }
      }
    }
    return least;
  }

 private:
  double along(Vec3 cell, int axis, Vec3 point) {
    constexpr int kLines = 40;
    constexpr double kInside = 1e-9;
    double least = HUGE_VAL;
    for (int i = 0; i <= kLines; ++i) {
      for (int j = 0; j <= kLines; ++j) {
        Vec3 from = cell;
        from[(axis + 1) % 3] += std::clamp(i / double{kLines}, kInside, 1 - kInside);
        from[(axis + 2) % 3] += std::clamp(j / double{kLines}, kInside, 1 - kInside);
        Vec3 to = from;
        from[axis] += kInside;
        to[axis] += 1 - kInside;
        const double d0 = field_.probe(from).density, d1 = field_.probe(to).density;
        if ((d0 > 0) == (d1 > 0)) continue;
        least = std::min(least, glm::distance(glm::mix(from, to, d0 / (d0 - d1)), point));
      }
    }
    return least;
  }

  Field& field_;
};

class NearPlacesOfHills : public testing::Test {
 protected:
  NearPlacesOfHills() {
    TerrainSpec spec;
    spec.preset = "hills";
    spec.seed = 20261114;
    terrain_ = Terrain{make_preset(spec), {}};
    solids_ = Solids{Field(terrain_), {}};
  }

  /// Calls look(point) at places in the open, none over 0.6 m from the ground.
  template <class Look>
  void look_around(const Look& look) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> unit(0, 1);
    int looks = 0;
    for (int i = 0; i < 2000 && looks < 60; ++i) {
      const Vec3 point(380 + 24 * unit(random), -45 + 50 * unit(random), 150 + 24 * unit(random));
      const NearestSurface near = solids_.ground.nearest(point);
      if (near.distance < 0.05 || near.distance > 0.6) continue;
      around_.cover(solids_, {point - Vec3(0.6), point + Vec3(0.6)}, 1);
      look(point);
      ++looks;
    }
    EXPECT_GE(looks, 20);
  }

  Terrain terrain_;
  Solids solids_{Field(Terrain{}), {}};
  Surroundings around_;
};

TEST_F(NearPlacesOfHills, TheFirstIsTheNearestOfAll) {
  Everywhere everywhere(solids_.ground);
  std::vector<NearPlace> places;
  int creases = 0;
  look_around([&](Vec3 point) {
    around_.near_places(point, 0.6, places);
    const double expected = everywhere.distance(point, 0.6);
    if (places.empty()) {
      EXPECT_GT(expected, 0.6 - 0.002);
      return;
    }
    EXPECT_NEAR(places.front().distance, expected, 0.002);
    creases += places.size() > 1;
    for (const NearPlace& place : places) {
      EXPECT_NEAR(solids_.ground.nearest(place.at).distance, 0, 0.002);
      EXPECT_LT(glm::distance(place.at + place.out * place.distance, point), 1e-9);
    }
  });
  EXPECT_GT(creases, 0);
}

TEST_F(NearPlacesOfHills, OfTrianglesToo) {
  solids_.triangles = std::make_shared<TerrainTriangles>(terrain_);
  std::vector<NearPlace> places;
  look_around([&](Vec3 point) {
    around_.near_places(point, 0.6, places);
    const auto nearest = around_.ground(point, 0.6);
    if (!nearest || nearest->distance <= 0) return;
    ASSERT_FALSE(places.empty());
    EXPECT_NEAR(places.front().distance, nearest->distance, 1e-5);
    for (std::size_t i = 1; i < places.size(); ++i)
      EXPECT_LE(places[i - 1].distance, places[i].distance);
  });
}

}  // namespace
}  // namespace talus
