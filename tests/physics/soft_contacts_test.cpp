#include "physics/soft_contacts.h"

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/simd.h"
#include "physics/contact_groups.h"
#include "support/plain_contacts.h"

namespace talus {
namespace {

/// Forty bodies in a hundred random contacts, a third of them with the ground.
struct RandomHeap {
  std::mt19937 random{20261130};
  std::vector<Manifold> manifolds;
  std::vector<SolverContact> contacts;
  std::vector<SolverMass> masses{1};
  std::vector<SolverBody> bodies{1};

  float number(float lo, float hi) {
    return lo + (hi - lo) * static_cast<float>(random()) / 4294967296.0F;
  }
  Vec3f vector(float size) {
    const float x = number(-size, size), y = number(-size, size), z = number(-size, size);
    return {x, y, z};
  }

  RandomHeap() {
    constexpr std::uint32_t kBodies = 40, kContacts = 100;
    masses[0].rows[1][3] = 1e6F;
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      SolverMass mass;
      mass.rows[0][3] = number(1e-4F, 1e-2F);
      mass.rows[1][3] = number(0.05F, 0.2F);
      for (int k = 0; k < 3; ++k) mass.rows[k][k] = number(1e-3F, 1e-2F);
      masses.push_back(mass);
      SolverBody body;
      const Vec3f velocity = vector(8), spin = vector(4);
      for (int k = 0; k < 3; ++k) body.velocity[k] = velocity[k], body.spin[k] = spin[k];
      bodies.push_back(body);
    }
    manifolds.resize(kContacts);
    for (std::uint32_t i = 0; i < kContacts; ++i) {
      Manifold& m = manifolds[i];
      m.normal = glm::normalize(vector(1));
      m.count = 1 + static_cast<int>(random() % 4);
      for (int k = 0; k < m.count; ++k) {
        ContactPoint& p = m.points[static_cast<std::size_t>(k)];
        p.arm_a = vector(1);
        p.arm_b = vector(1);
        p.gap = number(-0.02F, 0.01F);
        p.impulse = random() % 2 ? number(0, 20) : 0;
      }
      m.friction = vector(5);
      m.turning = vector(1);
      const std::uint32_t a = 1 + random() % kBodies;
      const std::uint32_t b = i % 3 == 0 ? 0 : 1 + (a + random() % (kBodies - 1)) % kBodies;
      contacts.push_back({&m, a, b, 0.6F});
    }
  }
};

void expect_same(std::span<const SolverBody> wide, std::span<const SolverBody> plain,
                 const std::string& when) {
  for (std::size_t i = 0; i < wide.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(wide[i].velocity[k], plain[i].velocity[k]) << when << ", body " << i;
      ASSERT_EQ(wide[i].spin[k], plain[i].spin[k]) << when << ", body " << i;
    }
  }
}

template <class T>
auto bits(const T& value) {
  return std::bit_cast<std::array<std::uint32_t, sizeof(T) / 4>>(value);
}

void move(std::vector<SolverBody>& bodies, float h) {
  for (SolverBody& body : bodies) {
    for (int k = 0; k < 3; ++k) {
      body.shift[k] += h * body.velocity[k];
      body.turn[k] += h * body.spin[k];
    }
  }
}

class SoftContacts : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(simd_levels().front()); }
};
INSTANTIATE_TEST_SUITE_P(AtEverySimdLevel, SoftContacts, testing::ValuesIn(simd_levels()),
                         [](const auto& info) { return info.param; });

