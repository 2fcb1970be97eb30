// Preset `modern`: one collision a step, soft contacts in substeps, sleep by neighbourhood.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/advance.h"
#include "physics/broad_phase.h"
#include "physics/contact_finder.h"
#include "physics/heap.h"
#include "physics/jolts.h"
#include "physics/motion.h"
#include "physics/solver.h"
#include "physics/substeps.h"
#include "physics/water.h"

namespace talus {

namespace {

/// Room around bodies in the broad phase, metres: what a contact needs, and some to move in.
constexpr double kRoom = 0.03;
/// How near to a change a body must be to be woken by it, metres.
constexpr double kHears = 0.1;
/// What floats is still only below this speed, m/s: at the top of a swing it is slow for long.
constexpr double kStillAfloat = 0.005;
/// Bodies or pairs that one thread looks at in one go.
constexpr std::size_t kShare = 128;

/// What the solver knows of a body besides the body and its collider.
struct State {
  // Where it was when it last counted as moving, and when that was.
  Vec3 rest_position{0};
  Quat rest_orientation = kNoRotation;
  double moved_s = 0;
  std::uint32_t entry = 0;   // in the substeps; 0: it stands still, or is free in the air
  bool like_a_ball = false;  // spins without precession
  WaterPush water;
};

class Modern : public Solver {
 public:
  explicit Modern(const ModernSettings& settings) : s_(settings), team_(settings.threads) {}

  InertiaRule inertia_rule() const override { return InertiaRule::Shape; }
  void solids_changed(const Box& where, std::span<Body> bodies) override;
  void pushed(std::size_t body) override;
  void touches(std::size_t body, std::vector<Touch>& out) const override;

  void step(std::span<Body> bodies, Solids& solids, double dt) override {
    adopt(bodies);
    for (Body& body : bodies) body.touching = 0, body.closing_speed = 0;
    if (std::none_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.moving(); }))
      return;
    time_ += dt;
    ++step_;
    place_colliders(bodies, solids, dt);
    feel_water(bodies, solids.water, dt);
    find_contacts(bodies, solids, dt);
    wake_what_is_touched(bodies);
    gather(bodies);
    find_homes(bodies);
    move_free_bodies(bodies, dt);
    move_touching_bodies(bodies, dt);
    hold_back_fast_bodies(bodies, solids, dt);
    fall_asleep(bodies);
  }

 private:
  void adopt(std::span<Body> bodies);
  void place_colliders(std::span<Body> bodies, Solids& solids, double dt);
  void feel_water(std::span<Body> bodies, const Water& water, double dt);
  void find_contacts(std::span<const Body> bodies, const Solids& solids, double dt);
  void wake_what_is_touched(std::span<Body> bodies);
  void spread_hits(std::span<Body> bodies);
  void gather(std::span<const Body> bodies);
  void find_homes(std::span<const Body> bodies);
  void move_free_bodies(std::span<Body> bodies, double dt);
  void move_touching_bodies(std::span<Body> bodies, double dt);
  void hold_back_fast_bodies(std::span<Body> bodies, Solids& solids, double dt);
  void fall_asleep(std::span<Body> bodies);

  bool moving(std::uint32_t i) const { return time_ - states_[i].moved_s < s_.still_time; }
  void note_moving(std::uint32_t i) { states_[i].moved_s = time_; }

  ModernSettings s_;
  Team team_;
  double time_ = 0;
  std::uint64_t step_ = 1;
  std::uint64_t version_ = 0;  // of ground and standing blocks
  std::vector<State> states_;
  BroadPhase broad_phase_;
  std::vector<Collider> colliders_;  // by body
  ContactFinder finder_;
  // The part of the heap that each body was at in the last step, and the bodies by that: what is
  // near one another goes to one thread, in whose caches it is.
  std::vector<std::uint32_t> homes_, by_home_;

  // One step's.
  struct Placed {
    double motion = 0;  // the most that any of it moves, metres
    bool lost = false, active = false;
    bool must_fetch = false;  // what is around it
  };
  std::vector<Placed> placed_;  // by body
  std::vector<Box> bounds_;     // by body, with room for contacts
  Heap heap_;
  Substeps substeps_;
  Jolts jolts_;
  std::vector<Way> ways_;  // by body
  std::vector<std::uint32_t> fast_;
};

void Modern::adopt(std::span<Body> bodies) {
  for (std::size_t i = states_.size(); i < bodies.size(); ++i) {
    State state;
    Collider collider;
    collider.shape = make_collider_shape(*bodies[i].piece);
    state.rest_position = bodies[i].position;
    state.rest_orientation = bodies[i].orientation;
    state.moved_s = time_;
    state.like_a_ball = turns_like_a_ball(bodies[i].piece->inertia);
    place(collider, bodies[i], step_);
    colliders_.push_back(std::move(collider));
    states_.push_back(state);
    bounds_.emplace_back();
    homes_.push_back(0);
    by_home_.push_back(static_cast<std::uint32_t>(i));
  }
}

