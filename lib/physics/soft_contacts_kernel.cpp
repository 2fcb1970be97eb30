#include <cmath>
#include <cstdint>

#include "physics/soft_contacts.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/soft_contacts_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "physics/lanes_inl.h"

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

// ---- one group

// kBoth: whether any B of the group moves. Where all of them stand still, what is zero is left out.

/// The velocities of a group's bodies, held in registers through a pass.
struct Motion {
  V3 va, wa, vb, wb;
};

template <bool kBoth>
HWY_INLINE Motion gather_motion(const ContactGroup& g, std::size_t l, const SolverBody* bodies) {
  const Two a = gather_two(bodies, g.a + l, kVelocities);
  const V zero = hn::Zero(D());
  if constexpr (!kBoth) return {a.first, a.second, {zero, zero, zero}, {zero, zero, zero}};
  const Two b = gather_two(bodies, g.b + l, kVelocities);
  return {a.first, a.second, b.first, b.second};
}
template <bool kBoth>
HWY_INLINE void scatter_motion(const ContactGroup& g, std::size_t l, const Motion& m,
                               SolverBody* bodies) {
  scatter_two(bodies, g.a + l, kVelocities, m.va, m.wa);
  if constexpr (kBoth) scatter_two(bodies, g.b + l, kVelocities, m.vb, m.wb);
}

/// What is the same for all rows of a lane.
struct Frame {
  V3 normal, tangent[2];
  V mass_a, mass_b;  // inverse
};
HWY_INLINE Frame load_frame(const ContactGroup& g, std::size_t l) {
  return {load(g.normal, l),
          {load(g.tangent[0], l), load(g.tangent[1], l)},
          load(g.inverse_mass_a + l),
          load(g.inverse_mass_b + l)};
}

/// Speed at which B leaves A along a direction.
template <bool kBoth>
HWY_INLINE V speed_along(const Motion& m, const V3& direction, const Lever& lever, std::size_t l) {
  const V turning_a = dot(m.wa, load(lever.turn_a, l));
  if constexpr (!kBoth) return hn::Sub(hn::Neg(dot(direction, m.va)), turning_a);
  const V linear = dot(direction, sub(m.vb, m.va));
  return hn::Sub(hn::Add(linear, dot(m.wb, load(lever.turn_b, l))), turning_a);
}
/// By which B turns more than A.
template <bool kBoth>
HWY_INLINE V3 spin_between(const Motion& m) {
  if constexpr (!kBoth) return {hn::Neg(m.wa.x), hn::Neg(m.wa.y), hn::Neg(m.wa.z)};
  return sub(m.wb, m.wa);
}

template <bool kBoth>
HWY_INLINE void turn(Motion& m, const Lane3& effect_a, const Lane3& effect_b, std::size_t l,
                     V impulse) {
  sub_scaled(m.wa, load(effect_a, l), impulse);
  if constexpr (kBoth) add_scaled(m.wb, load(effect_b, l), impulse);
}
template <bool kBoth>
HWY_INLINE void push(Motion& m, const Frame& f, const V3& direction, const Lever& lever,
                     std::size_t l, V impulse) {
  sub_scaled(m.va, direction, hn::Mul(f.mass_a, impulse));
  if constexpr (kBoth) add_scaled(m.vb, direction, hn::Mul(f.mass_b, impulse));
  turn<kBoth>(m, lever.effect_a, lever.effect_b, l, impulse);
}

HWY_INLINE V sum_of_impulses(const ContactGroup& g, std::size_t l) {
  V sum = load(g.point[0].impulse + l);
  for (int k = 1; k < g.points; ++k) sum = hn::Add(sum, load(g.point[k].impulse + l));
  return sum;
}

HWY_INLINE std::uint32_t bits_of(M lanes) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(D(), lanes, bytes);
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8;
}

