#include <cmath>

#include "physics/soft_contacts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/contact_rows_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "physics/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

/// Inverse mass and inertia of the bodies of each lane.
struct Mass {
  V inverse_mass, resistance;
  V3 rows[3];
};
HWY_INLINE Mass gather_mass(const SolverMass* masses, const std::uint32_t* index) {
  const D d;
  const auto x = gather(d, masses, index, kRowX), y = gather(d, masses, index, kRowY),
             z = gather(d, masses, index, kRowZ);
  return {x.w, y.w, {{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}
HWY_INLINE V3 turned_by(const Mass& m, const V3& turn) {
  return {dot(m.rows[0], turn), dot(m.rows[1], turn), dot(m.rows[2], turn)};
}

HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V3 add(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 scaled(const V3& v, V by) {
  return {hn::Mul(v.x, by), hn::Mul(v.y, by), hn::Mul(v.z, by)};
}
HWY_INLINE void store(const V3& v, Lane3& lanes, std::size_t l) {
  const D d;
  hn::Store(v.x, d, lanes[0] + l);
  hn::Store(v.y, d, lanes[1] + l);
  hn::Store(v.z, d, lanes[2] + l);
}
HWY_INLINE void store(V v, float* lane) {
  hn::Store(v, D(), lane);
}

/// 1 / x, and 0 where nothing can move.
HWY_INLINE V inverse(V x) {
  const D d;
  const M moves = hn::Gt(x, hn::Zero(d));
  return hn::IfThenElseZero(moves, hn::Div(hn::Set(d, 1), hn::IfThenElse(moves, x, hn::Set(d, 1))));
}

/// Two unit vectors across the normal.
HWY_INLINE void make_tangents(const V3& n, V3 (&t)[2]) {
  const D d;
  const V zero = hn::Zero(d);
  // n x (0, 1, 0), or, where n is nearly that, n x (1, 0, 0).
  const M flat = hn::Lt(hn::Abs(n.y), hn::Set(d, 0.9F));
  const V3 across{hn::IfThenElse(flat, hn::Neg(n.z), zero), hn::IfThenElse(flat, zero, n.z),
                  hn::IfThenElse(flat, n.x, hn::Neg(n.y))};
  t[0] = scaled(across, hn::Div(hn::Set(d, 1), hn::Sqrt(dot(across, across))));
  t[1] = cross(n, t[0]);
}

/// The lanes of one group.
struct Lanes {
  ContactGroup& g;
  std::size_t l;
  Mass a, b;
  Two moves_a, moves_b;  // velocity and spin
  V both;                // inverse masses together

  struct Turns {
    V3 a, b, effect_a, effect_b;
  };
  HWY_INLINE Turns turns(const V3& arm_a, const V3& arm_b, const V3& direction) const {
    const V3 ta = cross(arm_a, direction), tb = cross(arm_b, direction);
    return {ta, tb, turned_by(a, ta), turned_by(b, tb)};
  }
  HWY_INLINE void store_lever(const Turns& t, Lever& lever) const {
    store(t.a, lever.turn_a, l);
    store(t.b, lever.turn_b, l);
    store(t.effect_a, lever.effect_a, l);
    store(t.effect_b, lever.effect_b, l);
  }
  /// How much a unit impulse along one direction changes the speed along another, by turning.
  HWY_INLINE V response(const Turns& t, const Turns& other) const {
    return hn::Add(dot(t.a, other.effect_a), dot(t.b, other.effect_b));
  }
  HWY_INLINE void store_inverse(V k00, V k01, V k11, Lane (&mass)[3]) const {
    const V scale = inverse(hn::Sub(hn::Mul(k00, k11), hn::Mul(k01, k01)));
    store(hn::Mul(k11, scale), mass[0] + l);
    store(hn::Neg(hn::Mul(k01, scale)), mass[1] + l);
    store(hn::Mul(k00, scale), mass[2] + l);
  }

  HWY_INLINE void make_point(PointRow& row, const V3& normal) const {
    const V3 arm_a = load(row.lever.turn_a, l), arm_b = load(row.lever.turn_b, l);
    const Turns t = turns(arm_a, arm_b, normal);
    const V speed = hn::Add(dot(normal, sub(moves_b.first, moves_a.first)),
                            hn::Sub(dot(moves_b.second, t.b), dot(moves_a.second, t.a)));
    store_lever(t, row.lever);
    store(inverse(hn::Add(both, response(t, t))), row.mass + l);
    store(hn::Neg(speed), row.closing + l);
    store(load(row.impulse + l), row.peak + l);
  }

  /// Friction at the mean of the points.
  HWY_INLINE void make_friction(const V3& mean_a, const V3& mean_b, V spread,
                                const V3 (&tangent)[2]) const {
    const V3 impulse = load(g.across[0].effect_a, l);
    const Turns t0 = turns(mean_a, mean_b, tangent[0]), t1 = turns(mean_a, mean_b, tangent[1]);
    store_lever(t0, g.across[0]);
    store_lever(t1, g.across[1]);
    store_inverse(hn::Add(both, response(t0, t0)), response(t0, t1),
                  hn::Add(both, response(t1, t1)), g.across_mass);
    store(hn::Add(spread, load(g.roll_lever + l)), g.twist_lever + l);
    for (int i = 0; i < 2; ++i) store(dot(impulse, tangent[i]), g.across_impulse[i] + l);
  }

  /// Twist about the normal, rolling about the tangents. `impulse`: angular, so far.
  HWY_INLINE void make_resistance(const V3& impulse, const V3& normal,
                                  const V3 (&tangent)[2]) const {
    const V3 twist_a = turned_by(a, normal), twist_b = turned_by(b, normal);
    store(twist_a, g.twist_a, l);
    store(twist_b, g.twist_b, l);
    store(inverse(dot(normal, add(twist_a, twist_b))), g.twist_mass + l);
    store(dot(impulse, normal), g.twist_impulse + l);
    V3 both_turn[2];
    for (int i = 0; i < 2; ++i) {
      const V3 roll_a = turned_by(a, tangent[i]), roll_b = turned_by(b, tangent[i]);
      store(roll_a, g.roll_a[i], l);
      store(roll_b, g.roll_b[i], l);
      store(dot(impulse, tangent[i]), g.roll_impulse[i] + l);
      both_turn[i] = add(roll_a, roll_b);
    }
    store_inverse(dot(tangent[0], both_turn[0]), dot(tangent[0], both_turn[1]),
                  dot(tangent[1], both_turn[1]), g.roll_mass);
  }
};

HWY_INLINE void make_rows_of(ContactGroup& g, std::size_t l, const SolverMass* masses,
                             const SolverBody* bodies) {
  const D d;
  Lanes lanes{g,
              l,
              gather_mass(masses, g.a + l),
              gather_mass(masses, g.b + l),
              gather_two(bodies, g.a + l, kVelocities),
              gather_two(bodies, g.b + l, kVelocities),
              hn::Zero(d)};
  lanes.both = hn::Add(lanes.a.inverse_mass, lanes.b.inverse_mass);
  store(lanes.a.inverse_mass, g.inverse_mass_a + l);
  store(lanes.b.inverse_mass, g.inverse_mass_b + l);
  // Of two, the smaller resists: a pebble rolls on a boulder as on any ground.
  store(hn::Min(lanes.a.resistance, lanes.b.resistance), g.roll_lever + l);

  const V3 normal = load(g.normal, l);
  V3 tangent[2];
  make_tangents(normal, tangent);
  store(tangent[0], g.tangent[0], l);
  store(tangent[1], g.tangent[1], l);

  const V share = load(g.twist_lever + l);
  V3 mean_a{hn::Zero(d), hn::Zero(d), hn::Zero(d)}, mean_b = mean_a;
  for (int k = 0; k < g.points; ++k) {
    add_scaled(mean_a, load(g.point[k].lever.turn_a, l), share);
    add_scaled(mean_b, load(g.point[k].lever.turn_b, l), share);
  }
  V spread = hn::Zero(d);
  for (int k = 0; k < g.points; ++k) {
    const V3 out = sub(load(g.point[k].lever.turn_a, l), mean_a);
    const M there = hn::Lt(load(g.point[k].gap + l), hn::Set(d, kNoPoint));
    spread = hn::Add(spread, hn::IfThenElseZero(there, hn::Sqrt(dot(out, out))));
  }
  const V3 turning = load(g.across[0].effect_b, l);
  lanes.make_friction(mean_a, mean_b, hn::Mul(spread, share), tangent);
  lanes.make_resistance(turning, normal, tangent);
  for (int k = 0; k < g.points; ++k) lanes.make_point(g.point[k], normal);
}

HWY_ATTR void all_rows(std::span<ContactGroup> groups, const SolverMass* masses,
                       const SolverBody* bodies) {
  for (ContactGroup& g : groups) {
    for (std::size_t l = 0; l < g.lanes; l += hn::Lanes(D())) make_rows_of(g, l, masses, bodies);
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(all_rows);
void make_rows(std::span<ContactGroup> groups, const SolverMass* masses, const SolverBody* bodies) {
  HWY_DYNAMIC_DISPATCH(all_rows)(groups, masses, bodies);
}

}  // namespace talus
#endif
