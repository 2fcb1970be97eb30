#include "scenario/run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/error.h"
#include "physics/water.h"
#include "scenario/expectations.h"

namespace talus {

namespace {

std::unique_ptr<Solver> make_solver(const Settings& settings) {
  if (settings.is_classic()) return make_classic_solver(settings.classic);
  return make_modern_solver(settings.modern);
}

World make_world(const Scenario& scenario, const Plan& plan) {
  WorldSettings settings = scenario.settings.world;
  settings.terrain_islands = scenario.settings.terrain_islands;
  settings.rock_kg_m3 = ground_density(scenario.terrain.preset);
  std::shared_ptr<TerrainTriangles> triangles;
  if (scenario.settings.terrain_contact == "mesh") {
    triangles = std::make_shared<TerrainTriangles>(plan.terrain);
  }
  return {Solids{Field(plan.terrain), {}, scenario.water, std::move(triangles)}, scenario.materials,
          make_solver(scenario.settings), settings};
}

class Runner {
 public:
  Runner(const Scenario& scenario, const Progress& progress)
      : scenario_(scenario),
        progress_(progress),
        plan_(make_plan(scenario)),
        site_m_(kCell * Vec3(plan_.site)),
        world_(make_world(scenario, plan_)),
        done_(scenario.script.size()),
        watches_depth_(std::any_of(
            scenario.expect.begin(), scenario.expect.end(),
            [](const Expectation& e) { return e.kind == Expectation::Kind::Penetration; })) {}

  Report run() {
    build();
    const double step = scenario_.settings.world.step_s;
    const auto every = std::max<std::int64_t>(1, std::llround(scenario_.record.every_s / step));
    observe();
    act();
    judge_due(false);
    record();
    while (!finished()) {
      tell_progress();
      const std::vector<double> energy = energies();
      note_heights();
      world_.step();
      observe_energy(energy);
      observe();
      act();
      judge_due(false);
      if (world_.steps() % every == 0) record();
    }
    judge_due(true);
    if (world_.steps() % every != 0) record();
    return report();
  }

 private:
  void build() {
    world_.build(plan_.blocks);  // free of overlap: make_plan saw to it
    for (const auto& [name, part] : plan_.parts) {
      for (const std::size_t i : part) blocks_[name].push_back(static_cast<BlockId>(i));
    }
    note_blocks();
    for (std::size_t i = 0; i < scenario_.pieces.size(); ++i) {
      const LoosePiece& piece = scenario_.pieces[i];
      pieces_[piece.name] = world_.add_piece(plan_.pieces[i], piece.velocity_m_s, piece.spin_rad_s);
    }
    report_.expectations.resize(scenario_.expect.size());
    judged_.resize(scenario_.expect.size());
    report_.trajectory.scenario = scenario_.name;
    report_.trajectory.scenario_hash = scenario_.hash;
    report_.trajectory.seed = scenario_.terrain.seed;
    report_.trajectory.step_s = scenario_.settings.world.step_s;
    report_.trajectory.gravity_m_s2 = scenario_.settings.gravity();
  }

  bool all_done() const { return std::find(done_.begin(), done_.end(), 0) == done_.end(); }

  bool finished() const {
    // Half a step of room, so that rounding of the sum of steps adds none.
    if (world_.time_s() > scenario_.until.time_s - scenario_.settings.world.step_s / 2) return true;
    return scenario_.until.at_rest && all_done() && world_.all_at_rest();
  }

  void tell_progress() const {
    if (progress_.stopped()) throw Interrupted{};
    if (!progress_.report) return;
    const double total = scenario_.until.time_s / scenario_.settings.world.step_s;
    progress_.report(world_.steps(), std::llround(total));
  }

  // ---- the script

  void act() {
    bool earlier_done = true;
    for (std::size_t i = 0; i < done_.size(); ++i) {
      if (!done_[i] && due(scenario_.script[i].when, earlier_done)) {
        perform(scenario_.script[i]);
        done_[i] = 1;
        observe();
        note_blocks();
      }
      earlier_done = earlier_done && done_[i];
    }
  }

  bool due(const When& when, bool earlier_done) const {
    if (when.time_s) {
      return world_.time_s() > *when.time_s - scenario_.settings.world.step_s / 2;
    }
    if (when.at_rest) return earlier_done && world_.all_at_rest();
    if (when.height_m) return passes(*when.height_m, when.body);
    return true;
  }