HWY_INLINE M longer(V x, V y, V limit) {
  return hn::Gt(hn::Add(hn::Mul(x, x), hn::Mul(y, y)), hn::Mul(limit, limit));
}

/// Scales a pair so that its length is at most the limit.
HWY_INLINE void limit_pair(V& x, V& y, V limit) {
  const D d;
  const V length2 = hn::Add(hn::Mul(x, x), hn::Mul(y, y));
  const M over = longer(x, y, limit);
  // Where it is over, the length is not 0.
  const V scale = hn::IfThenElse(
      over, hn::Div(limit, hn::Sqrt(hn::IfThenElse(over, length2, hn::Set(d, 1)))), hn::Set(d, 1));
  x = hn::Mul(x, scale);
  y = hn::Mul(y, scale);
}

/// The impulses that stop (sx, sy), added to the sums within the limit; returns the change.
HWY_INLINE void solve_pair(const Lane (&mass)[3], Lane (&sums)[2], std::size_t l, V sx, V sy,
                           V limit, V& change_x, V& change_y) {
  const D d;
  const V m00 = load(mass[0] + l), m01 = load(mass[1] + l), m11 = load(mass[2] + l);
  const V old_x = load(sums[0] + l), old_y = load(sums[1] + l);
  V x = hn::Sub(old_x, hn::Add(hn::Mul(m00, sx), hn::Mul(m01, sy)));
  V y = hn::Sub(old_y, hn::Add(hn::Mul(m01, sx), hn::Mul(m11, sy)));
  // What holds is solved exactly; what slips is braked straight against its motion, whichever way
  // the bodies would give more easily.
  const M slips = longer(x, y, limit);
  const V mean = hn::Mul(hn::Set(d, 0.5F), hn::Add(m00, m11));
  x = hn::IfThenElse(slips, hn::Sub(old_x, hn::Mul(mean, sx)), x);
  y = hn::IfThenElse(slips, hn::Sub(old_y, hn::Mul(mean, sy)), y);
  limit_pair(x, y, limit);
  hn::Store(x, d, sums[0] + l);
  hn::Store(y, d, sums[1] + l);
  change_x = hn::Sub(x, old_x);
  change_y = hn::Sub(y, old_y);
}

template <bool kBoth>
HWY_INLINE void solve_friction(ContactGroup& g, std::size_t l, const Frame& f, Motion& m) {
  const D d;
  const V most = hn::Mul(load(g.friction + l), sum_of_impulses(g, l));
  // Twist.
  {
    const V old = load(g.twist_impulse + l);
    const V limit = hn::Mul(most, load(g.twist_lever + l));
    const V speed = dot(f.normal, spin_between<kBoth>(m));
    const V wanted = hn::Sub(old, hn::Mul(load(g.twist_mass + l), speed));
    const V now = hn::Max(hn::Min(wanted, limit), hn::Neg(limit));
    hn::Store(now, d, g.twist_impulse + l);
    turn<kBoth>(m, g.twist_a, g.twist_b, l, hn::Sub(now, old));
  }
  V x, y;
  // Rolling.
  {
    const V3 spin = spin_between<kBoth>(m);
    solve_pair(g.roll_mass, g.roll_impulse, l, dot(f.tangent[0], spin), dot(f.tangent[1], spin),
               hn::Mul(most, load(g.roll_lever + l)), x, y);
    turn<kBoth>(m, g.roll_a[0], g.roll_b[0], l, x);
    turn<kBoth>(m, g.roll_a[1], g.roll_b[1], l, y);
  }
  // Sliding.
  solve_pair(g.across_mass, g.across_impulse, l,
             speed_along<kBoth>(m, f.tangent[0], g.across[0], l),
             speed_along<kBoth>(m, f.tangent[1], g.across[1], l), most, x, y);
  push<kBoth>(m, f, f.tangent[0], g.across[0], l, x);
  push<kBoth>(m, f, f.tangent[1], g.across[1], l, y);
}

