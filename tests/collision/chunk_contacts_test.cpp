#include "collision/chunk_contacts.h"

#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace talus {
namespace {

using Key = std::tuple<int, int, int, int>;
Key key(const ChunkContact& c) {
  return {c.chunk.x, c.chunk.y, c.chunk.z, c.matter};
}

MaskMap random_map(std::uint32_t seed) {
  std::mt19937_64 random(seed);
  const auto quarter_full = [&] {
    const std::uint64_t half_full = random();
    return half_full & random();
  };
  MaskMap map;
  for (int i = 0; i < 216; ++i) {
    ChunkMasks masks;
    for (std::size_t y = 0; y < 8; ++y) {
      masks.solid[y] = quarter_full();
      masks.water[y] = i % 3 ? 0 : quarter_full();
    }
    map.set({i % 6 - 3, i / 6 % 6 - 3, i / 36 - 3}, masks);
  }
  return map;
}

TEST(ChunkContacts, BeginAndEndOnceAndAddUpToWhatIsTouched) {
  const MaskMap map = random_map(1);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-22, 22), edge(0, 6);
  std::vector<ChunkContact> held;
  ContactChanges changes;
  std::set<Key> open;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 lo(place(random), place(random), place(random));
    const Box box{lo, lo + Vec3(edge(random), edge(random), edge(random))};
    move_contacts(map, box, held, changes);
    for (const ChunkContact& c : changes.ended) ASSERT_EQ(open.erase(key(c)), 1u);
    for (const ChunkContact& c : changes.began) ASSERT_TRUE(open.insert(key(c)).second);
    std::vector<ChunkContact> fresh;
    find_contacts(map, box, fresh);
    ASSERT_EQ(held, fresh);
    ASSERT_EQ(open.size(), held.size());
    for (const ChunkContact& c : held) ASSERT_TRUE(open.count(key(c)));
  }
}

TEST(ChunkContacts, ABodyThatStaysKeepsItsContactsUntilAnEditTakesThem) {
  MaskMap map = random_map(3);
  const Box box{{-3, -3, -3}, {3, 3, 3}};
  std::vector<ChunkContact> held;
  ContactChanges changes;
  move_contacts(map, box, held, changes);
  EXPECT_FALSE(changes.began.empty());
  move_contacts(map, box, held, changes);
  EXPECT_TRUE(changes.began.empty() && changes.ended.empty());
  const ChunkContact first = held.front();
  ChunkMasks masks = map.get(first.chunk);
  masks.solid.fill(0);
  map.set(first.chunk, masks);
  move_contacts(map, box, held, changes);
  ASSERT_EQ(changes.ended.size(), 1u);
  EXPECT_EQ(changes.ended.front(), first);
}

}  // namespace
}  // namespace talus