  /// Whether a body's centre was on the other side of the height before the last step.
  bool passes(double height, const std::string& name) const {
    const std::size_t only = name.empty() ? kNoBody : find_body(parts(), name);
    if (!name.empty() && only == kNoBody) return false;
    for (std::size_t i = 0; i < heights_.size(); ++i) {
      if (only != kNoBody && i != only) continue;
      const double now = world_.bodies()[i].position.y - site_m_.y;
      if ((heights_[i] < height) != (now < height)) return true;
    }
    return false;
  }

  void note_heights() {
    heights_.clear();
    for (const Body& body : world_.bodies()) heights_.push_back(body.position.y - site_m_.y);
  }

  void perform(const Action& action) {
    switch (action.kind) {
      case Action::Kind::Remove:
        return remove(action);
      case Action::Kind::Place:
        return place(action);
      case Action::Kind::Dig:
      case Action::Kind::Fill: {
        Brush brush = action.brush;
        brush.center += site_m_;
        brush.end += site_m_;
        return edit_ground(action, brush);
      }
      case Action::Kind::Explode: {
        Explosion explosion = action.explosion;
        explosion.center += site_m_;
        return world_.explode(explosion);
      }
      case Action::Kind::Push: {
        const std::size_t body = find_body(parts(), action.name);
        if (body == kNoBody) {
          fail_at(action.place, fmt::format("nothing of '{}' has broken off at {} s", action.name,
                                            world_.time_s()));
        }
        return world_.push(body, action.velocity_m_s, action.spin_rad_s);
      }
    }
  }

  void edit_ground(const Action& action, const Brush& brush) {
    const auto too_large = world_.edit_ground(brush);
    const std::vector<Brush>& edits = world_.solids().ground.terrain().edits;
    for (std::size_t i = plan_.terrain.edits.size() + report_.ground_edits.size(); i < edits.size();
         ++i) {
      report_.ground_edits.push_back({world_.time_s(), edits[i]});
    }
    if (!too_large) return;
    const Vec3& p = too_large->place;
    throw Error(
        fmt::format(
            "{}:{}:{}: {}: cuts off {}{} m3 of ground about ({}, {}, {}) at {} s: at most {} "
            "can fall; dig so that less comes loose, or leave terrain_islands off",
            action.place.file, action.place.line, action.place.column, action.place.path,
            too_large->count >= kMostCountedSamples ? "over " : "", too_large->count, p.x, p.y, p.z,
            world_.time_s(), kMostIslandSamples),
        Trouble::Simulation);
  }

  void remove(const Action& action) {
    if (action.box) {
      const IVec3 lo = plan_.site + action.box->cell;
      world_.remove(blocks_in(world_.blocks(), {lo, lo + action.box->cells}));
      return;
    }
    if (const auto part = blocks_.find(action.name); part != blocks_.end()) {
      world_.remove(part->second);
    }
  }

  void place(const Action& action) {
    const BlockId id = world_.place(planned_block(scenario_, plan_, action.block));
    if (id == kNoBlock) {
      fail_at(action.place, fmt::format("a block is in the way at {} s", world_.time_s()));
    }
    if (!action.block.name.empty()) blocks_[action.block.name].push_back(id);
  }

  /// After whatever places or removes blocks: which are new, and which are gone.
  void note_blocks() {
    const Blocks& blocks = world_.blocks();
    std::vector<BlockHistory>& history = report_.blocks;
    for (BlockId id = static_cast<BlockId>(history.size()); id < blocks.id_end(); ++id) {
      history.push_back({blocks[id], world_.time_s(), std::nullopt, -1});
    }
    if (std::exchange(removed_, world_.counts().removed) == world_.counts().removed) return;
    for (BlockId id = 0; id < blocks.id_end(); ++id) {
      const bool gone = !blocks.stands(id) && body_of_[id] == kNoBody;
      if (gone && !history[id].removed_s) history[id].removed_s = world_.time_s();
    }
  }