TEST_P(SoftContacts, TheWideSolverGivesTheBitsOfThePlainOne) {
  RandomHeap heap;
  ContactGroups wide, plain;
  wide.build(heap.contacts, heap.masses, heap.bodies);
  plain.fill(heap.contacts, heap.masses.size());
  plain::make_rows(plain.groups(), heap.masses.data(), heap.bodies.data());
  ASSERT_EQ(wide.groups().size(), plain.groups().size());
  ASSERT_GT(wide.groups().size(), 10U);

  std::vector<SolverBody> by_wide = heap.bodies, by_plain = heap.bodies;
  constexpr float kStep = 1.0F / 960;
  const Softness soft = make_softness(kStep, 240, 10);
  warm_start(wide.groups(), by_wide.data());
  plain::warm_start(plain.groups(), by_plain.data());
  expect_same(by_wide, by_plain, "warm start");
  for (int i = 0; i < 8; ++i) {
    solve_biased(wide.groups(), soft, by_wide.data());
    plain::solve_biased(plain.groups(), soft, by_plain.data());
    expect_same(by_wide, by_plain, "with bias, substep " + std::to_string(i));
    move(by_wide, kStep);
    move(by_plain, kStep);
    solve_relaxed(wide.groups(), soft, by_wide.data());
    plain::solve_relaxed(plain.groups(), soft, by_plain.data());
    expect_same(by_wide, by_plain, "relaxing, substep " + std::to_string(i));
  }
  bounce(wide.groups(), 0.5F, 1, by_wide.data());
  plain::bounce(plain.groups(), 0.5F, 1, by_plain.data());
  expect_same(by_wide, by_plain, "bounce");
  std::uint32_t hits = 0;
  for (std::size_t i = 0; i < wide.groups().size(); ++i) {
    EXPECT_EQ(wide.groups()[i].hits, plain.groups()[i].hits);
    hits |= wide.groups()[i].hits;
  }
  EXPECT_NE(hits, 0U);
}

/// What a hit added is told, but the next step does not start with it.
TEST(ContactGroups, OfAHitOnlyWhatWasCarriedBeforeComesAgain) {
  RandomHeap heap;
  const std::vector<Manifold> before = heap.manifolds;
  ContactGroups groups;
  groups.build(heap.contacts, heap.masses, heap.bodies);
  warm_start(groups.groups(), heap.bodies.data());
  solve_biased(groups.groups(), make_softness(1.0F / 960, 240, 10), heap.bodies.data());
  groups.store();
  int hits = 0, quiet = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Manifold& m = heap.manifolds[i];
    const bool hit = m.friction == before[i].friction;
    ++(hit ? hits : quiet);
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.count); ++k) {
      const float now = m.points[k].impulse, was = before[i].points[k].impulse;
      EXPECT_EQ(m.points[k].again, hit ? std::min(was, now) : now);
    }
  }
  EXPECT_GT(hits, 10);
  EXPECT_GT(quiet, 10);
}

TEST_P(SoftContacts, FreeMotionHasTheBitsOfPlainLoops) {
  RandomHeap heap;
  std::vector<SolverBody> wide = heap.bodies, plain = heap.bodies;
  std::vector<Velocities> wide_before(wide.size()), plain_before(wide.size());
  for (const bool first : {true, false, false}) {
    push_again(std::span(wide).subspan(1), wide_before.data() + 1, 0.0125F, first);
    move_bodies(wide, 0.001F);
    for (std::size_t i = 0; i < plain.size(); ++i) {
      SolverBody& m = plain[i];
      for (int k = 0; k < 4 && i > 0; ++k) {
        const float push = first ? 0 : m.velocity[k] - plain_before[i].velocity[k];
        const float turn = first ? 0 : m.spin[k] - plain_before[i].spin[k];
        plain_before[i].velocity[k] = m.velocity[k] - (k == 1 ? 0.0125F : 0.0F);
        plain_before[i].spin[k] = m.spin[k];
        m.velocity[k] = plain_before[i].velocity[k] + push;
        m.spin[k] = plain_before[i].spin[k] + turn;
      }
      for (int k = 0; k < 4; ++k) {
        m.shift[k] += 0.001F * m.velocity[k];
        m.turn[k] += 0.001F * m.spin[k];
      }
    }
    // As contacts would.
    for (std::size_t i = 1; i < plain.size(); ++i) {
      wide[i].velocity[1] += 0.3F, plain[i].velocity[1] += 0.3F;
      wide[i].spin[2] -= 0.7F, plain[i].spin[2] -= 0.7F;
    }
  }
  ASSERT_GT(plain.size(), 20U);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(bits(wide[i]), bits(plain[i])) << i;
    EXPECT_EQ(bits(wide_before[i]), bits(plain_before[i])) << i;
  }
}

}  // namespace
}  // namespace talus
