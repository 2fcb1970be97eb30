// Preset `modern`: one collision a step, soft contacts in substeps, sleep by neighbourhood.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "physics/advance.h"
#include "physics/broad_phase.h"
#include "physics/contact_groups.h"
#include "physics/motion.h"
#include "physics/narrow_phase.h"
#include "physics/solver.h"

namespace talus {

namespace {

/// Room around bodies in the broad phase, metres: what a contact needs, and some to move in.
constexpr double kRoom = 0.03;
/// How near to a change a body must be to be woken by it, metres.
constexpr double kHears = 0.1;

/// What the solver knows of a body besides the body.
struct State {
  Collider collider;
  // Where it was when it last counted as moving, and when that was.
  Vec3 rest_position{0};
  Quat rest_orientation = kNoRotation;
  double moved_s = 0;
  std::uint32_t entry = 0;   // in the substeps; 0: it stands still, or is free of contacts
  bool like_a_ball = false;  // spins without precession
};

/// Two partners whose contacts are to be found, or, where both sleep, to be kept.
struct Task {
  std::uint32_t a, b;
  std::int32_t old;  // their place in the last step's list; -1: they did not touch
  bool keep;
};

class Modern : public Solver {
 public:
  explicit Modern(const ModernSettings& settings) : s_(settings) {}

  InertiaRule inertia_rule() const override { return InertiaRule::Shape; }
  void solids_changed(const Box& where, std::span<Body> bodies) override;
  void pushed(std::size_t body) override;

  void step(std::span<Body> bodies, Solids& solids, double dt) override {
    adopt(bodies);
    for (Body& body : bodies) body.touching = 0, body.closing_speed = 0;
    if (std::none_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.moving(); }))
      return;
    time_ += dt;
    place_colliders(bodies, solids, dt);
    list_tasks(bodies);
    find_contacts(solids, dt);
    wake_what_is_touched(bodies);
    gather(bodies);
    move_free_bodies(bodies, dt);
    move_touching_bodies(bodies, dt);
    hold_back_fast_bodies(bodies, solids, dt);
    fall_asleep(bodies);
  }

 private:
  void adopt(std::span<Body> bodies);
  void place_colliders(std::span<Body> bodies, Solids& solids, double dt);
  void list_tasks(std::span<const Body> bodies);
  void note_over(const PairContact& pair);
  void find_contacts(Solids& solids, double dt);
  void find_contact(const Task& task, Solids& solids, float dt);
  void wake_what_is_touched(std::span<Body> bodies);
  void gather(std::span<Body> bodies);
  void move_free_bodies(std::span<Body> bodies, double dt);
  void move_touching_bodies(std::span<Body> bodies, double dt);
  void substep(float h, const Softness& softness, bool first);
  void integrate_velocities(float h, bool first);
  void report_contacts(std::span<Body> bodies);
  void hold_back_fast_bodies(std::span<Body> bodies, Solids& solids, double dt);
  void fall_asleep(std::span<Body> bodies);

  bool moving(std::uint32_t i) const { return time_ - states_[i].moved_s < s_.still_time; }
  void note_moving(std::uint32_t i) { states_[i].moved_s = time_; }

  ModernSettings s_;
  double time_ = 0;
  std::uint64_t version_ = 0;  // of ground and standing blocks
  std::vector<State> states_;
  BroadPhase broad_phase_;
  ContactList now_, last_;

  // One step's.
  std::vector<Box> bounds_;  // by body, with room for contacts
  std::vector<Task> tasks_;
  std::vector<SolverContact> contacts_;
  std::vector<std::uint32_t> body_of_;  // by entry
  std::vector<SolverMass> masses_;
  std::vector<SolverBody> moving_;
  std::vector<SolverBody> before_contacts_;  // velocities of the substep before contacts acted
  std::vector<SolverBody> pushes_;
  std::vector<Gyroscope> gyroscopes_;  // of the entries that need one
  std::vector<std::uint32_t> precessing_;
  ContactGroups groups_;
  std::vector<Way> ways_;             // by body
  std::vector<Collider*> colliders_;  // by body
  std::vector<std::uint32_t> fast_;
};