void Modern::solids_changed(const Box& where, std::span<Body> bodies) {
  ++version_;
  finder_.forget_solids();
  adopt(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].lost) continue;
    const Box box = colliders_[i].bounds(kHears);
    if (glm::any(glm::greaterThan(box.lo, where.hi)) ||
        glm::any(glm::greaterThan(where.lo, box.hi))) {
      continue;
    }
    note_moving(static_cast<std::uint32_t>(i));
    colliders_[i].still.since = step_ + 1;  // what it touches may be gone
    if (bodies[i].asleep) wake(bodies[i]);
  }
}

void Modern::pushed(std::size_t body) {
  if (body >= states_.size()) return;
  note_moving(static_cast<std::uint32_t>(body));
  colliders_[body].still.since = step_ + 1;  // who is fast looks farther for contacts
}

/// Shares by what the points bore last; equal ones where a hit has thrown the body off them all.
void Modern::touches(std::size_t body, std::vector<Touch>& out) const {
  const std::size_t first = out.size();
  const auto add = [&](const PairContact& pair, bool loaded) {
    const bool is_a = pair.a == body;
    for (const Manifold& m : finder_.contacts().of(pair)) {
      for (int k = 0; k < m.count; ++k) {
        const ContactPoint& p = m.points[static_cast<std::size_t>(k)];
        if (loaded && p.impulse <= 0) continue;
        out.push_back({Vec3(is_a ? p.arm_a : p.arm_b), Vec3(is_a ? -m.normal : m.normal),
                       loaded ? p.impulse : 1.0, pair.b == kStanding});
      }
    }
  };
  for (const bool loaded : {true, false}) {
    for (const PairContact& pair : finder_.contacts().pairs) {
      if (pair.a == body || pair.b == body) add(pair, loaded);
    }
    if (out.size() > first) return;
  }
}

void Modern::place_colliders(std::span<Body> bodies, Solids& solids, double dt) {
  placed_.resize(bodies.size());
  team_.run_shares(bodies.size(), kShare, [&](std::size_t first, std::size_t end) {
    for (const std::uint32_t i : std::span(by_home_).subspan(first, end - first)) {
      Collider& collider = colliders_[i];
      Placed& placed = placed_[i];
      placed = {};
      if (bodies[i].moving()) {
        place(collider, bodies[i], step_);
        placed.motion = dt * (glm::length(bodies[i].velocity) + collider.tip_speed);
        placed.active = true;
        placed.must_fetch = !collider.around.covers(collider.bounds(kRoom), version_);
      }
      placed.lost = bodies[i].lost;
      bounds_[i] = collider.bounds(kRoom / 2 + double{collider.chase});
    }
  });
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const Placed& placed = placed_[i];
    if (placed.lost) {
      broad_phase_.remove(i);
      continue;
    }
    if (placed.must_fetch)
      colliders_[i].around.cover(solids, colliders_[i].bounds(kRoom), version_);
    broad_phase_.set(i, bounds_[i], placed.motion, placed.active);
  }
}

void Modern::feel_water(std::span<Body> bodies, const Water& water, double dt) {
  if (water.none()) return;
  const double highest = highest_surface(water);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].moving()) continue;
    WaterPush& push = states_[i].water;
    push = {};
    if (bounds_[i].lo.y < highest) push = push_of_water(bodies[i], water, s_.gravity, dt);
    bodies[i].submerged_m3 = push.submerged;
  }
}

void Modern::find_contacts(std::span<const Body> bodies, const Solids& solids, double dt) {
  broad_phase_.update();
  finder_.find(bodies, colliders_, bounds_, broad_phase_.pairs(), solids.blocks, dt, step_, homes_,
               team_);
  for (const std::uint32_t i : finder_.lost_hold()) note_moving(i);
}

/// What moves wakes what it touches, in time for the hit.
void Modern::wake_what_is_touched(std::span<Body> bodies) {
  for (const PairContact& pair : finder_.contacts().pairs) {
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
  spread_hits(bodies);
}

/// What moves wakes all that it will drive on.
void Modern::spread_hits(std::span<Body> bodies) {
  if (std::none_of(bodies.begin(), bodies.end(), [](const Body& b) { return b.asleep; })) return;
  jolts_.clear(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].moving() && moving(i)) jolts_.add(i, colliders_[i], bodies[i].piece->mass);
  }
  jolts_.spread(finder_.contacts(), bodies);
}

