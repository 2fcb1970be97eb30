#include "physics/contact_finder.h"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "physics/motion.h"
#include "physics/narrow_phase.h"

namespace talus {
namespace {

/// L-shaped pieces in weightlessness: they drift through one another and turn.
class Drifters {
 public:
  Drifters() {
    const std::vector<Material> materials{{"rock", 1000, 0}};
    const std::vector<Block> cells{{{0, 0, 0}, 1, 0, {}},
                                   {{1, 0, 0}, 1, 0, {}},
                                   {{2, 0, 0}, 1, 0, {}},
                                   {{0, 1, 0}, 1, 0, {}},
                                   {{0, 2, 0}, 1, 0, {}}};
    const auto piece =
        std::make_shared<const Piece>(make_piece(cells, materials, InertiaRule::Shape));
    for (std::uint32_t i = 0; i < 30; ++i) {
      Body body = make_body(piece, 0);
      body.position = 2.5 * direction();
      body.orientation = turned(kNoRotation, 3.0 * direction());
      // Some drift along together, some turn and stay; one in three does neither.
      body.velocity = Vec3(0.4, 0, 0) + (i % 3 == 0 ? 0.5 : 0.02) * direction();
      body.spin = (i % 3 == 1 ? 2.0 : 0.05) * direction();
      if (i % 3 == 2) body.velocity = body.spin = Vec3(0);
      bodies_.push_back(body);
      Collider collider;
      collider.shape = make_collider_shape(*piece);
      colliders_.push_back(std::move(collider));
      for (std::uint32_t j = 0; j < i; ++j) pairs_.push_back({j, i});
    }
    std::sort(pairs_.begin(), pairs_.end());
    bounds_.resize(bodies_.size());
    homes_.resize(bodies_.size());
  }

  void move() {
    ++step_;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      Body& body = bodies_[i];
      body.position += body.velocity * kStep;
      body.orientation = turned(body.orientation, body.spin * kStep);
      place(colliders_[i], body, step_);
      bounds_[i] = colliders_[i].bounds(0.5 * kWidestMargin);
    }
  }
  void find(ContactFinder& finder) {
    finder.find(bodies_, colliders_, bounds_, pairs_, blocks_, kStep, step_, homes_, team_);
  }

 private:
  static constexpr double kStep = 1.0 / 60;
  Vec3 direction() {
    const auto unit = [&] { return std::uniform_real_distribution<double>(-1, 1)(random_); };
    return Vec3(unit(), unit(), unit());
  }

  std::mt19937 random_{11};
  std::uint64_t step_ = 0;
  std::vector<Body> bodies_;
  std::vector<Collider> colliders_;
  std::vector<Box> bounds_;
  std::vector<BroadPhase::Pair> pairs_;
  std::vector<std::uint32_t> homes_;
  Blocks blocks_;
  Team team_{1};
};

/// Whoever passes by is found in the step in which a finder without a memory finds it.
TEST(ContactFinder, WhatItRemembersOfMissesHidesNoContact) {
  Drifters drifters;
  ContactFinder finder;
  std::size_t met = 0, began = 0, before = 0;
  for (int step = 0; step < 400; ++step) {
    drifters.move();
    drifters.find(finder);
    ContactFinder fresh;
    drifters.find(fresh);
    const auto &known = finder.contacts().pairs, &all = fresh.contacts().pairs;
    ASSERT_EQ(known.size(), all.size()) << step;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(std::pair(known[i].a, known[i].b), std::pair(all[i].a, all[i].b)) << step;
    }
    met += all.size();
    began += all.size() > before ? all.size() - before : 0;
    before = all.size();
  }
  EXPECT_GT(met, 4000u);
  EXPECT_GT(began, 50u);
}

}  // namespace
}  // namespace talus