void Modern::adopt(std::span<Body> bodies) {
  for (std::size_t i = states_.size(); i < bodies.size(); ++i) {
    State state;
    state.collider.shape = make_collider_shape(*bodies[i].piece);
    state.rest_position = bodies[i].position;
    state.rest_orientation = bodies[i].orientation;
    state.moved_s = time_;
    state.like_a_ball = turns_like_a_ball(bodies[i].piece->inertia);
    place(state.collider, bodies[i]);
    states_.push_back(std::move(state));
  }
}

void Modern::solids_changed(const Box& where, std::span<Body> bodies) {
  ++version_;
  adopt(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].lost) continue;
    const Box box = states_[i].collider.bounds(kHears);
    if (glm::any(glm::greaterThan(box.lo, where.hi)) ||
        glm::any(glm::greaterThan(where.lo, box.hi))) {
      continue;
    }
    note_moving(static_cast<std::uint32_t>(i));
    if (bodies[i].asleep) wake(bodies[i]);
  }
}

void Modern::pushed(std::size_t body) {
  if (body < states_.size()) note_moving(static_cast<std::uint32_t>(body));
}

void Modern::place_colliders(std::span<Body> bodies, Solids& solids, double dt) {
  bounds_.resize(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    if (body.lost) {
      broad_phase_.remove(i);
      continue;
    }
    Collider& collider = states_[i].collider;
    if (body.moving()) {
      place(collider, body);
      collider.around.cover(solids, collider.bounds(kRoom), version_);
    }
    bounds_[i] = collider.bounds(kRoom / 2);
    const double motion =
        body.moving() ? dt * (glm::length(body.velocity) + collider.tip_speed) : 0;
    broad_phase_.set(i, bounds_[i], motion, body.moving());
  }
}

/// Who may touch whom, by a, then b: what the broad phase found, ground and blocks for everybody
/// awake, and whatever is between sleepers.
void Modern::list_tasks(std::span<const Body> bodies) {
  broad_phase_.update();
  last_.pairs.swap(now_.pairs);
  last_.manifolds.swap(now_.manifolds);
  tasks_.clear();
  std::size_t old = 0;
  const auto asleep = [&](std::uint32_t i) { return bodies[i].asleep && !bodies[i].lost; };
  // Old contacts that come before (a, b): sleepers' stay; others are over.
  const auto pass_to = [&](std::uint32_t a, std::uint32_t b) {
    for (; old < last_.pairs.size(); ++old) {
      const PairContact& p = last_.pairs[old];
      if (p.a != a ? p.a > a : p.b >= b) return;
      if (asleep(p.a) && (!is_body(p.b) || asleep(p.b))) {
        tasks_.push_back({p.a, p.b, static_cast<std::int32_t>(old), true});
      } else {
        note_over(p);
      }
    }
  };
  const auto add = [&](std::uint32_t a, std::uint32_t b, bool near) {
    pass_to(a, b);
    const bool known =
        old < last_.pairs.size() && last_.pairs[old].a == a && last_.pairs[old].b == b;
    if (near) tasks_.push_back({a, b, known ? static_cast<std::int32_t>(old) : -1, false});
    if (known && !near) note_over(last_.pairs[old]);
    old += known;
  };
  auto found = broad_phase_.pairs().begin();
  const auto end = broad_phase_.pairs().end();
  for (std::uint32_t a = 0; a < bodies.size(); ++a) {
    const bool active = bodies[a].moving();
    for (; found != end && found->first == a; ++found) {
      if (active || bodies[found->second].moving()) {
        add(a, found->second, overlap(bounds_[a], bounds_[found->second]));
      }
    }
    if (!active) continue;
    add(a, kGround, !states_[a].collider.around.all_air());
    add(a, kStanding, states_[a].collider.around.any_standing());
  }
  pass_to(kStanding, kStanding);
}

