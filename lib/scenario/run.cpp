#include "scenario/run.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "core/error.h"
#include "scenario/cast.h"
#include "scenario/recorder.h"
#include "scenario/watcher.h"

namespace talus {

namespace {

std::unique_ptr<Solver> make_solver(const Settings& settings) {
  if (settings.is_classic()) return make_classic_solver(settings.classic);
  return make_modern_solver(settings.modern);
}

World make_world(const Scenario& scenario, const Plan& plan) {
  const Settings& s = scenario.settings;
  WorldSettings settings = s.world;
  settings.gravity = s.gravity();
  settings.balls_sleep = s.is_classic() || s.modern.sleeping;
  settings.break_on_impact = s.break_on_impact;
  settings.terrain_islands = s.terrain_islands;
  settings.rock_kg_m3 = ground_density(scenario.terrain.preset);
  std::shared_ptr<TerrainTriangles> triangles;
  if (s.terrain_contact == "mesh") triangles = std::make_shared<TerrainTriangles>(plan.terrain);
  return {Solids{Field(plan.terrain), {}, scenario.water, std::move(triangles)}, scenario.materials,
          make_solver(s), settings};
}

class Runner {
 public:
  Runner(const Scenario& scenario, const Progress& progress)
      : scenario_(scenario),
        progress_(progress),
        plan_(make_plan(scenario)),
        site_m_(kCell * Vec3(plan_.site)),
        world_(make_world(scenario, plan_)),
        recorder_(report_.trajectory),
        watcher_(scenario, cast_, site_m_),
        done_(scenario.script.size()) {}

  Report run() {
    build();
    const double step = scenario_.settings.world.step_s;
    const auto every = std::max<std::int64_t>(1, std::llround(scenario_.record.every_s / step));
    observe();
    act();
    watcher_.judge_due(world_, false);
    record();
    while (!finished()) {
      tell_progress();
      note_heights();
      watcher_.before_step(world_);
      step_world();
      watcher_.after_step(world_);
      observe();
      act();
      watcher_.judge_due(world_, false);
      if (world_.steps() % every == 0) record();
    }
    watcher_.judge_due(world_, true);
    if (world_.steps() % every != 0) record();
    return report();
  }

 private:
  void build() {
    world_.build(plan_.blocks);  // free of overlap: make_plan saw to it
    for (const auto& [name, part] : plan_.parts) {
      for (const std::size_t i : part) cast_.blocks[name].push_back(static_cast<BlockId>(i));
    }
    note_blocks();
    for (std::size_t i = 0; i < scenario_.pieces.size(); ++i) {
      const LoosePiece& piece = scenario_.pieces[i];
      cast_.actors[piece.name] = {
          Actor::Kind::Body,
          world_.add_piece(plan_.pieces[i], piece.velocity_m_s, piece.spin_rad_s)};
    }
    for (const WalkerSpec& spec : scenario_.walkers) add_walker(spec);
    report_.trajectory.scenario = scenario_.name;
    report_.trajectory.scenario_hash = scenario_.hash;
    report_.trajectory.seed = scenario_.terrain.seed;
    report_.trajectory.step_s = scenario_.settings.world.step_s;
    report_.trajectory.gravity_m_s2 = scenario_.settings.gravity();
  }

  void add_walker(const WalkerSpec& spec) {
    Walker walker;
    walker.position = spec.at_m + site_m_;
    walker.goals = spec.goals;
    for (WalkerGoal& goal : walker.goals) goal.target += site_m_;
    WalkerSettings settings = spec.settings;
    settings.gravity = scenario_.settings.gravity();
    const auto index = world_.add_walker(walker, settings);
    if (!index) fail_at(spec.place, "'" + spec.name + "' would be inside something");
    cast_.actors[spec.name] = {Actor::Kind::Walker, *index};
  }

  bool all_done() const { return std::find(done_.begin(), done_.end(), 0) == done_.end(); }

  bool finished() const {
    // Half a step of room, so that rounding of the sum of steps adds none.
    if (world_.time_s() > scenario_.until.time_s - scenario_.settings.world.step_s / 2) return true;
    return scenario_.until.at_rest && all_done() && world_.all_at_rest();
  }

  void step_world() {
    try {
      world_.step();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: at {} s: {}", scenario_.name, world_.time_s(), error.what()),
                  Trouble::Simulation);
    }
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

  /// Whether a centre was on the other side of the height before the last step.
  bool passes(double height, const std::string& name) const {
    const auto only = name.empty() ? std::nullopt : find_actor(parts(), name);
    if (!name.empty() && !only) return false;
    for (const auto& [who, before] : heights_) {
      if (only && who != *only) continue;
      const double now = place_of(world_, who).y - site_m_.y;
      if ((before < height) != (now < height)) return true;
    }
    return false;
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
      case Action::Kind::Push:
        return push(action);
      case Action::Kind::Throw:
      case Action::Kind::Drop: {
        const Ball ball = planned_ball(scenario_, plan_, action.ball);
        const Actor who{Actor::Kind::Ball, world_.add_ball(ball)};
        if (!action.name.empty()) cast_.actors[action.name] = who;
        report_.rounds.push_back({recorder_track(who), action.ball.material});
        return;
      }
    }
  }

