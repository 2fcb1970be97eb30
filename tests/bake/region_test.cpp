#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "bake/bake_fixture.h"
#include "bake/chunks.h"

namespace talus {

namespace {

using testing::HasSubstr;

std::string corners_error(Vec3 from, Vec3 to, double step = 1) {
  return error_of([&] { region_from_corners(from, to, step); });
}

TEST(Region, CornersAreRoundedOutward) {
  EXPECT_EQ(region_from_corners({-1, 0.1, 2}, {1, 0.2, 3.9}, 0.5), (IBox{{-2, 0, 4}, {2, 1, 8}}));
  EXPECT_EQ(region_from_corners({0, 0, 0}, {1, 1, 1}, 64), (IBox{{0, 0, 0}, {1, 1, 1}}));
}

TEST(Region, BadRegionsAreNamed) {
  EXPECT_THAT(corners_error({0, 5, 0}, {1, 4, 1}), HasSubstr("y runs backwards, from 5 to 4"));
  EXPECT_THAT(corners_error({0, 0, 3}, {1, 1, 3}), HasSubstr("empty"));
  EXPECT_THAT(corners_error({NAN, 0, 0}, {1, 1, 1}), HasSubstr("x of the first corner"));
  EXPECT_THAT(corners_error({0, 0, 0}, {1, 1, INFINITY}), HasSubstr("z of the second corner"));
  EXPECT_THAT(corners_error({0, 0, 0}, {1e300, 1, 1}), HasSubstr("1e9"));
  EXPECT_THAT(corners_error({0, 0, 0}, {1e9, 1, 1}, 0.5), HasSubstr("coarser --step"));
  EXPECT_THAT(corners_error({-9e8, -9e8, -9e8}, {9e8, 9e8, 9e8}), HasSubstr("samples"));
  for (const double step :
       {0.0, -1.0, 0.01, 64.5, 100.0, 1.0 / 128, double(NAN), double(INFINITY)}) {
    EXPECT_THAT(corners_error({0, 0, 0}, {1, 1, 1}, step), HasSubstr("1/64")) << step;
  }
}

TEST(Region, AroundHoldsTheGround) {
  const Terrain terrain{make_preset({}), {}};
  const IBox region = region_around(terrain, 320, -48, 100, 2);
  EXPECT_EQ(region.lo.x, 135);
  EXPECT_EQ(region.hi.x, 185);
  EXPECT_EQ(region.lo.z, -49);
  EXPECT_EQ(region.hi.z, 1);
  for (double x = 270; x <= 370; x += 3.7) {
    for (double z = -98; z <= 2; z += 3.7) {
      EXPECT_LE(region.lo.y * 2, terrain.preset->height(x, z) - 32);
      EXPECT_GE(region.hi.y * 2, terrain.preset->height(x, z) + 16);
    }
  }
  EXPECT_THAT(error_of([&] { region_around(terrain, 0, 0, 0, 1); }), HasSubstr("size 0"));
  EXPECT_THAT(error_of([&] { region_around(terrain, 0, 0, NAN, 1); }), HasSubstr("size"));
  EXPECT_THAT(error_of([&] { region_around(terrain, NAN, 0, 1, 1); }), HasSubstr("column"));
}

TEST(Chunks, OwnEveryPointOnce) {
  const IBox region{{-5, 3, -9}, {14, 9, 2}};
  const ChunkGrid grid(region, 4);
  std::int64_t points = 0;
  IVec3 last(-100);
  for (std::uint64_t item = 0; item < grid.count(); ++item) {
    const IVec3 c = grid.coordinate(item);
    const IBox own = grid.own(c);
    EXPECT_FALSE(own.empty());
    EXPECT_EQ(std::floor(own.lo.x / 4.0), c.x);
    EXPECT_TRUE(std::tuple(c.z, c.x, c.y) > std::tuple(last.z, last.x, last.y));
    points += own.count();
    last = c;
  }
  EXPECT_EQ(points, region.count());
}

TEST(Chunks, TooManyAreRefused) {
  constexpr int kFar = kMostLatticePoint;
  EXPECT_THAT(error_of([&] { ChunkGrid({IVec3(-kFar), IVec3(kFar)}, 4); }), HasSubstr("2^31"));
  EXPECT_THAT(error_of([&] { ChunkGrid({IVec3(0), IVec3(0, 1, 1)}, 4); }), HasSubstr("empty"));
  EXPECT_THAT(error_of([&] { ChunkGrid({IVec3(0), IVec3(1)}, 129); }), HasSubstr("--chunk 129"));
  EXPECT_EQ(ChunkGrid({IVec3(-kFar, 0, 0), IVec3(kFar, 1, 1)}, 128).count(), 1u << 24);
}

}  // namespace

}  // namespace talus