/// Solves one point; returns the change of its impulse. `gap`: where it is now.
template <bool kBiased, bool kBoth>
HWY_INLINE V solve_point(PointRow& p, std::size_t l, const Frame& f, const Softness& soft, V gap,
                         Motion& m) {
  const D d;
  const V zero = hn::Zero(d);
  const M apart = hn::Gt(gap, zero);
  const V approach = hn::Mul(gap, hn::Set(d, 1 / soft.h));
  const V old = load(p.impulse + l), mass = load(p.mass + l);
  V bias = approach, mass_scale = hn::Set(d, 1), impulse_scale = zero;
  if (kBiased) {
    const V push_out = hn::Max(hn::Mul(gap, hn::Set(d, soft.rate)), hn::Set(d, -soft.push_speed));
    bias = hn::IfThenElse(apart, approach, push_out);
    mass_scale = hn::IfThenElse(apart, mass_scale, hn::Set(d, soft.mass_scale));
    impulse_scale = hn::IfThenElse(apart, zero, hn::Set(d, soft.impulse_scale));
  } else {
    bias = hn::IfThenElse(apart, approach, zero);
  }
  const V speed = speed_along<kBoth>(m, f.normal, p.lever, l);
  const V change = hn::Neg(hn::Add(hn::Mul(hn::Mul(mass, mass_scale), hn::Add(speed, bias)),
                                   hn::Mul(impulse_scale, old)));
  const V now = hn::Max(zero, hn::Add(old, change));
  hn::Store(now, d, p.impulse + l);
  hn::Store(hn::Max(load(p.peak + l), now), d, p.peak + l);
  const V applied = hn::Sub(now, old);
  push<kBoth>(m, f, f.normal, p.lever, l, applied);
  return applied;
}

/// Where the points of a lane are now.
template <bool kBoth>
HWY_INLINE void current_gaps(const ContactGroup& g, std::size_t l, const SolverBody* bodies,
                             const Frame& f, V* gaps) {
  const Two a = gather_two(bodies, g.a + l, kWays);
  const auto gap_after = [&](const PointRow& p, V linear, V turned)
                             HWY_ATTR { return hn::Add(load(p.gap + l), hn::Add(linear, turned)); };
  if constexpr (!kBoth) {
    const V linear = hn::Neg(dot(f.normal, a.first));
    for (int k = 0; k < g.points; ++k) {
      const V turned = hn::Neg(dot(a.second, load(g.point[k].lever.turn_a, l)));
      gaps[k] = gap_after(g.point[k], linear, turned);
    }
    return;
  }
  const Two b = gather_two(bodies, g.b + l, kWays);
  const V linear = dot(f.normal, sub(b.first, a.first));
  for (int k = 0; k < g.points; ++k) {
    const Lever& lever = g.point[k].lever;
    const V turned =
        hn::Sub(dot(b.second, load(lever.turn_b, l)), dot(a.second, load(lever.turn_a, l)));
    gaps[k] = gap_after(g.point[k], linear, turned);
  }
}

/// All impulses of a group's lanes.
struct Impulses {
  V normal[4], peak[4], across[2], roll[2], twist;
};
HWY_INLINE Impulses load_impulses(const ContactGroup& g, std::size_t l) {
  Impulses all;
  for (int k = 0; k < g.points; ++k) {
    all.normal[k] = load(g.point[k].impulse + l);
    all.peak[k] = load(g.point[k].peak + l);
  }
  for (int t = 0; t < 2; ++t) {
    all.across[t] = load(g.across_impulse[t] + l);
    all.roll[t] = load(g.roll_impulse[t] + l);
  }
  all.twist = load(g.twist_impulse + l);
  return all;
}
/// Puts back what was where the mask is off.
HWY_INLINE void restore_impulses(ContactGroup& g, std::size_t l, const Impulses& was, M changed) {
  const D d;
  const auto put = [&](float* lane, V before) HWY_ATTR {
    hn::Store(hn::IfThenElse(changed, load(lane), before), d, lane);
  };
  for (int k = 0; k < g.points; ++k) {
    put(g.point[k].impulse + l, was.normal[k]);
    put(g.point[k].peak + l, was.peak[k]);
  }
  for (int t = 0; t < 2; ++t) {
    put(g.across_impulse[t] + l, was.across[t]);
    put(g.roll_impulse[t] + l, was.roll[t]);
  }
  put(g.twist_impulse + l, was.twist);
}

