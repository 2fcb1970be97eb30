// The world in motion: what stands, what broke off, and the script's hands.
//
//   World world(Solids{Field(terrain), {}}, default_materials(), make_classic_solver());
//   world.build(blocks);
//   world.remove({id});                      // what nothing holds now becomes bodies
//   while (...) { world.step(); for (const Event& e : world.take_events()) ... }
//
// Besides pieces there are balls (balls.h) and walkers (walker.h): in each step the pieces move
// first, then the balls, then the walkers. Every block ever built is standing, in a body, removed
// or lost: counts() adds up at any time. One world belongs to one thread. What is too large to move
// is an Error; nothing else throws.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/islands.h"
#include "collision/solids.h"
#include "collision/terrain_triangles.h"
#include "physics/balls.h"
#include "physics/body.h"
#include "physics/breaking.h"
#include "physics/solver.h"
#include "physics/walker.h"
#include "structure/support.h"

namespace talus {

enum class EventKind {
  BrokeOff,
  FirstContact,
  Hit,
  Rested,
  Woke,
  Splashed,
  Floats,
  Lost,
  Split,    // a body broke into others
  Crushed,  // a walker had no way out of what it was in
};
const char* event_name(EventKind kind);

/// Somebody that moves: a place in World::bodies(), balls() or walkers().
struct Actor {
  enum class Kind : std::uint8_t { Body, Ball, Walker };
  Kind kind = Kind::Body;
  std::size_t index = 0;
  auto operator<=>(const Actor&) const = default;  // NOLINT(modernize-use-nullptr): there is none
};

struct Event {
  EventKind kind;
  std::int64_t step;  // the step that it happened in; actions belong to the step before them
  double time_s;
  Actor who;
  Vec3 position;     // of the body's centre
  double speed = 0;  // Hit, FirstContact: the closing speed; Splashed: of the centre; m/s
};

struct WorldSettings {
  double step_s = 1.0 / 120;
  double lost_below_m = -500;  // a body lower than this is lost, as is one 1e8 m away
  double hit_speed = 1.5;      // m/s: slower meetings are no event
  double gravity = 9.81;       // m/s2, of balls and walkers; the solver has its own
  bool balls_sleep = true;
  bool break_on_impact = false;  // hits break bonds (breaking.h)
  /// Whether rock that digging cuts off from the rest of the ground falls, and what it weighs.
  bool terrain_islands = false;
  double rock_kg_m3 = 2600;
};

/// Blocks by where they are. built = standing + in_pieces + removed + lost, always.
struct BlockCounts {
  std::int64_t built = 0, standing = 0, in_pieces = 0, removed = 0, lost = 0;
  bool conserved() const { return built == standing + in_pieces + removed + lost; }
};

struct Explosion {
  Vec3 center{0};
  double radius = 1;  // m: blocks whose middle is nearer are removed
  double speed = 0;   // m/s: given to pieces away from the centre, falling to 0 at twice the radius
};

/// True where nobody can follow what is there any farther.
bool out_of_reach(Vec3 position, double lost_below);

class World {
 public:
  World(Solids solids, std::vector<Material> materials, std::unique_ptr<Solver> solver,
        const WorldSettings& settings = {});

  // ---- building

  /// Places all the blocks, in order, and looks once at what holds; what does not, breaks off.
  /// Where one is in the way of another, its place in `blocks` is returned and nothing is changed.
  std::optional<std::size_t> build(std::span<const Block> blocks);
  /// Adds a piece that never stood, where its blocks are; returns its body's index.
  std::size_t add_piece(std::span<const Block> blocks, Vec3 velocity, Vec3 spin);

  std::size_t add_ball(const Ball& ball);
  /// Returns its place; none, and nothing changed, where it would be inside something.
  std::optional<std::size_t> add_walker(const Walker& walker, const WalkerSettings& settings = {});

  /// Puts a body elsewhere (position: its centre of mass), awake.
  void move_body(std::size_t body, Vec3 position, const Quat& orientation);

  // ---- the script's actions, each followed by the look at what still holds