/// A contact that is gone: who leaned on it moves.
void Modern::note_over(const PairContact& pair) {
  if (!pair.loaded) return;
  note_moving(pair.a);
  if (is_body(pair.b)) note_moving(pair.b);
}

void Modern::find_contacts(Solids& solids, double dt) {
  now_.clear();
  for (const Task& task : tasks_) {
    PairContact pair{task.a, task.b, static_cast<std::uint32_t>(now_.manifolds.size()), 0, false};
    find_contact(task, solids, static_cast<float>(dt));
    pair.count = static_cast<std::uint32_t>(now_.manifolds.size()) - pair.first;
    if (task.keep) pair.loaded = last_.pairs[static_cast<std::size_t>(task.old)].loaded;
    if (pair.count > 0) {
      now_.pairs.push_back(pair);
    } else if (task.old >= 0) {
      note_over(last_.pairs[static_cast<std::size_t>(task.old)]);
    }
  }
}

void Modern::find_contact(const Task& task, Solids& solids, float dt) {
  const auto old = task.old < 0
                       ? std::span<const Manifold>()
                       : std::as_const(last_).of(last_.pairs[static_cast<std::size_t>(task.old)]);
  std::vector<Manifold>& out = now_.manifolds;
  if (task.keep) {
    out.insert(out.end(), old.begin(), old.end());
    return;
  }
  const Collider& a = states_[task.a].collider;
  const Collider* b = is_body(task.b) ? &states_[task.b].collider : nullptr;
  const float margin = touch_margin(a, b, dt);
  if (b) {
    collide(a, *b, margin, old, out);
  } else if (task.b == kGround) {
    collide_ground(a, margin, old, out);
  } else {
    collide_standing(a, solids.blocks, margin, old, out);
  }
}

/// What moves wakes what it touches, in time for the hit.
void Modern::wake_what_is_touched(std::span<Body> bodies) {
  for (const PairContact& pair : now_.pairs) {
    if (!is_body(pair.b)) continue;
    Body& a = bodies[pair.a];
    Body& b = bodies[pair.b];
    if (a.moving() && b.asleep && moving(pair.a)) wake(b);
    if (b.moving() && a.asleep && moving(pair.b)) wake(a);
  }
  // A loss of contact counts as moving, also for sleepers.
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].asleep && !bodies[i].lost && moving(i)) wake(bodies[i]);
  }
}

/// Numbers the bodies in contact and lists their manifolds.
void Modern::gather(std::span<Body> bodies) {
  contacts_.clear();
  body_of_.assign(1, 0);
  masses_.assign(1, {});
  moving_.assign(1, {});
  gyroscopes_.clear();
  precessing_.clear();
  for (State& state : states_) state.entry = 0;
  const auto entry_of = [&](std::uint32_t i) -> std::uint32_t {
    const Body& body = bodies[i];
    if (!body.moving()) return 0;
    State& state = states_[i];
    if (state.entry != 0) return state.entry;
    state.entry = static_cast<std::uint32_t>(body_of_.size());
    body_of_.push_back(i);
    const Mat3f& axes = state.collider.axes;
    SolverMass mass;
    mass.inverse_mass = static_cast<float>(body.inverse_mass);
    mass.inverse_inertia = Mat3f(body.inverse_inertia);
    if (!state.like_a_ball) {
      mass.inverse_inertia = axes * mass.inverse_inertia * glm::transpose(axes);
    }
    mass.velocity = Vec3f(body.velocity);
    mass.spin = Vec3f(body.spin);
    mass.resistance = state.collider.shape.resistance;
    masses_.push_back(mass);
    if (!state.like_a_ball) {
      precessing_.push_back(state.entry);
      gyroscopes_.push_back({state.collider.axes, Mat3f(body.piece->inertia)});
    }
    SolverBody moving;
    for (int k = 0; k < 3; ++k) {
      moving.velocity[k] = mass.velocity[k];
      moving.spin[k] = mass.spin[k];
    }
    moving_.push_back(moving);
    return state.entry;
  };
  for (const PairContact& pair : now_.pairs) {
    const std::uint32_t a = entry_of(pair.a), b = is_body(pair.b) ? entry_of(pair.b) : 0;
    if (a == 0 && b == 0) continue;
    for (Manifold& manifold : now_.of(pair)) {
      contacts_.push_back({&manifold, a, b, static_cast<float>(s_.friction)});
    }
  }
}