  /// At the end: which blocks are in which body.
  void note_bodies() {
    std::vector<BlockHistory>& history = report_.blocks;
    for (std::size_t i = 0; i < world_.bodies().size(); ++i) {
      const Body& body = world_.bodies()[i];
      for (const BlockId id : body.from) history[id].body = static_cast<int>(i);
      if (body.piece->rock) report_.rocks.push_back({i, body.piece->rock});
      if (!body.from.empty() || body.piece->rock) continue;
      const Blocks& own = body.piece->blocks;
      for (BlockId id = 0; id < own.id_end(); ++id) {
        history.push_back({own[id], body.born_s, std::nullopt, static_cast<int>(i)});
      }
    }
  }

  // ---- watching

  Parts parts() const { return {world_, blocks_, pieces_, body_of_}; }

  std::string name_of(std::size_t body) const {
    for (const auto& [name, index] : pieces_) {
      if (index == body) return name;
    }
    for (const auto& [name, part] : blocks_) {
      for (const BlockId id : part) {
        if (body_of_[id] == body) return fmt::format("{} ({})", name, body);
      }
    }
    return fmt::format("body {}", body);
  }

  std::string rock_name() {
    return rocks_++ == 0 ? kRockName : fmt::format("{} {}", kRockName, rocks_);
  }

  /// After every step and action: who is where, what happened, and whether the books are right.
  void observe() {
    body_of_.resize(world_.blocks().id_end(), kNoBody);
    for (; seen_bodies_ < world_.bodies().size(); ++seen_bodies_) {
      const Body& body = world_.bodies()[seen_bodies_];
      for (const BlockId id : body.from) body_of_[id] = seen_bodies_;
      if (body.piece->rock) pieces_.try_emplace(rock_name(), seen_bodies_);
    }
    observed_.first_contact_s.resize(seen_bodies_);
    for (const Event& event : world_.take_events()) {
      report_.trajectory.events.push_back({event_name(event.kind), event.time_s,
                                           static_cast<int>(event.body), event.position,
                                           event.speed});
      if (event.kind == EventKind::FirstContact) {
        observed_.first_contact_s[event.body] = event.time_s;
      }
    }
    check();
    for (std::size_t i = 0; i < world_.bodies().size(); ++i) watch(i);
  }

  void check() const {
    if (const auto broken = world_.first_broken()) {
      throw Error(fmt::format("{}: {} is nowhere any more (its numbers are not finite) at {} s: a "
                              "smaller step_s or gentler settings may help",
                              scenario_.name, name_of(*broken), world_.time_s()),
                  Trouble::Simulation);
    }
    if (!world_.counts().conserved()) {
      throw Error(fmt::format("{}: blocks were lost or doubled at {} s: a bug in talus",
                              scenario_.name, world_.time_s()),
                  Trouble::Simulation);
    }
  }

  void watch(std::size_t i) {
    const Body& body = world_.bodies()[i];
    if (!body.moving()) return;
    if (const double speed = glm::length(body.velocity); speed > observed_.fastest_m_s) {
      observed_.fastest_m_s = speed;
      observed_.fastest_s = world_.time_s();
      observed_.fastest_body = name_of(i);
    }
    if (!watches_depth_ || body.touching == 0) return;
    for (const Vec3 point : body.piece->contact_points) {
      const auto surface = nearest(world_.solids(), to_world(body, point), 0);
      if (!surface || -surface->distance <= observed_.deepest_m) continue;
      observed_.deepest_m = -surface->distance;
      observed_.deepest_s = world_.time_s();
      observed_.deepest_body = name_of(i);
    }
  }

  std::vector<double> energies() const {
    const double gravity = scenario_.settings.gravity();
    std::vector<double> result;
    for (const Body& body : world_.bodies()) {
      result.push_back(kinetic_energy(body) + potential_energy(body, gravity) +
                       water_energy(body, scenario_.water, gravity));
    }
    return result;
  }

  void observe_energy(const std::vector<double>& before) {
    const std::vector<double> after = energies();
    double gain = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (world_.bodies()[i].moving()) gain += after[i] - before[i];
    }
    if (gain <= observed_.energy_gain_j) return;
    observed_.energy_gain_j = gain;
    observed_.energy_gain_s = world_.time_s();
  }

  // ---- what is left behind

  void judge_due(bool at_end) {
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const Expectation& e = scenario_.expect[i];
      const double half = scenario_.settings.world.step_s / 2;
      const bool due = at_end || (e.at_s && world_.time_s() > *e.at_s - half);
      if (judged_[i] || !due) continue;
      report_.expectations[i] = judge(e, parts(), observed_, site_m_);
      judged_[i] = 1;
    }
  }

