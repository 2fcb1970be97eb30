#include "physics/contact_groups.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr int kFirstFixedColor = 24;
constexpr int kNoColor = 63;  // no colour was free: such a manifold is alone in its group
constexpr float kNowhere = 1e6F;

void set(Lane3& lanes, std::size_t l, Vec3f v) {
  lanes[0][l] = v.x;
  lanes[1][l] = v.y;
  lanes[2][l] = v.z;
}

/// One lane of a group being written.
struct LaneWriter {
  ContactGroup& g;
  std::size_t l;
  const SolverMass& a;
  const SolverMass& b;

  void set_lever(Lever& lever, Vec3f arm_a, Vec3f arm_b, Vec3f direction) const {
    const Vec3f turn_a = glm::cross(arm_a, direction), turn_b = glm::cross(arm_b, direction);
    set(lever.turn_a, l, turn_a);
    set(lever.turn_b, l, turn_b);
    set(lever.effect_a, l, a.inverse_inertia * turn_a);
    set(lever.effect_b, l, b.inverse_inertia * turn_b);
  }

  /// How much a unit impulse along one direction changes the speed along another.
  float response(Vec3f turn_a, Vec3f turn_b, Vec3f other_a, Vec3f other_b, float same) const {
    return same * (a.inverse_mass + b.inverse_mass) +
           glm::dot(turn_a, a.inverse_inertia * other_a) +
           glm::dot(turn_b, b.inverse_inertia * other_b);
  }

  void set_inverse(Lane (&mass)[3], float k00, float k01, float k11) const {
    const float det = k00 * k11 - k01 * k01;
    const float inverse = det > 0 ? 1 / det : 0;
    mass[0][l] = k11 * inverse;
    mass[1][l] = -k01 * inverse;
    mass[2][l] = k00 * inverse;
  }

  void write_point(PointRow& row, const ContactPoint& p, Vec3f n) const {
    const Vec3f turn_a = glm::cross(p.arm_a, n), turn_b = glm::cross(p.arm_b, n);
    set_lever(row.lever, p.arm_a, p.arm_b, n);
    row.mass[l] = 1 / response(turn_a, turn_b, turn_a, turn_b, 1);
    row.gap[l] = p.gap;
    row.impulse[l] = p.impulse;
    row.peak[l] = p.impulse;
    const Vec3f leaving =
        b.velocity + glm::cross(b.spin, p.arm_b) - a.velocity - glm::cross(a.spin, p.arm_a);
    row.closing[l] = -glm::dot(leaving, n);
  }

  void write_friction(const Manifold& m, const Vec3f (&t)[2]) const {
    Vec3f arm_a(0), arm_b(0);
    for (int k = 0; k < m.count; ++k) {
      arm_a += m.points[static_cast<std::size_t>(k)].arm_a;
      arm_b += m.points[static_cast<std::size_t>(k)].arm_b;
    }
    const float share = 1 / static_cast<float>(m.count);
    arm_a *= share;
    arm_b *= share;
    const Vec3f a0 = glm::cross(arm_a, t[0]), a1 = glm::cross(arm_a, t[1]);
    const Vec3f b0 = glm::cross(arm_b, t[0]), b1 = glm::cross(arm_b, t[1]);
    set_lever(g.across[0], arm_a, arm_b, t[0]);
    set_lever(g.across[1], arm_a, arm_b, t[1]);
    set_inverse(g.across_mass, response(a0, b0, a0, b0, 1), response(a0, b0, a1, b1, 0),
                response(a1, b1, a1, b1, 1));
    float lever = 0;
    for (int k = 0; k < m.count; ++k) {
      lever += glm::distance(m.points[static_cast<std::size_t>(k)].arm_a, arm_a);
    }
    g.twist_lever[l] = lever * share + g.roll_lever[l];
    for (int i = 0; i < 2; ++i) g.across_impulse[i][l] = glm::dot(m.friction, t[i]);
  }

  void write_resistance(const Manifold& m, const Vec3f (&t)[2]) const {
    set(g.twist_a, l, a.inverse_inertia * m.normal);
    set(g.twist_b, l, b.inverse_inertia * m.normal);
    g.twist_mass[l] = 1 / response(m.normal, m.normal, m.normal, m.normal, 0);
    g.twist_impulse[l] = glm::dot(m.turning, m.normal);
    for (int i = 0; i < 2; ++i) {
      set(g.roll_a[i], l, a.inverse_inertia * t[i]);
      set(g.roll_b[i], l, b.inverse_inertia * t[i]);
      g.roll_impulse[i][l] = glm::dot(m.turning, t[i]);
    }
    set_inverse(g.roll_mass, response(t[0], t[0], t[0], t[0], 0),
                response(t[0], t[0], t[1], t[1], 0), response(t[1], t[1], t[1], t[1], 0));
  }