/// A hard hit: points and friction settle it among themselves before others hear of it. Which lanes
/// do is each lane's own affair, so that the width of vectors makes no difference.
template <bool kBiased, bool kBoth>
HWY_ATTR HWY_NOINLINE void settle(ContactGroup& g, std::size_t l, const Frame& f,
                                  const Softness& soft, const V* gaps, M hard, Motion& m) {
  constexpr int kRounds = 4;
  const Motion before = m;
  const Impulses was = load_impulses(g, l);
  for (int round = 0; round < kRounds; ++round) {
    solve_friction<kBoth>(g, l, f, m);
    for (int i = 0; i < g.points; ++i) {
      const int k = round % 2 == 0 ? g.points - 1 - i : i;
      solve_point<kBiased, kBoth>(g.point[k], l, f, soft, gaps[k], m);
    }
  }
  const auto keep = [&](V3& now, const V3& old) HWY_ATTR {
    now.x = hn::IfThenElse(hard, now.x, old.x);
    now.y = hn::IfThenElse(hard, now.y, old.y);
    now.z = hn::IfThenElse(hard, now.z, old.z);
  };
  keep(m.va, before.va);
  keep(m.wa, before.wa);
  if constexpr (kBoth) {
    keep(m.vb, before.vb);
    keep(m.wb, before.wb);
  }
  restore_impulses(g, l, was, hard);
  g.hits |= bits_of(hard) << l;
}

template <bool kBiased, bool kBoth>
HWY_INLINE void solve_group(ContactGroup& g, std::size_t l, const Softness& soft,
                            SolverBody* bodies) {
  const D d;
  const Frame f = load_frame(g, l);
  V gaps[4];
  current_gaps<kBoth>(g, l, bodies, f, gaps);
  Motion m = gather_motion<kBoth>(g, l, bodies);
  solve_friction<kBoth>(g, l, f, m);
  V greatest = hn::Zero(d);
  for (int i = 0; i < g.points; ++i) {
    // Relaxing goes the other way round, so that no corner is favoured.
    const int k = kBiased ? i : g.points - 1 - i;
    greatest =
        hn::Max(greatest, hn::Abs(solve_point<kBiased, kBoth>(g.point[k], l, f, soft, gaps[k], m)));
  }
  const M hard =
      hn::Gt(hn::Mul(greatest, hn::Add(f.mass_a, f.mass_b)), hn::Set(d, soft.hard_speed));
  if (HWY_UNLIKELY(!hn::AllFalse(d, hard))) {
    settle<kBiased, kBoth>(g, l, f, soft, gaps, hard, m);
  }
  scatter_motion<kBoth>(g, l, m, bodies);
}

template <bool kBiased>
HWY_ATTR void solve(std::span<ContactGroup> groups, const Softness& soft, SolverBody* bodies) {
  for (ContactGroup& g : groups) {
    for (std::size_t l = 0; l < g.lanes; l += hn::Lanes(D())) {
      if (g.b_stands) {
        solve_group<kBiased, false>(g, l, soft, bodies);
      } else {
        solve_group<kBiased, true>(g, l, soft, bodies);
      }
    }
  }
}
HWY_ATTR void biased(std::span<ContactGroup> groups, const Softness& soft, SolverBody* bodies) {
  solve<true>(groups, soft, bodies);
}
HWY_ATTR void relaxed(std::span<ContactGroup> groups, const Softness& soft, SolverBody* bodies) {
  solve<false>(groups, soft, bodies);
}

