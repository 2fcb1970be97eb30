#include "collision/edit_index.h"

#include <random>

#include <gtest/gtest.h>

namespace talus {
namespace {

bool meet(const Box& a, const Box& b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (a.lo[axis] > b.hi[axis] || a.hi[axis] < b.lo[axis]) return false;
  }
  return true;
}

TEST(EditIndex, NearAreThoseWhoseReachMeetsTheBox) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-600, 600), unit(0, 1);
  const auto point = [&] {
    const double x = place(random), y = place(random), z = place(random);
    return Vec3(x, 0.2 * y, z);
  };
  EditIndex index;
  std::vector<Box> reaches;
  std::vector<std::uint32_t> near;
  std::size_t found = 0;
  index.near({Vec3(-1), Vec3(1)}, near);
  EXPECT_TRUE(near.empty());
  for (int i = 0; i < 3000; ++i) {
    Brush brush;
    brush.shape = static_cast<Brush::Shape>(random() % 3);
    brush.center = point();
    if (i % 4 == 0) brush.center = Vec3(64.0 * (i % 9 - 4), 0, 64);  // on the cubes' borders
    brush.end = brush.center + 30.0 * Vec3(unit(random), unit(random), unit(random));
    brush.radius = i % 100 == 0 ? 400 : 12;  // some over many cubes
    brush.half_size = Vec3(brush.radius);
    index.add(brush);
    reaches.push_back(reach(brush));
    const Vec3 lo = point();
    const Box box{lo, lo + 40.0 * Vec3(unit(random), unit(random), unit(random))};
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < reaches.size(); ++k) {
      if (meet(reaches[k], box)) expected.push_back(k);
    }
    index.near(box, near);
    ASSERT_EQ(near, expected) << i;
    found += near.size();
  }
  EXPECT_GT(found, 10'000u);
}

/// As far as files let a brush be.
TEST(EditIndex, FarAndWideEditsAreFound) {
  EditIndex index;
  Brush brush;
  for (const double far : {-1e7, 1e7, -1e12, 1e300}) {
    brush.center = Vec3(far);
    brush.radius = 1e4;
    index.add(brush);
  }
  std::vector<std::uint32_t> near;
  index.near({Vec3(-1e7), Vec3(-1e7 + 1)}, near);
  EXPECT_EQ(near, std::vector<std::uint32_t>{0});
  index.near({Vec3(1e7 + 9'999), Vec3(1e7 + 10'000)}, near);
  EXPECT_EQ(near, std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace talus
