#include "physics/contact_groups.h"

#include <algorithm>
#include <array>
#include <bit>

namespace talus {

namespace {

constexpr int kFirstFixedColor = 24;
constexpr int kNoColor = 63;  // no colour was free: such a manifold is alone in its group

void set(Lane3& lanes, std::size_t l, Vec3f v) {
  lanes[0][l] = v.x;
  lanes[1][l] = v.y;
  lanes[2][l] = v.z;
}

void set_point(PointRow& row, std::size_t l, const ContactPoint& p) {
  set(row.lever.turn_a, l, p.arm_a);
  set(row.lever.turn_b, l, p.arm_b);
  row.gap[l] = p.gap;
  row.impulse[l] = p.impulse;
}

const ContactPoint kNoContact{.gap = kNoPoint};

void set_manifold(ContactGroup& g, std::size_t l, const SolverContact& contact) {
  const Manifold& m = *contact.manifold;
  g.a[l] = contact.a;
  g.b[l] = contact.b;
  g.friction[l] = contact.friction;
  set(g.normal, l, m.normal);
  for (int k = 0; k < g.points; ++k) {
    set_point(g.point[k], l, k < m.count ? m.points[static_cast<std::size_t>(k)] : kNoContact);
  }
  g.twist_lever[l] = 1 / static_cast<float>(m.count);
  set(g.across[0].effect_a, l, m.friction);
  set(g.across[0].effect_b, l, m.turning);
}

/// A lane without a manifold: entry 0 with itself, far apart.
void set_nothing(ContactGroup& g, std::size_t l) {
  g.a[l] = g.b[l] = 0;
  g.friction[l] = 0;
  set(g.normal, l, Vec3f(0, 1, 0));
  for (int k = 0; k < g.points; ++k) set_point(g.point[k], l, kNoContact);
  g.twist_lever[l] = 0;
  set(g.across[0].effect_a, l, Vec3f(0));
  set(g.across[0].effect_b, l, Vec3f(0));
}

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
  sort_placed();
}

/// By colour, then those with most points first, then as they came: by counting.
void ContactGroups::sort_placed() {
  constexpr std::size_t kMostPoints = 4;
  const auto key = [](const Placed& p) { return kMostPoints * p.color + kMostPoints - p.points; };
  std::array<std::uint32_t, kMostPoints*(kNoColor + 1) + 1> starts{};
  for (const Placed& p : placed_) ++starts[key(p) + 1];
  for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
  sorted_.resize(placed_.size());
  for (const Placed& p : placed_) sorted_[starts[key(p)]++] = p;
  placed_.swap(sorted_);
}

void ContactGroups::build(std::span<const SolverContact> contacts,
                          std::span<const SolverMass> masses, std::span<const SolverBody> bodies) {
  fill(contacts, masses.size());
  make_rows(groups(), masses.data(), bodies.data());
}

void ContactGroups::fill(std::span<const SolverContact> contacts, std::size_t bodies) {
  color(contacts, bodies);
  count_ = 0;
  origin_.clear();
  std::size_t lane = kLanes;
  const auto close_group = [&] {
    if (count_ == 0) return;
    ContactGroup& group = groups_[count_ - 1];
    group.lanes = lane;
    for (; lane < kLanes; ++lane) set_nothing(group, lane);
    group.b_stands = std::all_of(group.b, group.b + kLanes, [](auto entry) { return entry == 0; });
  };
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    const Placed& p = placed_[i];
    if (lane == kLanes || p.color == kNoColor || p.color != placed_[i - 1].color) {
      close_group();
      if (count_ == groups_.size()) groups_.emplace_back();
      groups_[count_].hits = 0;
      groups_[count_++].points = p.points;
      origin_.resize(count_ * kLanes, nullptr);
      lane = 0;
    }
    const SolverContact& contact = contacts[p.contact];
    set_manifold(groups_[count_ - 1], lane, contact);
    origin_[(count_ - 1) * kLanes + lane] = contact.manifold;
    ++lane;
  }
  close_group();
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
    const bool hit = g.hits >> l & 1;
    for (int k = 0; k < m.count; ++k) {
      ContactPoint& p = m.points[static_cast<std::size_t>(k)];
      const float now = g.point[k].impulse[l];
      p.again = hit ? std::min(p.impulse, now) : now;
      p.impulse = now;
    }
    if (hit) continue;
    const Vec3f t0 = vector(g.tangent[0]), t1 = vector(g.tangent[1]);
    m.friction = t0 * g.across_impulse[0][l] + t1 * g.across_impulse[1][l];
    m.turning = vector(g.normal) * g.twist_impulse[l] + t0 * g.roll_impulse[0][l] +
                t1 * g.roll_impulse[1][l];
  }
}

}  // namespace talus
