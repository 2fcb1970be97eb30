#include "voxel/samples.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/simd.h"
#include "voxel/crossed_cells.h"

namespace talus {
namespace {

constexpr IVec3 kSizes[] = {{1, 1, 1},  {2, 2, 2},  {5, 3, 4},   {16, 2, 9},  {36, 36, 5},
                            {63, 4, 3}, {64, 5, 6}, {65, 3, 11}, {129, 6, 2}, {200, 1, 3}};

std::vector<float> random_densities(IVec3 size, std::uint32_t seed) {
  Mulberry32 random(seed);
  std::vector<float> values(static_cast<std::size_t>(size.x * size.y * size.z));
  for (float& value : values) {
    const double r = random.next();
    value = r < 0.1   ? 0.0f
            : r < 0.2 ? -0.0f
            : r < 0.3 ? 1e-45f
                      : static_cast<float>(r < 0.8 ? 1 : -1);
  }
  return values;
}

class SolidBitsAtEverySimdLevel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(simd_levels().front()); }
};
INSTANTIATE_TEST_SUITE_P(All, SolidBitsAtEverySimdLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& info) { return info.param; });

TEST_P(SolidBitsAtEverySimdLevel, AreTheSignsOfTheDensities) {
  SolidBits reused;
  for (const IVec3 size : kSizes) {
    const std::vector<float> values = random_densities(size, 3);
    const SolidBits bits = solid_bits(size, values);
    find_solid(size, values, reused);
    EXPECT_TRUE(reused == bits);
    std::int64_t solid = 0;
    std::size_t at = 0;
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x, ++at) {
          ASSERT_EQ(bits.at(x, y, z), values[at] > 0) << x << " " << y << " " << z;
          solid += values[at] > 0;
        }
      }
    }
    EXPECT_EQ(bits.count(), solid);  // and none past the rows' ends
  }
}

bool bit(const SolidBits& layout, const std::vector<std::uint64_t>& bits, IVec3 p) {
  return bits[layout.row(p.y, p.z) + static_cast<std::size_t>(p.x / 64)] >> (p.x % 64) & 1;
}

std::int64_t count(const std::vector<std::uint64_t>& bits) {
  std::int64_t n = 0;
  for (const std::uint64_t word : bits) n += std::popcount(word);
  return n;
}

/// One of the cells around a corner, or of the corners around a cell.
IVec3 corner(int i) {
  return {i & 1, i >> 1 & 1, i >> 2};
}

TEST_P(SolidBitsAtEverySimdLevel, CrossedCellsHaveCornersOfBothKinds) {
  std::vector<std::uint64_t> cells, corners;
  for (const IVec3 size : kSizes) {
    const SolidBits solid = solid_bits(size, random_densities(size, 9));
    find_crossed_cells(solid, cells);
    find_corners_of(solid, cells, corners);
    const auto crossed = [&](IVec3 p) {
      if (p.x < 0 || p.y < 0 || p.z < 0) return false;
      if (p.x + 1 >= size.x || p.y + 1 >= size.y || p.z + 1 >= size.z) return false;
      int n = 0;
      for (int i = 0; i < 8; ++i) {
        const IVec3 c = p + corner(i);
        n += solid.at(c.x, c.y, c.z);
      }
      return n != 0 && n != 8;
    };
    std::int64_t crossed_cells = 0, crossed_corners = 0;
    for (int z = 0; z < size.z; ++z) {
      for (int y = 0; y < size.y; ++y) {
        for (int x = 0; x < size.x; ++x) {
          const IVec3 p(x, y, z);
          bool of_crossed = false;
          for (int i = 0; i < 8; ++i) of_crossed = of_crossed || crossed(p - corner(i));
          ASSERT_EQ(bit(solid, cells, p), crossed(p)) << x << " " << y << " " << z;
          ASSERT_EQ(bit(solid, corners, p), of_crossed) << x << " " << y << " " << z;
          crossed_cells += crossed(p);
          crossed_corners += of_crossed;
        }
      }
    }
    EXPECT_EQ(count(cells), crossed_cells);
    EXPECT_EQ(count(corners), crossed_corners);
  }
}

}  // namespace
}  // namespace talus
