#include "collision/surroundings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/error.h"
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

/// Hills with a pit and a heap.
Solids hills() {
  Terrain terrain{make_preset({}), {}};
  const double y = terrain.preset->height(320, -48);
  Brush brush;
  brush.mode = Brush::Mode::Dig;
  brush.center = {322, y, -46};
  brush.radius = 3;
  terrain.edits.push_back(brush);
  brush.mode = Brush::Mode::Fill;
  brush.center = {315, y + 2, -52};
  terrain.edits.push_back(brush);
  return {Field(terrain), {}};
}
Box around(Solids& solids) {
  const Vec3 middle(320, solids.ground.terrain().preset->height(320, -48), -48);
  return {middle - Vec3(12), middle + Vec3(12)};
}

struct RandomPoints {
  std::mt19937 random;
  std::uniform_real_distribution<double> unit{0, 1};

  Vec3 in(const Box& box) {
    const double x = unit(random), y = unit(random), z = unit(random);
    return box.lo + (box.hi - box.lo) * Vec3(x, y, z);
  }
};

TEST(Surroundings, TheGroundIsTheFields) {
  Solids solids = hills();
  const Box box = around(solids);
  Surroundings surroundings;
  surroundings.cover(solids, box, 1);
  RandomPoints points{std::mt19937(1)};
  int met = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = points.in(box);
    const double reach = 0.3;
    const NearestSurface field = solids.ground.nearest(p);
    const auto found = surroundings.ground(p, reach);
    ASSERT_EQ(found.has_value(), field.distance < reach) << i;
    if (!found) continue;
    EXPECT_EQ(found->distance, field.distance);
    EXPECT_EQ(found->normal, field.normal);
    ++met;
  }
  EXPECT_GT(met, 1000);
}

TEST(Surroundings, NothingIsNearerThanTheClearance) {
  for (const bool by_triangles : {false, true}) {
    Solids solids = hills();
    if (by_triangles) {
      solids.triangles = std::make_shared<TerrainTriangles>(solids.ground.terrain());
    }
    const Box box = around(solids), inner{box.lo + Vec3(2), box.hi - Vec3(2)};
    Surroundings surroundings;
    surroundings.cover(solids, box, 1);
    RandomPoints points{std::mt19937(2)};
    int near = 0;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 p = points.in(inner);
      const double clearance = surroundings.clearance(p);
      if (clearance <= 0) {
        EXPECT_LT(solids.ground.nearest(p).distance, 0.5);
        continue;
      }
      if (by_triangles) {
        const auto exact = solids.triangles->nearest(p, 2);
        ASSERT_LE(clearance, exact ? exact->distance + 1e-4 : HUGE_VAL) << i;
        near += exact.has_value();
        continue;
      }
      for (int k = 0; k < 20; ++k) {
        const double r = std::min(clearance, 2.0) / std::sqrt(3.0);
        const Vec3 other = points.in({p - Vec3(r), p + Vec3(r)});
        ASSERT_LE(solids.ground.probe(other).density, 0) << i;
      }
      near += clearance < 2;
    }
    EXPECT_GT(near, 300);
  }
}

TEST(Surroundings, AreKeptWhileTheBoxStaysWithinAndNothingChanges) {
  Solids solids = hills();
  const Box box = around(solids);
  Surroundings surroundings;
  EXPECT_FALSE(surroundings.covers(box, 1));
  surroundings.cover(solids, box, 1);
  EXPECT_TRUE(surroundings.covers(box, 1));
  EXPECT_TRUE(surroundings.covers({box.lo - Vec3(0.5), box.hi + Vec3(0.5)}, 1));
  EXPECT_FALSE(surroundings.covers({box.lo - Vec3(1), box.hi}, 1));
  EXPECT_FALSE(surroundings.covers(box, 2));
  EXPECT_FALSE(surroundings.all_air());
  surroundings.cover(solids, {box.lo + Vec3(0, 200, 0), box.hi + Vec3(0, 200, 0)}, 1);
  EXPECT_TRUE(surroundings.all_air());
  EXPECT_EQ(surroundings.clearance(box.lo + Vec3(5, 205, 5)), HUGE_VAL);
}

TEST(Surroundings, OfABoxThatIsTooLargeAreAnError) {
  Solids solids = hills();
  Surroundings surroundings;
  EXPECT_THROW(surroundings.cover(solids, {Vec3(-2000), Vec3(2000)}, 1), Error);
  EXPECT_THROW(surroundings.cover(solids, {Vec3(-1e8), Vec3(1e8)}, 1), Error);
}

}  // namespace
}  // namespace talus
