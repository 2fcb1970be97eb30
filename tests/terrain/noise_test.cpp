#include "terrain/noise.h"

#include <gtest/gtest.h>

#include "support/csv.h"
#include "terrain/hills.h"
#include "terrain/preset.h"

namespace talus {
namespace {

HillsFormula formula(double seed) {
  return {static_cast<std::uint32_t>(seed), HillsValues{}};
}

TEST(Noise, TwoDimensionsMatchTheReference) {
  const auto rows = read_numbers("simplex2.csv");
  ASSERT_EQ(rows.size(), 2100u);
  for (const auto& r : rows) EXPECT_NEAR(formula(r[0]).noise2()(r[1], r[2]), r[3], 1e-9);
}

TEST(Noise, ThreeDimensionsMatchTheReference) {
  const auto rows = read_numbers("simplex3.csv");
  ASSERT_EQ(rows.size(), 2100u);
  for (const auto& r : rows) EXPECT_NEAR(formula(r[0]).noise3()(r[1], r[2], r[3]), r[4], 1e-9);
}

TEST(Hills, HeightsMatchTheReference) {
  const auto rows = read_numbers("height.csv");
  ASSERT_EQ(rows.size(), 2100u);
  for (const auto& r : rows) {
    const HillsColumn column = formula(r[0]).column(r[1], r[2]);
    EXPECT_NEAR(column.mountainousness, r[3], 1e-9);
    EXPECT_NEAR(column.height, r[4], 1e-9);
  }
}

TEST(Hills, DensitiesMatchTheReference) {
  const auto rows = read_numbers("density.csv");
  ASSERT_EQ(rows.size(), 4200u);
  for (const auto& r : rows) {
    TerrainSpec spec;
    spec.seed = static_cast<std::uint32_t>(r[0]);
    EXPECT_NEAR(make_preset(spec)->density({r[1], r[2], r[3]}), r[4], 1e-9);
  }
}

TEST(Hills, KnownBlockHasItsShelfOfRock) {
  Samples samples;
  make_preset({})->surface_samples(Lattice{{304, 4, -64}, IVec3(33), 1}, samples);
  EXPECT_EQ(samples.solid.count(), 19692);
}

}  // namespace
}  // namespace talus
