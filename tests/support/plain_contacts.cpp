#include "support/plain_contacts.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/vec.h"

namespace talus::plain {

namespace {

Vec3f get(const Lane3& lanes, std::size_t l) {
  return {lanes[0][l], lanes[1][l], lanes[2][l]};
}
void put(Lane3& lanes, std::size_t l, Vec3f v) {
  for (int k = 0; k < 3; ++k) lanes[k][l] = v[k];
}
Vec3f get(const float (&v)[4]) {
  return {v[0], v[1], v[2]};
}

struct Motion {
  Vec3f va, wa, vb, wb;
};

/// One manifold: a lane of a group.
template <class Group>
struct Manifold {
  Group& g;
  std::size_t l;

  Motion motion(const SolverBody* bodies) const {
    const SolverBody &a = bodies[g.a[l]], &b = bodies[g.b[l]];
    return {get(a.velocity), get(a.spin), get(b.velocity), get(b.spin)};
  }
  void store(const Motion& m, SolverBody* bodies) const {
    const auto set = [&](std::uint32_t entry, Vec3f velocity, Vec3f spin) {
      if (entry == 0) return;
      for (int k = 0; k < 3; ++k) {
        bodies[entry].velocity[k] = velocity[k];
        bodies[entry].spin[k] = spin[k];
      }
    };
    set(g.a[l], m.va, m.wa);
    set(g.b[l], m.vb, m.wb);
  }

  Vec3f normal() const { return get(g.normal, l); }
  Vec3f tangent(int i) const { return get(g.tangent[i], l); }

  /// Speed at which B leaves A along a direction.
  float speed(const Motion& m, Vec3f direction, const Lever& lever) const {
    return glm::dot(direction, m.vb - m.va) + glm::dot(m.wb, get(lever.turn_b, l)) -
           glm::dot(m.wa, get(lever.turn_a, l));
  }
  void push(Motion& m, Vec3f direction, const Lever& lever, float impulse) const {
    m.va -= direction * (g.inverse_mass_a[l] * impulse);
    m.vb += direction * (g.inverse_mass_b[l] * impulse);
    m.wa -= get(lever.effect_a, l) * impulse;
    m.wb += get(lever.effect_b, l) * impulse;
  }
  void turn(Motion& m, const Lane3& a, const Lane3& b, float impulse) const {
    m.wa -= get(a, l) * impulse;
    m.wb += get(b, l) * impulse;
  }

  float sum_of_impulses() const {
    float sum = g.point[0].impulse[l];
    for (int k = 1; k < g.points; ++k) sum += g.point[k].impulse[l];
    return sum;
  }

  /// Stops (sx, sy) as far as the limit of the sums allows; the changes.
  struct Two {
    float x, y;
  };
  Two stop(const Lane (&mass)[3], Lane (&sums)[2], float sx, float sy, float limit) const {
    const float m00 = mass[0][l], m01 = mass[1][l], m11 = mass[2][l];
    const float old_x = sums[0][l], old_y = sums[1][l];
    float x = old_x - (m00 * sx + m01 * sy), y = old_y - (m01 * sx + m11 * sy);
    const auto over = [&] { return x * x + y * y > limit * limit; };
    if (over()) {
      const float mean = 0.5F * (m00 + m11);
      x = old_x - mean * sx;
      y = old_y - mean * sy;
    }
    if (over()) {
      const float scale = limit / std::sqrt(x * x + y * y);
      x *= scale;
      y *= scale;
    }
    sums[0][l] = x;
    sums[1][l] = y;
    return {x - old_x, y - old_y};
  }

  void solve_friction(Motion& m) const {
    const float most = g.friction[l] * sum_of_impulses();
    const Vec3f n = normal(), t0 = tangent(0), t1 = tangent(1);

    const float old = g.twist_impulse[l], limit = most * g.twist_lever[l];
    const float wanted = old - g.twist_mass[l] * glm::dot(n, m.wb - m.wa);
    g.twist_impulse[l] = std::max(std::min(wanted, limit), -limit);
    turn(m, g.twist_a, g.twist_b, g.twist_impulse[l] - old);

    const Vec3f spin = m.wb - m.wa;
    const Two roll = stop(g.roll_mass, g.roll_impulse, glm::dot(t0, spin), glm::dot(t1, spin),
                          most * g.roll_lever[l]);
    turn(m, g.roll_a[0], g.roll_b[0], roll.x);
    turn(m, g.roll_a[1], g.roll_b[1], roll.y);

    const Two slide = stop(g.across_mass, g.across_impulse, speed(m, t0, g.across[0]),
                           speed(m, t1, g.across[1]), most);
    push(m, t0, g.across[0], slide.x);
    push(m, t1, g.across[1], slide.y);
  }