  void write(const SolverContact& contact) const {
    const Manifold& m = *contact.manifold;
    const Vec3f n = m.normal;
    const Vec3f across = std::abs(n.y) < 0.9F ? Vec3f(0, 1, 0) : Vec3f(1, 0, 0);
    const Vec3f t0 = glm::normalize(glm::cross(n, across));
    const Vec3f t[2] = {t0, glm::cross(n, t0)};
    g.a[l] = contact.a;
    g.b[l] = contact.b;
    set(g.normal, l, n);
    set(g.tangent[0], l, t[0]);
    set(g.tangent[1], l, t[1]);
    g.inverse_mass_a[l] = a.inverse_mass;
    g.inverse_mass_b[l] = b.inverse_mass;
    g.friction[l] = contact.friction;
    // Of two, the smaller resists: a pebble rolls on a boulder as on any ground.
    g.roll_lever[l] = contact.a == 0   ? b.resistance
                      : contact.b == 0 ? a.resistance
                                       : std::min(a.resistance, b.resistance);
    for (int k = 0; k < m.count; ++k) {
      write_point(g.point[k], m.points[static_cast<std::size_t>(k)], n);
    }
    for (int k = m.count; k < 4; ++k) g.point[k].gap[l] = kNowhere;
    write_friction(m, t);
    write_resistance(m, t);
  }
};

}  // namespace

void ContactGroups::color(std::span<const SolverContact> contacts, std::size_t bodies) {
  used_.assign(bodies, 0);
  placed_.clear();
  constexpr std::uint64_t kFixedColors = ~((std::uint64_t{1} << kFirstFixedColor) - 1);
  constexpr std::uint64_t kAllButLast = ~(std::uint64_t{1} << kNoColor);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const SolverContact& c = contacts[i];
    std::uint64_t& a = c.a == 0 ? used_[c.b] : used_[c.a];
    std::uint64_t& b = c.b == 0 ? used_[c.a] : used_[c.b];
    const bool fixed = c.a == 0 || c.b == 0;
    const std::uint64_t free = ~(a | b) & kAllButLast & (fixed ? kFixedColors : ~std::uint64_t{0});
    const int color = free == 0 ? kNoColor : std::countr_zero(free);
    if (color != kNoColor) {
      a |= std::uint64_t{1} << color;
      b |= std::uint64_t{1} << color;
    }
    placed_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(color),
                       static_cast<std::uint8_t>(c.manifold->count)});
  }
  std::stable_sort(placed_.begin(), placed_.end(), [](const Placed& x, const Placed& y) {
    return x.color != y.color ? x.color < y.color : x.points > y.points;
  });
}

void ContactGroups::build(std::span<const SolverContact> contacts,
                          std::span<const SolverMass> masses) {
  color(contacts, masses.size());
  groups_.clear();
  origin_.clear();
  std::size_t lane = kLanes;
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    if (lane == kLanes || p.color == kNoColor || p.color != placed_[i - 1].color) {
      groups_.emplace_back();
      origin_.resize(groups_.size() * kLanes, nullptr);
      lane = 0;
    }
    const SolverContact& contact = contacts[p.contact];
    ContactGroup& g = groups_.back();
    g.points = std::max<int>(g.points, p.points);
    LaneWriter{g, lane, masses[contact.a], masses[contact.b]}.write(contact);
    origin_[(groups_.size() - 1) * kLanes + lane] = contact.manifold;
    ++lane;
  }
}

void ContactGroups::store() const {
  for (std::size_t i = 0; i < origin_.size(); ++i) {
    if (!origin_[i]) continue;
    Manifold& m = *origin_[i];
    const ContactGroup& g = groups_[i / kLanes];
    const std::size_t l = i % kLanes;
    const auto vector = [&](const Lane3& lanes) {
      return Vec3f(lanes[0][l], lanes[1][l], lanes[2][l]);
    };
    for (int k = 0; k < m.count; ++k) {
      m.points[static_cast<std::size_t>(k)].impulse = g.point[k].impulse[l];
    }
    const Vec3f t0 = vector(g.tangent[0]), t1 = vector(g.tangent[1]);
    m.friction = t0 * g.across_impulse[0][l] + t1 * g.across_impulse[1][l];
    m.turning = vector(g.normal) * g.twist_impulse[l] + t0 * g.roll_impulse[0][l] +
                t1 * g.roll_impulse[1][l];
  }
}

}  // namespace talus
