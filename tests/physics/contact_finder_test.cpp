#include "physics/contact_finder.h"

#include <algorithm>
#include <memory>
#include <random>
#include <utility>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "physics/motion.h"
#include "physics/narrow_phase.h"
#include "support/flat_ground.h"

namespace talus {
namespace {

/// L-shaped pieces in weightlessness: they drift through one another, and through the ground, and
/// turn.
class Drifters {
 public:
  explicit Drifters(Vec3 middle) {
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
      body.position = middle + 2.5 * direction();
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
      colliders_[i].around.cover(solids_, colliders_[i].bounds(kWidestMargin), version_);
    }
  }
  /// As the world does it: whoever is near has its contacts looked at anew.
  void edit(const Brush& brush) {
    solids_.ground.edit(brush);
    ++version_;
    const Vec3 reach(brush.radius + 0.1);
    for (Collider& c : colliders_) {
      if (overlap(c.bounds(0), {brush.center - reach, brush.center + reach})) {
        c.still.since = step_ + 1;
      }
    }
  }
  void find(ContactFinder& finder) {
    finder.find(bodies_, colliders_, bounds_, pairs_, solids_.blocks, kStep, step_, homes_, team_);
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
  Solids solids_{Field(flat_ground()), {}};
  std::uint64_t version_ = 1;
  Team team_{1};
};

/// What a finder with a memory and one without have found, which must be the same.
struct Meetings {
  std::size_t met = 0, began = 0, before = 0;

  void compare(const ContactFinder& finder, const ContactFinder& fresh, bool of_bodies) {
    const auto &known = finder.contacts().pairs, &all = fresh.contacts().pairs;
    ASSERT_EQ(known.size(), all.size());
    std::size_t now = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(std::pair(known[i].a, known[i].b), std::pair(all[i].a, all[i].b));
      now += is_body(all[i].b) == of_bodies;
    }
    met += now;
    began += now > before ? now - before : 0;
    before = now;
  }
};

/// Moves the drifters and looks for contacts with a finder that remembers and with new ones.
/// `before(step, finder)`: what else happens.
template <class Before>
Meetings watch(Drifters& drifters, bool bodies, const Before& before) {
  ContactFinder finder;
  Meetings meetings;
  for (int step = 0; step < 400; ++step) {
    SCOPED_TRACE(step);
    before(step, finder);
    drifters.move();
    drifters.find(finder);
    ContactFinder fresh;
    drifters.find(fresh);
    meetings.compare(finder, fresh, bodies);
  }
  return meetings;
}

/// Whoever passes by is found in the step in which a finder without a memory finds it.
TEST(ContactFinder, WhatItRemembersOfMissesHidesNoContact) {
  Drifters drifters({0, 20, 0});
  const Meetings meetings = watch(drifters, true, [](int, ContactFinder&) {});
  EXPECT_GT(meetings.met, 4000u);
  EXPECT_GT(meetings.began, 50u);
}

/// The same of the ground, which is dug and filled under them.
TEST(ContactFinder, WhatItRemembersOfTheGroundHidesNone) {
  Drifters drifters({0, 1.5, 0});
  const Meetings meetings = watch(drifters, false, [&](int step, ContactFinder& finder) {
    if (step % 50 != 49) return;
    const auto mode = step % 100 == 49 ? Brush::Mode::Fill : Brush::Mode::Dig;
    drifters.edit(ball_brush(mode, {0.02 * step - 4, 0.4, 0}, 2));
    finder.forget_solids();
  });
  EXPECT_GT(meetings.met, 2000u);
  EXPECT_GT(meetings.began, 30u);
}

}  // namespace
}  // namespace talus
