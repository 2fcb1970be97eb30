#include "voxel/blocks.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

#include "voxel/material.h"

namespace talus {
namespace {

std::tuple<int, int, int> key(IVec3 c) {
  return {c.x, c.y, c.z};
}

TEST(Blocks, RandomPlacingAndRemovingEqualsAPlainMap) {
  std::mt19937 random(7);
  Blocks blocks;
  std::map<std::tuple<int, int, int>, BlockId> plain;
  std::vector<BlockId> standing;
  const auto for_cells = [](const Block& b, const auto& visit) {
    for (int z = 0; z < b.size; ++z) {
      for (int y = 0; y < b.size; ++y) {
        for (int x = 0; x < b.size; ++x) visit(b.cell + IVec3(x, y, z));
      }
    }
  };
  for (int i = 0; i < 4000; ++i) {
    if (random() % 3 == 0 && !standing.empty()) {
      const std::size_t n = random() % standing.size();
      for_cells(blocks[standing[n]], [&](IVec3 c) { plain.erase(key(c)); });
      blocks.remove(standing[n]);
      standing.erase(standing.begin() + static_cast<std::ptrdiff_t>(n));
      continue;
    }
    const auto coordinate = [&] { return static_cast<int>(random() % 40) - 20; };
    const Block block{
        {coordinate(), coordinate(), coordinate()}, 1 + static_cast<int>(random() % 4), 0, {}};
    bool free = true;
    for_cells(block, [&](IVec3 c) { free &= !plain.contains(key(c)); });
    const std::size_t before = blocks.count();
    const BlockId id = blocks.place(block);
    EXPECT_EQ(id != kNoBlock, free);
    EXPECT_EQ(blocks.count(), before + (free ? 1 : 0));
    if (!free) continue;
    for_cells(block, [&](IVec3 c) { plain[key(c)] = id; });
    standing.push_back(id);
  }
  EXPECT_EQ(blocks.count(), standing.size());
  for (int x = -22; x < 26; ++x) {
    for (int y = -22; y < 26; ++y) {
      for (int z = -22; z < 26; ++z) {
        const auto found = plain.find(key({x, y, z}));
        EXPECT_EQ(blocks.at({x, y, z}), found == plain.end() ? kNoBlock : found->second);
      }
    }
  }
}

TEST(Blocks, FarAndNegativeCellsWork) {
  Blocks blocks;
  const IVec3 far(-kFarthestCell, kFarthestCell - 1, -1);
  const BlockId id = blocks.place({far, 1, 0, {}});
  EXPECT_EQ(blocks.at(far), id);
  EXPECT_EQ(blocks.at(far + IVec3(1, 0, 0)), kNoBlock);
}

TEST(Blocks, BondsNeedASharedFace) {
  Blocks blocks;
  blocks.place({{0, 0, 0}, 2, 0, {}});
  const BlockId face = blocks.place({{2, 1, 1}, 2, 0, {}});
  blocks.place({{-1, 2, 0}, 1, 0, {}});    // an edge only
  blocks.place({{-1, -1, -1}, 1, 0, {}});  // a corner only
  EXPECT_EQ(bonded(blocks, blocks[0]), std::vector<BlockId>{face});
}

TEST(Blocks, ASideIsOpenUnlessWhollyCovered) {
  Blocks blocks;
  blocks.place({{0, 0, 0}, 2, 0, {}});
  for (int i = 0; i < 3; ++i) blocks.place({{2, i % 2, i / 2}, 1, 0, {}});
  EXPECT_EQ(open_sides(blocks, blocks[0]), 0x3Fu);
  blocks.place({{2, 1, 1}, 1, 0, {}});
  EXPECT_EQ(open_sides(blocks, blocks[0]), 0x3Fu & ~2u);
  blocks.place({{0, 2, 0}, 2, 0, *named_cuts("pillar")});  // a disc lies on the square
  EXPECT_EQ(open_sides(blocks, blocks[0]), 0x3Fu & ~2u);
}

TEST(Block, WholeSidesAreThoseThatNoCutTouches) {
  const Cuts ramp = *named_cuts("ramp");  // cut along z at -x +y
  EXPECT_TRUE(side_is_whole(ramp, 1));
  EXPECT_TRUE(side_is_whole(ramp, 2));
  for (const int side : {0, 3, 4, 5}) EXPECT_FALSE(side_is_whole(ramp, side));
  EXPECT_FALSE(named_cuts("cone"));
}

TEST(Material, TheTableHasTheSixOfTheWorld) {
  const auto table = default_materials();
  ASSERT_EQ(table.size(), 6u);
  EXPECT_EQ(table[*find_material(table, "copper")].density_kg_m3, 8900);
  EXPECT_FALSE(find_material(table, "gold"));
  EXPECT_NEAR(linear_color({"white", 1, 0xFFFFFF}).x, 1, 1e-7);
}

}  // namespace
}  // namespace talus