  void push(const Action& action) {
    const auto who = find_actor(parts(), action.name);
    if (!who || who->kind == Actor::Kind::Walker) {
      fail_at(action.place,
              fmt::format("nothing of '{}' has broken off at {} s", action.name, world_.time_s()));
    }
    const auto change = who->kind == Actor::Kind::Ball ? &World::push_ball : &World::push;
    (world_.*change)(who->index, action.velocity_m_s, action.spin_rad_s);
  }

  void edit_ground(const Action& action, const Brush& brush) {
    const auto too_large = world_.edit_ground(brush);
    const std::vector<Brush>& edits = world_.solids().ground.terrain().edits;
    for (std::size_t i = plan_.terrain.edits.size() + report_.ground_edits.size(); i < edits.size();
         ++i) {
      report_.ground_edits.push_back({world_.time_s(), edits[i]});
    }
    if (!too_large) return;
    const Place& place = action.place;
    throw Error(
        fmt::format("{}:{}:{}: {}: at {} s: {}, or leave terrain_islands off", place.file,
                    place.line, place.column, place.path, world_.time_s(), in_words(*too_large)),
        Trouble::Simulation);
  }

  void remove(const Action& action) {
    if (action.box) {
      const IVec3 lo = plan_.site + action.box->cell;
      world_.remove(blocks_in(world_.blocks(), {lo, lo + action.box->cells}));
      return;
    }
    if (const auto part = cast_.blocks.find(action.name); part != cast_.blocks.end()) {
      world_.remove(part->second);
    }
  }

  void place(const Action& action) {
    const Block block = planned_block(scenario_, plan_, action.block);
    const BlockId id = world_.place(block);
    if (id == kNoBlock) {
      const char* what = world_.walker_in_the_way(block) ? "a walker" : "a block";
      fail_at(action.place, fmt::format("{} is in the way at {} s", what, world_.time_s()));
    }
    if (!action.block.name.empty()) cast_.blocks[action.block.name].push_back(id);
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
      const bool gone = !blocks.stands(id) && cast_.body_of[id] == kNoBody;
      if (gone && !history[id].removed_s) history[id].removed_s = world_.time_s();
    }
  }

  /// At the end: which blocks are in which body.
  void note_bodies() {
    std::vector<BlockHistory>& history = report_.blocks;
    for (std::size_t i = 0; i < world_.bodies().size(); ++i) {
      const Body& body = world_.bodies()[i];
      const int track = recorder_.track_of({Actor::Kind::Body, i});
      for (const BlockId id : body.from) history[id].body = track;
      if (body.piece->rock) {
        report_.rocks.push_back({static_cast<std::size_t>(track), body.piece->rock});
      }
      if (!body.from.empty() || body.split || body.piece->rock) continue;
      const Blocks& own = body.piece->blocks;
      for (BlockId id = 0; id < own.id_end(); ++id) {
        history.push_back({own[id], first_birth(i), std::nullopt, track});
      }
    }
  }

  /// Of the body, or of the one that it was split from, and so on.
  double first_birth(std::size_t body) const {
    while (world_.bodies()[body].split_from != kNoBody) body = world_.bodies()[body].split_from;
    return world_.bodies()[body].born_s;
  }

  // ---- watching

  Parts parts() const { return cast_.parts(world_); }
  std::string name_of(Actor who) const { return cast_.name_of(world_, who); }

  /// The track of one that may be new.
  int recorder_track(Actor who) {
    recorder_.meet(world_, [this](Actor actor) { return name_of(actor); });
    return recorder_.track_of(who);
  }

  /// After every step and action: who is where, what happened, and whether the books are right.
  void observe() {
    cast_.meet(world_);
    recorder_.meet(world_, [this](Actor who) { return name_of(who); });
    for (const Event& event : world_.take_events()) {
      report_.trajectory.events.push_back({event_name(event.kind), event.time_s,
                                           recorder_.track_of(event.who), event.position,
                                           event.speed});
      if (event.kind == EventKind::FirstContact) {
        watcher_.first_contact(event.who, event.time_s);
      }
    }
    check();
    watcher_.look(world_);
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

  void note_heights() {
    heights_.clear();
    const auto note = [&](Actor::Kind kind, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) {
        const Actor who{kind, i};
        heights_.emplace_back(who, place_of(world_, who).y - site_m_.y);
      }
    };
    note(Actor::Kind::Body, world_.bodies().size());
    note(Actor::Kind::Ball, world_.balls().size());
    note(Actor::Kind::Walker, world_.walkers().size());
  }

  // ---- what is left behind

  void record() {
    if (recorder_.record(world_)) return;
    throw Error(fmt::format("{}: over {} rows in the trajectory: raise record.every_s or "
                            "lower until.time_s",
                            scenario_.name, kMostRows),
                Trouble::Simulation);
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
    report_.expectations = watcher_.results(report_.rest_s);
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

  const Scenario& scenario_;
  const Progress& progress_;
  Plan plan_;
  Vec3 site_m_;
  World world_;
  Report report_;
  Recorder recorder_;
  Cast cast_;
  Watcher watcher_;
  std::vector<std::uint8_t> done_;                 // by action
  std::vector<std::pair<Actor, double>> heights_;  // before the last step
  std::int64_t removed_ = 0;                       // blocks, when note_blocks last looked
};

}  // namespace

Report run(const Scenario& scenario, const Progress& progress) {
  return Runner(scenario, progress).run();
}

}  // namespace talus
