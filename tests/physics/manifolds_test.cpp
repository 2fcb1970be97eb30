#include "physics/manifolds.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/rotation.h"

namespace talus {
namespace {

Collider at(Vec3 position, const Quat& orientation) {
  Collider c;
  c.position = position;
  c.still.position = position;
  c.axes = Mat3f(rotation_matrix(orientation));
  return c;
}

std::vector<Candidate> square(float gap) {
  std::vector<Candidate> found;
  for (const float x : {-0.5F, 0.5F}) {
    for (const float z : {-0.5F, 0.5F}) {
      found.push_back({Vec3f(x, 0.5F + 0.5F * gap, z), Vec3f(0, 1, 0), gap});
    }
  }
  return found;
}

TEST(Manifolds, RenewedAtOnceTheyAreWhatTheyWere) {
  const Collider a = at({100, 5, -3}, rotation_by({0.3, -0.2, 0.9}));
  const Collider b = at({100.1, 6.001, -3}, rotation_by({-1, 0.4, 0.1}));
  std::vector<Candidate> found = square(0.001F);
  std::vector<Manifold> made, renewed;
  make_manifolds(found, frames_of(a, &b), {}, made);
  ASSERT_EQ(made.size(), 1U);
  made[0].friction = {1, 2, 3};
  made[0].points[2].again = 7;
  renew_manifolds(frames_of(a, &b), made, renewed);
  ASSERT_EQ(renewed.size(), 1U);
  EXPECT_EQ(renewed[0].friction, made[0].friction);
  EXPECT_EQ(renewed[0].points[2].impulse, 7);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(renewed[0].points[i].gap, 0.001F, 1e-6F);
    EXPECT_LT(glm::distance(renewed[0].points[i].arm_a, made[0].points[i].arm_a), 1e-6F);
    EXPECT_LT(glm::distance(renewed[0].points[i].arm_b, made[0].points[i].arm_b), 1e-6F);
  }
}

TEST(Manifolds, RenewedTheyFollowBothPartners) {
  const Collider a = at({0, 0, 0}, kNoRotation), b = at({0, 1.002, 0}, kNoRotation);
  std::vector<Candidate> found = square(0.002F);
  std::vector<Manifold> made, renewed;
  make_manifolds(found, frames_of(a, &b), {}, made);
  // B sinks by 0.05 mm and tilts a little about z; A drifts with it.
  const double tilt = 5e-5;
  const Collider a2 = at({0.00002, 0, 0}, kNoRotation);
  const Collider b2 = at({0.00002, 1.00195, 0}, rotation_by({0, 0, tilt}));
  renew_manifolds(frames_of(a2, &b2), made, renewed);
  for (const ContactPoint& p : renewed[0].points) {
    const double expected = 0.002 - 0.00005 + tilt * (p.arm_b.x > 0 ? 0.5 : -0.5);
    EXPECT_NEAR(p.gap, expected, 1e-6);
  }
}

TEST(Manifolds, OnWhatStandsStillTheyFollowTheBody) {
  Collider a = at({7, 0.5, 2}, kNoRotation);
  std::vector<Candidate> found = {{Vec3f(0, -0.5F, 0), Vec3f(0, -1, 0), 0.0F}};
  std::vector<Manifold> made, renewed;
  make_manifolds(found, frames_of(a, nullptr), {}, made);
  a.position.y += 0.00003;
  renew_manifolds(frames_of(a, nullptr), made, renewed);
  EXPECT_NEAR(renewed[0].points[0].gap, 0.00003, 1e-7);
}

TEST(Manifolds, PointsOfTheSameFaceAreKnownAgain) {
  const Collider a = at({0, 0, 0}, kNoRotation), b = at({0, 1, 0}, kNoRotation);
  std::vector<Candidate> found = square(0);
  std::vector<Manifold> first, second;
  make_manifolds(found, frames_of(a, &b), {}, first);
  for (std::size_t i = 0; i < 4; ++i) first[0].points[i].again = static_cast<float>(i + 1);
  first[0].friction = {4, 0, 0};
  found = square(0);
  for (Candidate& c : found) c.point.x += 0.03F;
  std::swap(found[0], found[3]);
  make_manifolds(found, frames_of(a, &b), first, second);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].points[0].impulse, 4);
  EXPECT_EQ(second[0].points[3].impulse, 1);
  EXPECT_EQ(second[0].points[1].impulse, 2);
  EXPECT_FLOAT_EQ(second[0].friction.x, 4);
}

/// Found anew or renewed, what a hit added is not started with, but known to have been there.
TEST(Manifolds, AHitIsNotHandedOn) {
  const Collider a = at({0, 0, 0}, kNoRotation), b = at({0, 1, 0}, kNoRotation);
  const Frames frames = frames_of(a, &b);
  std::vector<Candidate> found = square(0);
  std::vector<Manifold> first, second;
  make_manifolds(found, frames, {}, first);
  for (ContactPoint& p : first[0].points) p.impulse = 500, p.again = 2;
  EXPECT_TRUE(first[0].loaded());
  found = square(0);
  make_manifolds(found, frames, first, second);
  renew_manifolds(frames, first, second);
  ASSERT_EQ(second.size(), 2U);
  for (const Manifold& m : second) {
    for (const ContactPoint& p : m.points) EXPECT_EQ(p.impulse, 2);
  }
}

}  // namespace
}  // namespace talus