void Modern::move_free_bodies(std::span<Body> bodies, double dt) {
  const int substeps = substep_count(s_.substep_rate, dt);
  ways_.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Body& body = bodies[i];
    Way& way = ways_[i];
    way = {};
    way.present = !body.lost;
    way.start = body.position;
    way.orientation = body.orientation;
    if (!body.moving() || states_[i].entry != 0) continue;
    way.turn = body.spin * (0.5 * dt);
    fly(body, s_.gravity, substeps, dt);
    way.shift = body.position - way.start;
    way.turn += body.spin * (0.5 * dt);
  }
}

void Modern::move_touching_bodies(std::span<Body> bodies, double dt) {
  if (contacts_.empty()) return;
  groups_.build(contacts_, masses_);
  const int substeps = substep_count(s_.substep_rate, dt);
  const auto h = static_cast<float>(dt / substeps);
  Softness softness =
      make_softness(h, static_cast<float>(s_.stiffness) / h, static_cast<float>(s_.damping_ratio));
  softness.push_speed = static_cast<float>(s_.push_speed);
  before_contacts_ = moving_;
  for (int i = 0; i < substeps; ++i) substep(h, softness, i == 0);
  if (s_.restitution > 0) {
    // The points of a manifold need a few rounds to agree.
    for (int round = 0; round < 8; ++round) {
      bounce(groups_.groups(), static_cast<float>(s_.restitution),
             static_cast<float>(s_.bounce_speed), moving_.data());
    }
  }
  report_contacts(bodies);
  groups_.store();
  for (PairContact& pair : now_.pairs) {
    const auto manifolds = now_.of(pair);
    pair.loaded = std::any_of(manifolds.begin(), manifolds.end(),
                              [](const Manifold& m) { return m.loaded(); });
  }
  for (std::uint32_t entry = 1; entry < moving_.size(); ++entry) {
    Body& body = bodies[body_of_[entry]];
    const SolverBody& m = moving_[entry];
    const auto vector = [](const float(&v)[4]) { return Vec3(v[0], v[1], v[2]); };
    body.velocity = vector(m.velocity);
    body.spin = vector(m.spin);
    Way& way = ways_[body_of_[entry]];
    way.touching = true;
    way.shift = vector(m.shift);
    way.turn = vector(m.turn);
    body.position += way.shift;
    body.orientation = turned(body.orientation, way.turn);
  }
}

/// Integrate velocities, warm start, solve with bias, move, relax.
void Modern::substep(float h, const Softness& softness, bool first) {
  integrate_velocities(h, first);
  if (first) warm_start(groups_.groups(), moving_.data());
  solve_biased(groups_.groups(), softness, moving_.data());
  for (SolverBody& m : moving_) {
    for (int k = 0; k < 4; ++k) {
      m.shift[k] += h * m.velocity[k];
      m.turn[k] += h * m.spin[k];
    }
  }
  solve_relaxed(groups_.groups(), softness, moving_.data());
}