  float solve_point(int k, const Softness& soft, float gap, bool biased, Motion& m) const {
    PointRow& p = g.point[k];
    float bias = 0, mass_scale = 1, impulse_scale = 0;
    if (gap > 0) {
      bias = gap * (1 / soft.h);
    } else if (biased) {
      bias = std::max(gap * soft.rate, -soft.push_speed);
      mass_scale = soft.mass_scale;
      impulse_scale = soft.impulse_scale;
    }
    const float old = p.impulse[l];
    const float change =
        -(p.mass[l] * mass_scale * (speed(m, normal(), p.lever) + bias) + impulse_scale * old);
    p.impulse[l] = std::max(0.0F, old + change);
    p.peak[l] = std::max(p.peak[l], p.impulse[l]);
    push(m, normal(), p.lever, p.impulse[l] - old);
    return p.impulse[l] - old;
  }

  void solve(const Softness& soft, bool biased, SolverBody* bodies) const {
    const SolverBody &a = bodies[g.a[l]], &b = bodies[g.b[l]];
    float gaps[4];
    for (int k = 0; k < g.points; ++k) {
      const Lever& lever = g.point[k].lever;
      gaps[k] = g.point[k].gap[l] + (glm::dot(normal(), get(b.shift) - get(a.shift)) +
                                     (glm::dot(get(b.turn), get(lever.turn_b, l)) -
                                      glm::dot(get(a.turn), get(lever.turn_a, l))));
    }
    Motion m = motion(bodies);
    solve_friction(m);
    float greatest = 0;
    for (int i = 0; i < g.points; ++i) {
      const int k = biased ? i : g.points - 1 - i;
      greatest = std::max(greatest, std::abs(solve_point(k, soft, gaps[k], biased, m)));
    }
    if (greatest * (g.inverse_mass_a[l] + g.inverse_mass_b[l]) > soft.hard_speed) {
      for (int round = 0; round < 4; ++round) {
        solve_friction(m);
        for (int i = 0; i < g.points; ++i) {
          const int k = round % 2 == 0 ? g.points - 1 - i : i;
          solve_point(k, soft, gaps[k], biased, m);
        }
      }
      g.hits |= 1U << l;
    }
    store(m, bodies);
  }
};

/// f(manifold) for each, group by group.
template <class Groups, class F>
void each(Groups groups, const F& f) {
  for (auto& g : groups) {
    for (std::size_t l = 0; l < kLanes; ++l)
      f(Manifold<std::remove_reference_t<decltype(g)>>{g, l});
  }
}

/// How a body answers to a turn.
Vec3f answer(const SolverMass& mass, Vec3f turn) {
  const auto row = [&](int i) { return glm::dot(get(mass.rows[i]), turn); };
  return {row(0), row(1), row(2)};
}
float inverse(float x) {
  return x > 0 ? 1 / x : 0;
}

}  // namespace

void make_rows(std::span<ContactGroup> groups, const SolverMass* masses, const SolverBody* bodies) {
  each(groups, [&](Manifold<ContactGroup> manifold) {
    ContactGroup& g = manifold.g;
    const std::size_t l = manifold.l;
    const SolverMass &a = masses[g.a[l]], &b = masses[g.b[l]];
    g.inverse_mass_a[l] = a.rows[0][3];
    g.inverse_mass_b[l] = b.rows[0][3];
    const float both = g.inverse_mass_a[l] + g.inverse_mass_b[l];
    g.roll_lever[l] = std::min(a.rows[1][3], b.rows[1][3]);

    const Vec3f n = manifold.normal();
    const Vec3f across = glm::cross(n, std::abs(n.y) < 0.9F ? Vec3f(0, 1, 0) : Vec3f(1, 0, 0));
    put(g.tangent[0], l, across * (1 / std::sqrt(glm::dot(across, across))));
    put(g.tangent[1], l, glm::cross(n, manifold.tangent(0)));

    const float share = g.twist_lever[l];
    Vec3f mean_a(0), mean_b(0);
    for (int k = 0; k < g.points; ++k) {
      mean_a += get(g.point[k].lever.turn_a, l) * share;
      mean_b += get(g.point[k].lever.turn_b, l) * share;
    }
    float spread = 0;
    for (int k = 0; k < g.points; ++k) {
      const Vec3f out = get(g.point[k].lever.turn_a, l) - mean_a;
      if (g.point[k].gap[l] < kNoPoint) spread += std::sqrt(glm::dot(out, out));
    }
    g.twist_lever[l] = spread * share + g.roll_lever[l];

    const auto set_lever = [&](Lever& lever, Vec3f arm_a, Vec3f arm_b, Vec3f direction) {
      const Vec3f turn_a = glm::cross(arm_a, direction), turn_b = glm::cross(arm_b, direction);
      put(lever.turn_a, l, turn_a);
      put(lever.turn_b, l, turn_b);
      put(lever.effect_a, l, answer(a, turn_a));
      put(lever.effect_b, l, answer(b, turn_b));
    };
    const auto response = [&](const Lever& x, const Lever& y) {
      return glm::dot(get(x.turn_a, l), get(y.effect_a, l)) +
             glm::dot(get(x.turn_b, l), get(y.effect_b, l));
    };
    const auto set_inverse = [&](Lane(&mass)[3], float k00, float k01, float k11) {
      const float scale = inverse(k00 * k11 - k01 * k01);
      mass[0][l] = k11 * scale;
      mass[1][l] = -(k01 * scale);
      mass[2][l] = k00 * scale;
    };

    const Vec3f sliding = get(g.across[0].effect_a, l), turning = get(g.across[0].effect_b, l);
    for (int i = 0; i < 2; ++i) {
      set_lever(g.across[i], mean_a, mean_b, manifold.tangent(i));
      g.across_impulse[i][l] = glm::dot(sliding, manifold.tangent(i));
      g.roll_impulse[i][l] = glm::dot(turning, manifold.tangent(i));
      put(g.roll_a[i], l, answer(a, manifold.tangent(i)));
      put(g.roll_b[i], l, answer(b, manifold.tangent(i)));
    }
    set_inverse(g.across_mass, both + response(g.across[0], g.across[0]),
                response(g.across[0], g.across[1]), both + response(g.across[1], g.across[1]));
    const auto rolling = [&](int i, int j) {
      return glm::dot(manifold.tangent(i), get(g.roll_a[j], l) + get(g.roll_b[j], l));
    };
    set_inverse(g.roll_mass, rolling(0, 0), rolling(0, 1), rolling(1, 1));
    put(g.twist_a, l, answer(a, n));
    put(g.twist_b, l, answer(b, n));
    g.twist_mass[l] = inverse(glm::dot(n, answer(a, n) + answer(b, n)));
    g.twist_impulse[l] = glm::dot(turning, n);

    for (int k = 0; k < g.points; ++k) {
      PointRow& p = g.point[k];
      set_lever(p.lever, get(p.lever.turn_a, l), get(p.lever.turn_b, l), n);
      p.mass[l] = inverse(both + response(p.lever, p.lever));
      const Motion m = manifold.motion(bodies);
      p.closing[l] = -(glm::dot(n, m.vb - m.va) + (glm::dot(m.wb, get(p.lever.turn_b, l)) -
                                                   glm::dot(m.wa, get(p.lever.turn_a, l))));
      p.peak[l] = p.impulse[l];
    }
  });
}

void warm_start(std::span<const ContactGroup> groups, SolverBody* bodies) {
  each(groups, [&](Manifold<const ContactGroup> manifold) {
    const ContactGroup& g = manifold.g;
    const std::size_t l = manifold.l;
    Motion m = manifold.motion(bodies);
    for (int k = 0; k < g.points; ++k) {
      manifold.push(m, manifold.normal(), g.point[k].lever, g.point[k].impulse[l]);
    }
    for (int i = 0; i < 2; ++i) {
      manifold.push(m, manifold.tangent(i), g.across[i], g.across_impulse[i][l]);
      manifold.turn(m, g.roll_a[i], g.roll_b[i], g.roll_impulse[i][l]);
    }
    manifold.turn(m, g.twist_a, g.twist_b, g.twist_impulse[l]);
    manifold.store(m, bodies);
  });
}

void solve_biased(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies) {
  each(groups, [&](Manifold<ContactGroup> m) { m.solve(softness, true, bodies); });
}
void solve_relaxed(std::span<ContactGroup> groups, const Softness& softness, SolverBody* bodies) {
  each(groups, [&](Manifold<ContactGroup> m) { m.solve(softness, false, bodies); });
}

void bounce(std::span<ContactGroup> groups, float restitution, float threshold,
            SolverBody* bodies) {
  each(groups, [&](Manifold<ContactGroup> manifold) {
    ContactGroup& g = manifold.g;
    const std::size_t l = manifold.l;
    Motion m = manifold.motion(bodies);
    for (int k = 0; k < g.points; ++k) {
      PointRow& p = g.point[k];
      if (!(p.closing[l] > threshold && p.peak[l] > 0)) continue;
      const float lacking =
          p.closing[l] * restitution - manifold.speed(m, manifold.normal(), p.lever);
      const float old = p.impulse[l];
      const float change = std::max(0.0F, old + p.mass[l] * lacking) - old;
      p.impulse[l] = old + change;
      manifold.push(m, manifold.normal(), p.lever, change);
      g.hits |= 1U << l;
    }
    manifold.store(m, bodies);
  });
}

}  // namespace talus::plain
