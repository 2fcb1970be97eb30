#include "trajectory/summary.h"

#include <cmath>

#include <gtest/gtest.h>

namespace talus {
namespace {

// A body of 2 kg falls freely while it spins about its own z axis, then sleeps from frame 3 on.
Trajectory falling() {
  Trajectory t;
  t.gravity_m_s2 = 10;
  t.bodies.resize(1);
  t.bodies[0].name = "stone";
  t.bodies[0].mass_kg = 2;
  t.bodies[0].inertia_kg_m2 = {1, 2, 3, 0, 0, 0};
  const double half = std::sqrt(0.5);
  for (int i = 0; i < 3; ++i) {
    const double s = i;
    add_frame(t, s);
    // A quarter turn about y carries the body's z axis to the world's x.
    append(t, 0,
           {Vec3(0, 20 - 5 * s * s, 0),
            {0, half, 0, half},
            Vec3(0, -10 * s, 0),
            Vec3(2, 0, 0),
            false});
  }
  add_frame(t, 3);
  append(t, 0, {Vec3(0, 0, 0), {0, half, 0, half}, Vec3(0), Vec3(0), true});
  add_frame(t, 4);
  t.events.push_back({"first contact", 2.5, 0, Vec3(0), 20});
  t.events.push_back({"rested", 2.75, 0, Vec3(0), 0});
  return t;
}

TEST(Summary, KnowsAFallingStone) {
  const std::vector<BodySummary> all = summarize(falling());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].first_contact_s, 2.5);
  EXPECT_EQ(all[0].rest_s, 2.75);
  EXPECT_EQ(all[0].path_m, 20);
  EXPECT_EQ(all[0].top_speed_m_s, 20);
  EXPECT_EQ(all[0].final_position_m, Vec3(0));
}

TEST(Summary, WhoWakesDoesNotRest) {
  Trajectory t = falling();
  append(t, 0, {Vec3(0), {0, 0, 0, 1}, Vec3(1), Vec3(0), false});
  EXPECT_FALSE(summarize(t)[0].rest_s);
}

TEST(Energy, IsKeptInFreeFallAndGoneAtRest) {
  const std::vector<FrameEnergy> all = energy_over_time(falling());
  ASSERT_EQ(all.size(), 5u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(all[i].translational_j + *all[i].potential_j, 400) << i;
    EXPECT_DOUBLE_EQ(*all[i].rotational_j, 0.5 * 3 * 4) << i;
  }
  for (std::size_t i = 3; i < 5; ++i) {
    EXPECT_EQ(all[i].translational_j + *all[i].rotational_j + *all[i].potential_j, 0) << i;
  }
}

TEST(Energy, SaysOnlyWhatTheFileKnows) {
  Trajectory t = falling();
  t.gravity_m_s2.reset();
  t.bodies[0].inertia_kg_m2.reset();
  EXPECT_FALSE(energy_over_time(t)[0].rotational_j);
  EXPECT_FALSE(energy_over_time(t)[0].potential_j);
  EXPECT_EQ(energy_over_time(t)[1].translational_j, 100);
}

}  // namespace
}  // namespace talus