/// Gravity and precession, and what contacts did in the last substep: they will nearly do it again.
/// That is the warm start of all rows at once, since their directions are fixed within a step.
void Modern::integrate_velocities(float h, bool first) {
  const float fall = static_cast<float>(s_.gravity) * h;
  pushes_.resize(moving_.size());
  for (std::size_t i = 1; i < moving_.size(); ++i) {
    SolverBody& m = moving_[i];
    const SolverBody& before = before_contacts_[i];
    for (int k = 0; k < 4; ++k) {
      pushes_[i].velocity[k] = first ? 0 : m.velocity[k] - before.velocity[k];
      pushes_[i].spin[k] = first ? 0 : m.spin[k] - before.spin[k];
    }
    m.velocity[1] -= fall;
  }
  for (std::size_t i = 0; i < precessing_.size(); ++i) {
    precess(gyroscopes_[i], h, moving_[precessing_[i]].spin);
  }
  for (std::size_t i = 1; i < moving_.size(); ++i) {
    SolverBody& m = moving_[i];
    before_contacts_[i] = m;
    for (int k = 0; k < 4; ++k) {
      m.velocity[k] += pushes_[i].velocity[k];
      m.spin[k] += pushes_[i].spin[k];
    }
  }
}

void Modern::report_contacts(std::span<Body> bodies) {
  for (const ContactGroup& g : groups_.groups()) {
    for (std::size_t l = 0; l < kLanes; ++l) {
      for (int k = 0; k < g.points; ++k) {
        if (!(g.point[k].peak[l] > 0)) continue;
        for (const std::uint32_t entry : {g.a[l], g.b[l]}) {
          if (entry == 0) continue;
          Body& body = bodies[body_of_[entry]];
          ++body.touching;
          body.closing_speed = std::max<double>(body.closing_speed, g.point[k].closing[l]);
        }
      }
    }
  }
}

/// Sees to it that nothing goes through anything on a long way.
void Modern::hold_back_fast_bodies(std::span<Body> bodies, Solids& solids, double dt) {
  fast_.clear();
  colliders_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    Way& way = ways_[i];
    colliders_.push_back(&states_[i].collider);
    way.length = glm::length(way.shift) + states_[i].collider.shape.radius * glm::length(way.turn);
    if (bodies[i].moving() && way.length > kStride) fast_.push_back(i);
  }
  if (fast_.empty()) return;
  hold_back(fast_, ways_, colliders_, broad_phase_, solids, version_);
  for (const std::uint32_t i : fast_) {
    const Way& way = ways_[i];
    if (way.end == 1) continue;
    bodies[i].position = way.position(way.end);
    bodies[i].orientation = orientation_at(way, way.end);
    // Who stops falling stops gaining speed.
    if (states_[i].entry == 0) bodies[i].velocity.y += s_.gravity * dt * (1 - way.end);
  }
}

void Modern::fall_asleep(std::span<Body> bodies) {
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].moving()) continue;
    State& state = states_[i];
    const double radius = state.collider.shape.radius;
    const Body& body = bodies[i];
    const double speed = glm::length(body.velocity) + radius * glm::length(body.spin);
    const double away = glm::distance(body.position, state.rest_position) +
                        radius * angle_between(body.orientation, state.rest_orientation);
    if (speed <= s_.still_speed && away <= s_.still_distance) continue;
    state.rest_position = body.position;
    state.rest_orientation = body.orientation;
    note_moving(i);
  }
  if (!s_.sleeping) return;
  std::vector<std::uint8_t> awake(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) awake[i] = moving(i);
  for (const PairContact& pair : now_.pairs) {
    if (!is_body(pair.b)) continue;
    awake[pair.a] |= static_cast<std::uint8_t>(moving(pair.b));
    awake[pair.b] |= static_cast<std::uint8_t>(moving(pair.a));
  }
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    Body& body = bodies[i];
    if (awake[i] || !body.moving()) continue;
    body.asleep = true;
    body.velocity = body.spin = Vec3(0);
  }
}

}  // namespace

std::unique_ptr<Solver> make_modern_solver(const ModernSettings& settings) {
  return std::make_unique<Modern>(settings);
}

}  // namespace talus
