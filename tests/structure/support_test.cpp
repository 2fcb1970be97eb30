#include "structure/support.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "support/flood_fill.h"

namespace talus {
namespace {

struct Building {
  Blocks blocks;
  Support support;

  /// Blocks whose cells reach down to y = 0 are anchored.
  BlockId add(const Block& block) {
    const BlockId id = blocks.place(block);
    if (id != kNoBlock) support.set_anchored(id, block.cell.y <= 0);
    return id;
  }
  std::vector<Component> plain() const {
    return flood_fill_unsupported(blocks, [this](BlockId id) { return support.anchored(id); });
  }
  void drop(const std::vector<Component>& fallen) {
    for (const Component& component : fallen) {
      for (const BlockId id : component) blocks.remove(id);
    }
  }
  std::vector<BlockId> standing() const {
    std::vector<BlockId> ids;
    for (BlockId id = 0; id < blocks.id_end(); ++id) {
      if (blocks.stands(id)) ids.push_back(id);
    }
    return ids;
  }
};

/// A sparse heap of blocks of mixed sizes in a box, thinned to what is held.
Building random_building(std::mt19937& random) {
  Building b;
  const int width = 6 + static_cast<int>(random() % 8);
  const int tries = 200 + static_cast<int>(random() % 500);
  for (int i = 0; i < tries; ++i) {
    const auto at = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    b.add({{at(width) - 4, at(12), at(width) - 4}, 1 + at(2) * at(2), 0, {}});
  }
  b.drop(b.support.unsupported_anywhere(b.blocks));
  return b;
}

TEST(Support, TenThousandRemovalsEqualFloodFill) {
  std::mt19937 random(11);
  int removals = 0, broke = 0;
  while (removals < 10000) {
    Building b = random_building(random);
    EXPECT_TRUE(b.plain().empty());
    for (auto ids = b.standing(); !ids.empty() && removals < 10000; ids = b.standing()) {
      SupportChange change;
      const std::size_t many = random() % 4 == 0 ? 1 + random() % 5 : 1;
      for (std::size_t i = 0; i < many; ++i) {
        const BlockId id = ids[random() % ids.size()];
        if (!b.blocks.stands(id)) continue;
        b.blocks.remove(id);
        change.removed.push_back(id);
      }
      const auto found = b.support.unsupported(b.blocks, change);
      ASSERT_EQ(found, b.plain()) << "after removal " << removals;
      b.drop(found);
      removals += static_cast<int>(change.removed.size());
      broke += static_cast<int>(found.size());
    }
  }
  EXPECT_GT(broke, 500);
}

TEST(Support, LosingAnchorsEqualsFloodFill) {
  std::mt19937 random(12);
  for (int round = 0; round < 60; ++round) {
    Building b = random_building(random);
    for (int dig = 0; dig < 10; ++dig) {
      SupportChange change;
      for (const BlockId id : b.standing()) {
        if (!b.support.anchored(id) || random() % 4 != 0) continue;
        b.support.set_anchored(id, false);
        change.doubtful.push_back(id);
      }
      const auto found = b.support.unsupported(b.blocks, change);
      ASSERT_EQ(found, b.plain());
      b.drop(found);
    }
  }
}

TEST(Support, ABridgeOfNHoldsUntilCutTwice) {
  for (int n = 3; n < 30; ++n) {
    Building b;
    b.add({{0, 0, 0}, 1, 0, {}});
    b.add({{0, 1, 0}, 1, 0, {}});
    std::vector<BlockId> deck;
    for (int x = 1; x < n; ++x) deck.push_back(b.add({{x, 1, 0}, 1, 0, {}}));
    b.add({{n, 1, 0}, 1, 0, {}});
    b.add({{n, 0, 0}, 1, 0, {}});
    b.blocks.remove(deck.front());
    EXPECT_TRUE(b.support.unsupported(b.blocks, {{deck.front()}, {}}).empty());
    b.blocks.remove(deck.back());
    const auto fallen = b.support.unsupported(b.blocks, {{deck.back()}, {}});
    ASSERT_EQ(fallen.size(), n > 3 ? 1u : 0u);
    if (n > 3) {
      EXPECT_EQ(fallen[0], Component(deck.begin() + 1, deck.end() - 1));
    }
  }
}

TEST(Support, ABlockInTheAirBreaksOffAtOnce) {
  Building b;
  b.add({{0, 0, 0}, 2, 0, {}});
  const BlockId leaning = b.add({{2, 1, 1}, 1, 0, {}});
  EXPECT_TRUE(b.support.unsupported(b.blocks, {{}, {leaning}}).empty());
  const BlockId corner = b.add({{3, 2, 1}, 1, 0, {}});  // meets an edge only
  EXPECT_EQ(b.support.unsupported(b.blocks, {{}, {corner}}),
            std::vector<Component>{Component{corner}});
}

TEST(Support, AddingAnAnchorNeverRemovesSupport) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    Building b = random_building(random);
    for (const BlockId id : b.standing()) {
      if (random() % 5 == 0) b.support.set_anchored(id, false);
      if (random() % 9 == 0) b.blocks.remove(id);
    }
    const auto ids = b.standing();
    if (ids.empty()) continue;
    const auto held = [&] {
      std::set<BlockId> all(ids.begin(), ids.end());
      for (const Component& c : b.support.unsupported_anywhere(b.blocks)) {
        for (const BlockId id : c) all.erase(id);
      }
      return all;
    };
    const auto before = held();
    b.support.set_anchored(ids[random() % ids.size()], true);
    const auto after = held();
    EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()));
    EXPECT_FALSE(after.empty());
  }
}

TEST(Support, MirroredBuildingMirrorsSupport) {
  std::mt19937 random(14);
  for (int round = 0; round < 50; ++round) {
    Building b = random_building(random);
    Building mirror;
    for (BlockId id = 0; id < b.blocks.id_end(); ++id) {
      Block block = b.blocks[id];
      block.cell.x = -block.cell.x - block.size;
      // Blocks that fell before get a place out of the way, so that ids stay the same.
      if (!b.blocks.stands(id)) block.cell += IVec3(0, 1000, 100 * static_cast<int>(id));
      ASSERT_EQ(mirror.add(block), id);
      if (!b.blocks.stands(id)) mirror.blocks.remove(id);
    }
    const auto ids = b.standing();
    for (int i = 0; i < 20; ++i) {
      const BlockId id = ids[random() % ids.size()];
      if (!b.blocks.stands(id)) continue;
      b.blocks.remove(id);
      mirror.blocks.remove(id);
      const auto fallen = b.support.unsupported(b.blocks, {{id}, {}});
      EXPECT_EQ(mirror.support.unsupported(mirror.blocks, {{id}, {}}), fallen);
      b.drop(fallen);
      mirror.drop(fallen);
    }
  }
}

}  // namespace
}  // namespace talus
