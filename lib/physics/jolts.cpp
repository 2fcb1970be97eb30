#include "physics/jolts.h"

#include <algorithm>

#include <glm/geometric.hpp>

namespace talus {

namespace {

/// A body that is driven on faster than that passes it on, m/s.
constexpr float kJolt = 0.5F;

}  // namespace

void Jolts::add(std::uint32_t body, const Collider& collider, double mass) {
  jolts_[body] = {collider.velocity, collider.spin, static_cast<float>(mass)};
}

void Jolts::spread(const ContactList& contacts, std::span<Body> bodies) {
  for (bool any = true; any;) {
    any = false;
    for (const PairContact& pair : contacts.pairs) {
      any |= is_body(pair.b) && pass_on(pair, contacts.of(pair), bodies);
    }
  }
}

/// From one of two to the other, if that stands or slept so far; true where it did.
bool Jolts::pass_on(const PairContact& pair, std::span<const Manifold> manifolds,
                    std::span<Body> bodies) {
  const bool a_drives = jolts_[pair.a].mass > 0, b_drives = jolts_[pair.b].mass > 0;
  if (a_drives == b_drives) return false;
  const std::uint32_t from = a_drives ? pair.a : pair.b, to = a_drives ? pair.b : pair.a;
  const Jolt& jolt = jolts_[from];
  const float all = jolt.mass + static_cast<float>(bodies[to].piece->mass);
  for (const Manifold& m : manifolds) {
    const Vec3f normal = a_drives ? m.normal : -m.normal;
    float closing = 0;
    for (int k = 0; k < m.count; ++k) {
      const ContactPoint& p = m.points[static_cast<std::size_t>(k)];
      const Vec3f turning = glm::cross(jolt.spin, a_drives ? p.arm_a : p.arm_b);
      closing = std::max(closing, glm::dot(jolt.velocity + turning, normal));
    }
    const float speed = closing * jolt.mass / all;
    if (speed < kJolt) continue;
    jolts_[to] = {speed * normal, Vec3f(0), all};
    if (bodies[to].asleep) wake(bodies[to]);
    return true;
  }
  return false;
}

}  // namespace talus