HWY_ATTR void start(std::span<const ContactGroup> groups, SolverBody* bodies) {
  for (const ContactGroup& g : groups) {
    for (std::size_t l = 0; l < g.lanes; l += hn::Lanes(D())) {
      const Frame f = load_frame(g, l);
      Motion m = gather_motion<true>(g, l, bodies);
      for (int k = 0; k < g.points; ++k) {
        push<true>(m, f, f.normal, g.point[k].lever, l, load(g.point[k].impulse + l));
      }
      for (int t = 0; t < 2; ++t) {
        push<true>(m, f, f.tangent[t], g.across[t], l, load(g.across_impulse[t] + l));
        const V roll = load(g.roll_impulse[t] + l);
        turn<true>(m, g.roll_a[t], g.roll_b[t], l, roll);
      }
      const V twist = load(g.twist_impulse + l);
      turn<true>(m, g.twist_a, g.twist_b, l, twist);
      scatter_motion<true>(g, l, m, bodies);
    }
  }
}

HWY_ATTR void leave(std::span<ContactGroup> groups, float restitution, float threshold,
                    SolverBody* bodies) {
  const D d;
  const V zero = hn::Zero(d);
  for (ContactGroup& g : groups) {
    for (std::size_t l = 0; l < g.lanes; l += hn::Lanes(d)) {
      const Frame f = load_frame(g, l);
      Motion m = gather_motion<true>(g, l, bodies);
      for (int k = 0; k < g.points; ++k) {
        PointRow& p = g.point[k];
        const V closing = load(p.closing + l);
        const M bounces =
            hn::And(hn::Gt(closing, hn::Set(d, threshold)), hn::Gt(load(p.peak + l), zero));
        const V speed = speed_along<true>(m, f.normal, p.lever, l);
        const V lacking = hn::Sub(hn::Mul(closing, hn::Set(d, restitution)), speed);
        const V old = load(p.impulse + l);
        const V now = hn::Max(zero, hn::Add(old, hn::Mul(load(p.mass + l), lacking)));
        const V change = hn::IfThenElseZero(bounces, hn::Sub(now, old));
        hn::Store(hn::Add(old, change), d, p.impulse + l);
        push<true>(m, f, f.normal, p.lever, l, change);
        g.hits |= bits_of(bounces) << l;
      }
      scatter_motion<true>(g, l, m, bodies);
    }
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(start);
HWY_EXPORT(biased);
HWY_EXPORT(relaxed);
HWY_EXPORT(leave);

Softness make_softness(float h, float hertz, float zeta) {
  constexpr float kTau = 6.28318530718F;
  const float omega = kTau * hertz;
  const float a1 = 2 * zeta + h * omega, a2 = h * omega * a1;
  Softness soft;
  soft.h = h;
  soft.rate = omega / a1;
  soft.mass_scale = a2 / (1 + a2);
  soft.impulse_scale = 1 / (1 + a2);
  return soft;
}

void warm_start(std::span<const ContactGroup> groups, SolverBody* bodies) {
  HWY_DYNAMIC_DISPATCH(start)(groups, bodies);
}
void solve_biased(std::span<ContactGroup> groups, const Softness& soft, SolverBody* bodies) {
  HWY_DYNAMIC_DISPATCH(biased)(groups, soft, bodies);
}
void solve_relaxed(std::span<ContactGroup> groups, const Softness& soft, SolverBody* bodies) {
  HWY_DYNAMIC_DISPATCH(relaxed)(groups, soft, bodies);
}
void bounce(std::span<ContactGroup> groups, float restitution, float threshold,
            SolverBody* bodies) {
  HWY_DYNAMIC_DISPATCH(leave)(groups, restitution, threshold, bodies);
}

}  // namespace talus
#endif
