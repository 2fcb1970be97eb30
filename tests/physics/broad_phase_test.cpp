#include "physics/broad_phase.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace talus {
namespace {

struct Mover {
  Box box;
  bool active = true, present = true;
};

/// Movers and what a broad phase that hears of all their changes must know.
class Crowd {
 public:
  explicit Crowd(std::size_t count) : movers_(count) {
    for (Mover& m : movers_) {
      const Vec3 at = 6.0 * Vec3(unit(), unit(), unit());
      m.box = {at, at + Vec3(0.3 + unit(), 0.3 + unit(), 0.3 + unit())};
    }
  }

  void change(double share) {
    for (Mover& m : movers_) {
      if (unit() >= share) continue;
      const Vec3 by = 0.4 * (Vec3(unit(), unit(), unit()) - Vec3(0.5));
      m.box = {m.box.lo + by, m.box.hi + by};
      m.active = unit() < 0.7;
      m.present = unit() < 0.95;
    }
  }

  void tell(BroadPhase& broad_phase) const {
    for (std::uint32_t i = 0; i < movers_.size(); ++i) {
      if (movers_[i].present) {
        broad_phase.set(i, movers_[i].box, 0.05, movers_[i].active);
      } else {
        broad_phase.remove(i);
      }
    }
  }

  const std::vector<Mover>& movers() const { return movers_; }
  double unit() { return static_cast<double>(random_()) / 4294967296.0; }

 private:
  std::mt19937 random_{5};
  std::vector<Mover> movers_;
};

TEST(BroadPhase, KnowsEveryPairThatMeetsHoweverFewOrManyMoved) {
  Crowd crowd(300);
  BroadPhase broad_phase;
  std::size_t met = 0;
  for (int step = 0; step < 200; ++step) {
    // Now a handful, now all of them.
    crowd.change(step % 5 == 0 ? 0.9 : 0.05);
    crowd.tell(broad_phase);
    broad_phase.update();
    const auto& pairs = broad_phase.pairs();
    ASSERT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
    ASSERT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
    const std::set<BroadPhase::Pair> known(pairs.begin(), pairs.end());
    const auto& movers = crowd.movers();
    for (std::uint32_t i = 0; i < movers.size(); ++i) {
      for (std::uint32_t j = i + 1; j < movers.size(); ++j) {
        const Mover &a = movers[i], &b = movers[j];
        const bool told = known.contains({i, j});
        if (!a.present || !b.present) {
          ASSERT_FALSE(told) << i << " and " << j << ", of which one is gone, step " << step;
        } else if ((a.active || b.active) && overlap(a.box, b.box)) {
          ASSERT_TRUE(told) << i << " and " << j << ", step " << step;
          ++met;
        }
      }
    }
    // Not more than the room around boxes explains.
    for (const auto& [i, j] : pairs) {
      const Box &a = movers[i].box, &b = movers[j].box;
      constexpr double kMost = 2 * (0.03 + 4 * 0.05);
      ASSERT_TRUE(overlap({a.lo - Vec3(kMost), a.hi + Vec3(kMost)}, b)) << i << " and " << j;
    }
  }
  EXPECT_GT(met, 10000U);
}

TEST(BroadPhase, NamesAllNearAWayShortOrLong) {
  Crowd crowd(200);
  BroadPhase broad_phase;
  std::vector<std::uint32_t> near;
  for (int step = 0; step < 50; ++step) {
    crowd.change(0.1);
    crowd.tell(broad_phase);
    broad_phase.update();
    broad_phase.list_partners();
    const auto& movers = crowd.movers();
    for (std::uint32_t i = 0; i < movers.size(); ++i) {
      if (!movers[i].present || !movers[i].active) continue;
      const Box& box = movers[i].box;
      const Box way{box.lo, box.hi + (i % 2 ? Vec3(0.01) : Vec3(4, 0, 1))};
      broad_phase.near(i, way, near);
      ASSERT_TRUE(std::is_sorted(near.begin(), near.end()));
      for (std::uint32_t j = 0; j < movers.size(); ++j) {
        if (j == i || !movers[j].present || !overlap(way, movers[j].box)) continue;
        ASSERT_TRUE(std::binary_search(near.begin(), near.end(), j)) << i << " and " << j;
      }
      ASSERT_FALSE(std::binary_search(near.begin(), near.end(), i));
    }
  }
}

}  // namespace
}  // namespace talus