/// Takes the touching bodies and their contacts into the substeps, part by part.
void Modern::gather(std::span<const Body> bodies) {
  heap_.gather(bodies, finder_.contacts().pairs);
  substeps_.clear(heap_.parts());
  for (State& state : states_) state.entry = 0;
  for (std::uint32_t part = 0; part < heap_.parts(); ++part) {
    for (const std::uint32_t i : heap_.bodies()) {
      if (heap_.parts() > 1 && heap_.part_at(bodies[i].position) != part) continue;
      states_[i].entry = substeps_.add(i, bodies[i], colliders_[i], states_[i].like_a_ball, part);
    }
  }
  for (const PairContact& pair : finder_.contacts().pairs) {
    const std::uint32_t a = states_[pair.a].entry, b = is_body(pair.b) ? states_[pair.b].entry : 0;
    if (a == 0 && b == 0) continue;
    for (Manifold& manifold : finder_.contacts().of(pair)) {
      substeps_.add({&manifold, a, b, static_cast<float>(s_.friction)});
    }
  }
  for (const std::uint32_t i : heap_.bodies()) {
    const WaterPush& water = states_[i].water;
    if (water.submerged > 0) substeps_.push(states_[i].entry, water.acceleration, water.turning);
  }
}

/// Notes for the next step which thread will have whose contacts: the one that has them now.
void Modern::find_homes(std::span<const Body> bodies) {
  if (team_.alone()) return;
  for (std::size_t i = 0; i < bodies.size(); ++i) homes_[i] = heap_.part_at(bodies[i].position);
  by_home_.clear();
  for (std::uint32_t home = 0; home < heap_.parts(); ++home) {
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      if (homes_[i] == home) by_home_.push_back(i);
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
    way.orientation = way.target = body.orientation;
    if (!body.moving() || states_[i].entry != 0) continue;
    way.turn = body.spin * (0.5 * dt);
    fly(body, s_.gravity, substeps, dt);
    way.shift = body.position - way.start;
    way.turn += body.spin * (0.5 * dt);
  }
}

void Modern::move_touching_bodies(std::span<Body> bodies, double dt) {
  if (substeps_.entries() == 1) return;
  substeps_.run(s_, dt, team_);
  substeps_.report(bodies, team_);
  auto& pairs = finder_.contacts().pairs;
  team_.run_shares(pairs.size(), kShare, [&](std::size_t first, std::size_t end) {
    for (PairContact& pair : std::span(pairs).subspan(first, end - first)) {
      const auto manifolds = finder_.contacts().of(pair);
      pair.loaded = std::any_of(manifolds.begin(), manifolds.end(),
                                [](const Manifold& m) { return m.loaded(); });
    }
  });
  const auto vector = [](const float(&v)[4]) { return Vec3(v[0], v[1], v[2]); };
  for (std::uint32_t entry = 1; entry < substeps_.entries(); ++entry) {
    const SolverBody& m = substeps_[entry];
    Body& body = bodies[substeps_.number(entry)];
    body.velocity = vector(m.velocity);
    body.spin = vector(m.spin);
    Way& way = ways_[substeps_.number(entry)];
    way.touching = true;
    way.shift = vector(m.shift);
    way.turn = vector(m.turn);
    body.position += way.shift;
    body.orientation = turned(body.orientation, way.turn);
  }
}

/// Sees to it that nothing goes through anything on a long way.
void Modern::hold_back_fast_bodies(std::span<Body> bodies, Solids& solids, double dt) {
  fast_.clear();
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    colliders_[i].chase = 0;
    if (!bodies[i].moving()) continue;
    Way& way = ways_[i];
    way.turns = colliders_[i].shape.radius * glm::length(way.turn);
    way.length = glm::length(way.shift) + way.turns;
    way.target = bodies[i].orientation;
    if (way.length > kStride) fast_.push_back(i);
  }
  if (fast_.empty()) return;
  hold_back(fast_, ways_, colliders_, broad_phase_, solids, version_, team_);
  for (const std::uint32_t i : fast_) {
    const Way& way = ways_[i];
    if (way.end == 1) continue;
    colliders_[i].chase = static_cast<float>(way.chase);
    bodies[i].position = way.position(way.end);
    bodies[i].orientation = orientation_at(way, way.end);
    // Who stops falling stops gaining speed; what contacts have stopped has gained none.
    const bool is_free = states_[i].entry == 0;
    const double gained = s_.gravity * dt * (1 - way.end);
    double& rise = bodies[i].velocity.y;
    rise = is_free ? rise + gained : std::max(rise, std::min(rise + gained, 0.0));
  }
}

void Modern::fall_asleep(std::span<Body> bodies) {
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].moving()) continue;
    State& state = states_[i];
    const double radius = colliders_[i].shape.radius;
    const Body& body = bodies[i];
    const double speed = glm::length(body.velocity) + radius * glm::length(body.spin);
    const double away = glm::distance(body.position, state.rest_position) +
                        radius * angle_between(body.orientation, state.rest_orientation);
    const bool afloat = state.water.submerged > 0 && floats(body);
    const double still = afloat ? kStillAfloat : s_.still_speed;
    if (speed <= still && away <= s_.still_distance) continue;
    state.rest_position = body.position;
    state.rest_orientation = body.orientation;
    note_moving(i);
  }
  if (!s_.sleeping) return;
  std::vector<std::uint8_t> awake(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) awake[i] = moving(i);
  for (const PairContact& pair : finder_.contacts().pairs) {
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
