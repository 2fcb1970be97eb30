#include "trajectory/trajectory.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace talus {
namespace {

BodyState state(int body, int frame) {
  BodyState s;
  s.position_m = Vec3(body, 0.5 * frame, 1.0 / (1 + frame));
  const double half = 0.01 * frame;
  s.rotation_xyzw = {std::sin(half), 0, 0, std::cos(half)};
  s.linear_velocity_m_s = Vec3(0, frame, 0);
  s.angular_velocity_rad_s = Vec3(frame, 0, body);
  s.asleep = frame > 8;
  return s;
}

Trajectory sample() {
  Trajectory t;
  t.step_s = 1.0 / 120;
  t.bodies.resize(3);
  for (int f = 0; f < 10; ++f) {
    add_frame(t, f / 10.0);
    for (int b = 0; b < 3; ++b) {
      if (f >= b) append(t, static_cast<std::size_t>(b), state(b, f));
    }
  }
  t.events.push_back({"rested", 0.9, 1, Vec3(1, 2, 3), 0});
  return t;
}

TEST(Trajectory, WhatIsAppendedIsThere) {
  const Trajectory t = sample();
  ASSERT_EQ(t.bodies[2].rows(), 8u);
  EXPECT_EQ(t.bodies[2].frame[0], 2);
  EXPECT_EQ(state_at(t.bodies[2], 3), state(2, 5));
}

TEST(Trajectory, EqualOnesNeverPart) {
  EXPECT_FALSE(first_parting(sample(), sample()));
  EXPECT_EQ(hash(sample()), hash(sample()));
}

TEST(Trajectory, TheFirstPartingNamesColumnFrameAndBody) {
  struct Case {
    const char* what;
    double difference;
    std::function<void(BodyTrack&)> change;
  };
  const Case cases[] = {
      {"position", 0.25, [](BodyTrack& b) { b.position_m[4].x += 0.25; }},
      {"rotation", 0.1,
       [](BodyTrack& b) {
         b.rotation_xyzw[4] = {std::sin(0.1), 0, 0, std::cos(0.1)};
       }},
      {"linear velocity", 2, [](BodyTrack& b) { b.linear_velocity_m_s[4].z -= 2; }},
      {"angular velocity", 1, [](BodyTrack& b) { b.angular_velocity_rad_s[4].y += 1; }},
      {"asleep", 1, [](BodyTrack& b) { b.asleep[4] = 1; }},
  };
  for (const Case& c : cases) {
    Trajectory changed = sample();
    changed.bodies[2].position_m.back().x = 77;  // later, so not the first
    c.change(changed.bodies[1]);
    for (const bool swapped : {false, true}) {
      const auto parting =
          swapped ? first_parting(changed, sample()) : first_parting(sample(), changed);
      ASSERT_TRUE(parting) << c.what;
      EXPECT_EQ(parting->what, c.what);
      EXPECT_EQ(parting->frame, 5);
      EXPECT_EQ(parting->t_s, 0.5);
      EXPECT_EQ(parting->body, 1u);
      EXPECT_NEAR(parting->difference, c.difference, 1e-9);
    }
    EXPECT_NE(hash(changed), hash(sample()));
  }
}

TEST(Trajectory, DifferencesWithinTheToleranceAreNone) {
  Trajectory changed = sample();
  changed.bodies[0].position_m[3].y += 1e-7;
  for (double& q : changed.bodies[0].rotation_xyzw[2]) q = -q;  // the same rotation
  EXPECT_TRUE(first_parting(sample(), changed));
  EXPECT_FALSE(first_parting(sample(), changed, {1e-6, 1e-6, 1e-5, 1e-5}));
  changed.bodies[0].position_m[3].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(first_parting(sample(), changed, {1e9, 1e9, 1e9, 1e9}));
}

TEST(Trajectory, MissingRowsBodiesAndFramesAreFound) {
  Trajectory fewer = sample();
  fewer.bodies.pop_back();
  EXPECT_EQ(first_parting(sample(), fewer)->what, "bodies");
  EXPECT_EQ(first_parting(sample(), fewer)->frame, 2);
  Trajectory longer = sample();
  add_frame(longer, 1.0);
  EXPECT_EQ(first_parting(longer, sample())->what, "frame");
  append(longer, 0, state(0, 10));
  Trajectory skipped = sample();
  add_frame(skipped, 1.0);
  EXPECT_EQ(first_parting(skipped, longer)->what, "rows");
  EXPECT_EQ(first_parting(skipped, longer)->frame, 10);
}

}  // namespace
}  // namespace talus