  /// Takes out blocks; ids that do not stand are left alone. Returns how many were.
  std::size_t remove(std::span<const BlockId> ids);
  /// Places one block; kNoBlock, and nothing changed, where another or a walker is in the way.
  BlockId place(const Block& block);
  /// The walker that the block would overlap.
  std::optional<std::size_t> walker_in_the_way(const Block& block) const;
  /// Digs or fills. With terrain_islands, rock that this cuts off falls as a piece of its own;
  /// where some is too large for that, that is returned, and all of it stays where it is.
  std::optional<LargeIsland> edit_ground(const Brush& brush);
  void explode(const Explosion& explosion);
  /// Changes a body's velocity (m/s) and spin (rad/s), and wakes it. Lost bodies are left alone.
  void push(std::size_t body, Vec3 velocity_change, Vec3 spin_change = Vec3(0));
  void push_ball(std::size_t ball, Vec3 velocity_change, Vec3 spin_change = Vec3(0));

  // ---- time

  void step();
  std::int64_t steps() const { return steps_; }
  double time_s() const { return static_cast<double>(steps_) * settings_.step_s; }

  // ---- what can be seen

  const Blocks& blocks() const { return solids_.blocks; }
  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Ball>& balls() const { return balls_; }
  const std::vector<Walker>& walkers() const { return walkers_; }
  const WalkerSettings& walker_settings(std::size_t walker) const {
    return walker_settings_[walker];
  }
  /// How deep a walker is in something, metres; at most 0 where it is free.
  double depth_of_walker(std::size_t walker);
  /// Those given, and with terrain_islands the ground's, "rock", at the end.
  const std::vector<Material>& materials() const { return materials_; }
  Solids& solids() { return solids_; }
  bool anchored(BlockId id) const { return support_.anchored(id); }
  bool all_at_rest() const;
  const BlockCounts& counts() const { return counts_; }
  /// The events since the last call, in the order in which they happened.
  std::vector<Event> take_events();
  /// The first body or ball with a number that is not finite (it is lost, too).
  std::optional<Actor> first_broken() const;

 private:
  struct Break {
    std::size_t body;  // kNoBody: of what stands
    Breakage breakage;
    std::uint32_t ball;
  };

  void note_anchor(BlockId id);
  std::size_t add_body(Piece piece);
  void note_wetness(std::size_t body);
  void apply_edit(const Brush& brush);
  void drop(const Island& island);
  void break_off(const std::vector<Component>& components);
  void note(EventKind kind, Actor who, double speed = 0);
  void note(EventKind kind, std::size_t body, double speed = 0);
  void note_changes(std::span<const std::uint8_t> slept);
  void lose(std::size_t body);
  void announce(const Box& changed);
  Vec3 position_of(Actor who) const;

  // world_balls.cpp: balls and walkers
  void step_balls();
  TerrainTriangles& ball_ground();
  void note_ball_changes(std::span<const BallImpact> impacts, std::span<const std::uint8_t> slept);
  void wake_hit_bodies(std::span<const BallImpact> impacts);
  void knock_walkers(std::span<const BallImpact> impacts, std::span<const WalkerBall> parts);
  void step_walkers();

  // world_breaks.cpp: hits that break
  std::optional<double> breaks(const BallImpact& impact);
  void break_hard_hit_bodies();
  Vec3 contact_change(std::size_t body) const;
  void break_hard_hit_body(std::size_t body);
  Breakage breakage_of(const Body& body, std::span<const Touch> touches, Vec3 velocity_change,
                       Vec3 spin_change) const;
  void break_what_stands(std::size_t body, std::span<const Touch> touches, Vec3 impulse);
  void apply_breaks();
  Vec3 drive_out(std::size_t first, std::size_t count, double mass, Vec3 velocity);
  std::size_t break_out(const std::vector<Component>& fragments);
  void split(std::size_t body, const std::vector<Component>& fragments);

  Solids solids_;
  std::vector<Material> materials_;
  std::unique_ptr<Solver> solver_;
  WorldSettings settings_;
  Support support_;
  std::vector<Body> bodies_;
  std::vector<std::uint8_t> met_;  // by body: it has touched something
  std::vector<Ball> balls_;
  std::vector<std::uint8_t> ball_met_;  // by ball: it has hit something
  BallStepper ball_stepper_;
  std::optional<TerrainTriangles> ball_ground_;  // made for the first ball
  std::vector<Walker> walkers_;
  std::vector<WalkerSettings> walker_settings_;
  std::vector<Pose> before_;           // by body: where it was when the step began
  std::vector<Vec3> velocity_before_;  // and how fast, where hits break
  std::vector<Vec3> spin_before_;
  std::vector<Break> breaks_;      // that balls have made in this step
  std::vector<std::uint8_t> wet_;  // by body: some of it is under water
  std::vector<Event> events_;
  BlockCounts counts_;
  std::int64_t steps_ = 0;
};

}  // namespace talus
