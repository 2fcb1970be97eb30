#include "collision/solids.h"

#include <random>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "voxel/block_distance.h"

namespace talus {
namespace {

Solids on_flat_ground() {
  TerrainSpec spec;
  spec.preset = "flat";
  return Solids{Field(Terrain{make_preset(spec), {}}), {}};
}

TEST(Solids, TheGroundAnswersWhereNoBlockIsNearer) {
  Solids solids = on_flat_ground();
  solids.blocks.place({{0, 2, 0}, 2, 0, {}});  // y from 1 to 2
  const auto ground = nearest(solids, {0.5, 0.2, 0.5}, 1);
  ASSERT_TRUE(ground);
  EXPECT_NEAR(ground->distance, 0.2, 1e-12);
  EXPECT_EQ(ground->block, kNoBlock);
  const auto block = nearest(solids, {0.5, 0.9, 0.5}, 1);
  ASSERT_TRUE(block);
  EXPECT_NEAR(block->distance, 0.1, 1e-12);
  EXPECT_EQ(block->normal, Vec3(0, -1, 0));
  EXPECT_EQ(block->block, 0u);
  EXPECT_FALSE(nearest(solids, {0.5, 3.5, 0.5}, 1));
}

TEST(Solids, OfEqualsTheFirstCellWins) {
  Solids solids = on_flat_ground();
  const BlockId low = solids.blocks.place({{0, 20, 0}, 1, 0, {}});
  solids.blocks.place({{2, 20, 0}, 1, 0, {}});
  EXPECT_EQ(nearest(solids, {0.75, 10.25, 0.25}, 1)->block, low);
}

TEST(Solids, NearestEqualsAskingEveryBlock) {
  std::mt19937 random(21);
  Solids solids = on_flat_ground();
  const auto at = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto names = shape_names();
  for (int i = 0; i < 200; ++i) {
    const Cuts cuts = *named_cuts(names[random() % names.size()]);
    solids.blocks.place({{at(16) - 8, 40 + at(16), at(16) - 8}, 1 + at(3), 0, cuts});
  }
  std::uniform_real_distribution<double> side(-5, 5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p(side(random), 24 + side(random), side(random));
    const double reach = 0.7;
    double best = reach;
    for (BlockId id = 0; id < solids.blocks.id_end(); ++id) {
      const Block& b = solids.blocks[id];
      const unsigned open = open_sides(solids.blocks, b);
      best = std::min(best, signed_distance(b, open, p).distance);
    }
    const auto found = nearest(solids, p, reach);
    EXPECT_EQ(found ? found->distance : reach, best);
  }
}

TEST(Solids, TheGroundHoldsWhatComesWithinFiveCentimetres) {
  TerrainSpec spec;
  spec.preset = "flat";
  spec.parameters = {{"level_m", -0.04}};
  Field near_ground(Terrain{make_preset(spec), {}});
  EXPECT_TRUE(ground_holds(near_ground, {{0, 0, 0}, 2, 0, {}}));
  EXPECT_TRUE(ground_holds(near_ground, {{0, -8, 0}, 2, 0, {}}));
  EXPECT_FALSE(ground_holds(near_ground, {{0, 1, 0}, 2, 0, {}}));
  spec.parameters = {{"level_m", -0.06}};
  Field below(Terrain{make_preset(spec), {}});
  EXPECT_FALSE(ground_holds(below, {{0, 0, 0}, 2, 0, {}}));
}

}  // namespace
}  // namespace talus
