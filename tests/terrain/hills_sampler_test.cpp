#include "terrain/hills_sampler.h"

#include <bit>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/simd.h"
#include "terrain/preset.h"

namespace talus {
namespace {

/// The plain way: the formula at every sample.
std::vector<double> by_formula(const HillsFormula& formula, const Lattice& lattice) {
  std::vector<double> out;
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i) {
        const Vec3 p = lattice.position(i, j, k);
        out.push_back(formula.density(formula.column(p.x, p.z), p));
      }
    }
  }
  return out;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<Lattice> lattices() {
  return {{{304, 4, -64}, IVec3(33), 1},
          {{-34, -2, 30}, IVec3(36), 1},
          {{-6455808, -20, 77}, IVec3(36), 1},
          {{10000000, 10, -10000000}, IVec3(36), 1},
          {{600, -30, -200}, {37, 35, 29}, 0.375},
          {{100, -10, -40}, {70, 20, 9}, 2},
          {{-7, 3, 11}, {5, 3, 2}, 8},
          {{290, -20, -80}, {133, 41, 75}, 1},
          {{0, -300, 0}, IVec3(36), 1},
          {{0, 500, 0}, IVec3(36), 1}};
}

class EverySimdLevel : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(simd_levels().front()); }
};
INSTANTIATE_TEST_SUITE_P(All, EverySimdLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& info) { return info.param; });

TEST_P(EverySimdLevel, DenseEqualsTheFormulaBitForBit) {
  for (const std::uint32_t seed : {20261114u, 1u, 4294967295u}) {
    const HillsFormula formula(seed, {});
    for (const Lattice& lattice : lattices()) {
      const std::vector<double> expected = by_formula(formula, lattice);
      std::vector<double> found(expected.size());
      hills_dense(formula, lattice, found);
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_TRUE(same_bits(found[i], expected[i]))
            << seed << " sample " << i << ": " << found[i] << " instead of " << expected[i];
      }
    }
  }
}

/// Fails where skipping changed a sign, or a value that a mesher would read.
void expect_surface_equals_dense(const HillsFormula& formula, std::uint64_t id,
                                 const Lattice& lattice) {
  std::vector<double> dense(lattice.count());
  hills_dense(formula, lattice, dense);
  Samples samples;
  hills_surface(formula, id, lattice, samples);
  const auto solid = [&](int i, int j, int k) { return dense[lattice.index(i, j, k)] > 0; };
  const IVec3 n = lattice.size;
  for (int k = 0; k < n.z; ++k) {
    for (int j = 0; j < n.y; ++j) {
      for (int i = 0; i < n.x; ++i) {
        ASSERT_EQ(samples.solid.at(i, j, k), solid(i, j, k)) << i << " " << j << " " << k;
        if (i + 1 == n.x || j + 1 == n.y || k + 1 == n.z) continue;
        int count = 0;
        for (int c = 0; c < 8; ++c) count += solid(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        if (count == 0 || count == 8) continue;
        for (int c = 0; c < 8; ++c) {
          const std::size_t at = lattice.index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
          ASSERT_EQ(samples.density[at], density_to_float(dense[at])) << i << " " << j << " " << k;
        }
      }
    }
  }
}

TEST_P(EverySimdLevel, SurfaceSamplesEqualDenseOnes) {
  const HillsFormula formula(20261114, {});
  for (const Lattice& lattice : lattices()) expect_surface_equals_dense(formula, 1001, lattice);
}

TEST(HillsSampler, SurfaceSamplesEqualDenseOnesAtRandomPlaces) {
  Mulberry32 random(5);
  for (int round = 0; round < 60; ++round) {
    const HillsFormula formula(static_cast<std::uint32_t>(random.next() * 4e9), {});
    const double reach = round % 3 == 0 ? 1e6 : 3000;
    const auto place = [&] { return static_cast<int>((2 * random.next() - 1) * reach); };
    const IVec3 origin(place(), static_cast<int>(random.next() * 120) - 60, place());
    expect_surface_equals_dense(formula, 2000 + static_cast<std::uint64_t>(round),
                                {origin, IVec3(36), 1});
  }
}

TEST(HillsSampler, OtherParametersAreBoundedToo) {
  HillsValues values;
  values.overhang_scale_x_m = values.overhang_scale_y_m = values.overhang_scale_z_m = 9;
  values.cave_scale_x_m = 17;
  values.cave_radius = 0.3;
  values.overhang_mountain_m = 30;
  const HillsFormula formula(3, values);
  const Lattice lattice{{300, -10, -60}, IVec3(36), 1};
  expect_surface_equals_dense(formula, 3001, lattice);
  const std::vector<double> expected = by_formula(formula, lattice);
  std::vector<double> found(expected.size());
  hills_dense(formula, lattice, found);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_TRUE(same_bits(found[i], expected[i]));
}

}  // namespace
}  // namespace talus