  void record() {
    Trajectory& t = report_.trajectory;
    while (t.bodies.size() < world_.bodies().size()) add_track();
    add_frame(t, world_.time_s());
    for (std::size_t i = 0; i < t.bodies.size(); ++i) {
      const Body& body = world_.bodies()[i];
      // One row says that it sleeps; where it stays needs no more.
      const BodyTrack& track = t.bodies[i];
      const bool said = body.asleep && track.rows() > 0 && track.asleep.back() != 0;
      if (body.lost || said) continue;
      const Quat& q = body.orientation;
      append(t, i, {body.position, {q.x, q.y, q.z, q.w}, body.velocity, body.spin, body.asleep});
      if (++rows_ > kMostRows) {
        throw Error(fmt::format("{}: over {} rows in the trajectory: raise record.every_s or "
                                "lower until.time_s",
                                scenario_.name, kMostRows),
                    Trouble::Simulation);
      }
    }
  }

  void add_track() {
    Trajectory& t = report_.trajectory;
    const std::size_t i = t.bodies.size();
    const Body& body = world_.bodies()[i];
    BodyTrack track;
    track.id = static_cast<int>(i);
    track.name = name_of(i);
    track.born_s = body.born_s;
    track.mass_kg = body.piece->mass;
    track.center_m = body.piece->center;
    const Mat3& inertia = body.piece->inertia;
    track.inertia_kg_m2 = {inertia[0][0], inertia[1][1], inertia[2][2],
                           inertia[1][0], inertia[2][0], inertia[2][1]};
    std::vector<std::int64_t> counts(world_.materials().size());
    for (BlockId id = 0; id < body.piece->blocks.id_end(); ++id) {
      ++counts[body.piece->blocks[id].material];
    }
    for (std::size_t m = 0; m < counts.size(); ++m) {
      if (counts[m] > 0)
        track.blocks_by_material.emplace_back(world_.materials()[m].name, counts[m]);
    }
    t.bodies.push_back(std::move(track));
  }

  Report report() {
    note_bodies();
    report_.name = scenario_.name;
    report_.hash = scenario_.hash;
    report_.counts = world_.counts();
    report_.steps = world_.steps();
    report_.time_s = world_.time_s();
    report_.at_rest = world_.all_at_rest();
    if (report_.at_rest) report_.rest_s = rest_time();
    offer_rest_times();
    return std::move(report_);
  }

  /// When the last body that moved came to rest or was lost; 0 where none ever moved.
  double rest_time() const {
    double last = 0;
    for (const TrajectoryEvent& event : report_.trajectory.events) {
      const bool stopped =
          event.kind == event_name(EventKind::Rested) || event.kind == event_name(EventKind::Lost);
      if (stopped) last = std::max(last, event.t_s);
    }
    return last;
  }

  /// "At rest by" failed before it was known when all would be.
  void offer_rest_times() {
    if (!report_.rest_s) return;
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const Expectation& e = scenario_.expect[i];
      ExpectationResult& result = report_.expectations[i];
      if (e.kind != Expectation::Kind::AtRest || !e.at_s || result.passed) continue;
      result.updates.push_back({"by_s", fmt::format("{}", *report_.rest_s)});
    }
  }

  const Scenario& scenario_;
  const Progress& progress_;
  Plan plan_;
  Vec3 site_m_;
  World world_;
  std::vector<std::uint8_t> done_;    // by action
  std::vector<std::uint8_t> judged_;  // by expectation
  bool watches_depth_;
  std::map<std::string, std::vector<BlockId>> blocks_;
  std::map<std::string, std::size_t> pieces_;
  std::vector<std::size_t> body_of_;
  std::vector<double> heights_;  // of the bodies before the last step
  std::size_t seen_bodies_ = 0;
  std::int64_t rows_ = 0;
  int rocks_ = 0;
  std::int64_t removed_ = 0;  // blocks, when note_blocks last looked
  Observed observed_;
  Report report_;
};

}  // namespace

Report run(const Scenario& scenario, const Progress& progress) {
  return Runner(scenario, progress).run();
}

}  // namespace talus
