#include "collision/surroundings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/rotation.h"
#include "core/simd.h"

namespace talus {
namespace {

/// Hills with a hole dug and a mound filled, and a crowd of points thrown all over them.
class SurroundingsAtLevel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    use_simd_level(GetParam());
    TerrainSpec spec;
    spec.preset = "hills";
    Terrain terrain{make_preset(spec), {}};
    Brush brush;
    brush.center = {-3, 5, 2};
    brush.radius = 4;
    terrain.edits.push_back(brush);
    brush.mode = Brush::Mode::Fill;
    brush.center = {4, 12, -3};
    terrain.edits.push_back(brush);
    solids_ = std::make_unique<Solids>(Solids{Field(std::move(terrain)), {}});
    for (int i = 0; i < 61; ++i) points_.push_back({unit(), 0.5 * unit(), unit()});
  }
  void TearDown() override { use_simd_level(""); }

  double unit() { return std::uniform_real_distribution<double>(-1, 1)(random_); }

  /// Calls look(surroundings, points) at many places.
  template <class Look>
  void throw_points(const Look& look) {
    for (int i = 0; i < 400; ++i) {
      const Vec3 origin(12 * unit(), 8 + 12 * unit(), 12 * unit());
      const glm::mat3 axes(rotation_matrix(rotation_by({unit(), 3 * unit(), unit()})));
      Surroundings around;
      around.cover(*solids_, {origin - Vec3(2), origin + Vec3(2)}, 1);
      look(around, Surroundings::Points{origin, axes, points_});
    }
  }

  std::mt19937 random_{7};
  std::unique_ptr<Solids> solids_;
  std::vector<Vec3f> points_;
};

TEST_P(SurroundingsAtLevel, WhoIsNearTheGroundIsLookedAtAndHardlyAnybodyElse) {
  std::size_t near = 0, listed = 0, all = 0;
  std::vector<std::uint32_t> numbers;
  throw_points([&](const Surroundings& around, const Surroundings::Points& points) {
    around.near_ground(points, 0.02, numbers);
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      if (!around.ground(points[i], 0.02)) continue;
      ++near;
      EXPECT_TRUE(std::binary_search(numbers.begin(), numbers.end(), i));
    }
    listed += numbers.size();
    all += points_.size();
  });
  EXPECT_GT(near, all / 10);
  EXPECT_LT(near, all * 9 / 10);
  EXPECT_LT(listed - near, all / 10);
}

/// Which is the least of each at least, and never more than is free.
TEST_P(SurroundingsAtLevel, TheClearanceOfManyIsThatOfTheNearest) {
  std::size_t in_the_air = 0, inside = 0;
  throw_points([&](const Surroundings& around, const Surroundings::Points& points) {
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      least = std::min(least, around.clearance(points[i]));
    }
    const double clearance = around.clearance(points);
    if (least <= 0) {
      ++inside;
      EXPECT_EQ(clearance, least);
      return;
    }
    ++in_the_air;
    EXPECT_GE(clearance, least);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 way = glm::normalize(Vec3(unit(), unit(), unit()));
      const Vec3 within = points[i] + 0.999 * std::min(clearance, 0.5) * way;
      EXPECT_LE(solids_->ground.probe(within).density, 0);
    }
  });
  EXPECT_GT(in_the_air, 50u);
  EXPECT_GT(inside, 50u);
}

INSTANTIATE_TEST_SUITE_P(Levels, SurroundingsAtLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace talus
