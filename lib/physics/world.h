// The world in motion: what stands, what broke off, and the script's hands.
//
//   World world(Solids{Field(terrain), {}}, default_materials(), make_classic_solver());
//   world.build(blocks);
//   world.remove({id});                      // what nothing holds now becomes bodies
//   while (...) { world.step(); for (const Event& e : world.take_events()) ... }
//
// Every block ever built is standing, in a body, removed or lost: counts() adds up at any time.
// One world belongs to one thread. Nothing here throws.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/islands.h"
#include "collision/solids.h"
#include "physics/body.h"
#include "physics/solver.h"
#include "structure/support.h"

namespace talus {

enum class EventKind { BrokeOff, FirstContact, Hit, Rested, Woke, Splashed, Floats, Lost };
const char* event_name(EventKind kind);

struct Event {
  EventKind kind;
  std::int64_t step;  // the step that it happened in; actions belong to the step before them
  double time_s;
  std::size_t body;
  Vec3 position;     // of the body's centre
  double speed = 0;  // Hit, FirstContact: the closing speed; Splashed: of the centre; m/s
};

struct WorldSettings {
  double step_s = 1.0 / 120;
  double lost_below_m = -500;  // a body lower than this is lost, as is one 1e8 m away
  double hit_speed = 1.5;      // m/s: slower meetings are no event
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

  /// Puts a body elsewhere (position: its centre of mass), awake.
  void move_body(std::size_t body, Vec3 position, const Quat& orientation);

  // ---- the script's actions, each followed by the look at what still holds

  /// Takes out blocks; ids that do not stand are left alone. Returns how many were.
  std::size_t remove(std::span<const BlockId> ids);
  /// Places one block; kNoBlock, and nothing changed, where another is in the way.
  BlockId place(const Block& block);
  /// Digs or fills. With terrain_islands, rock that this cuts off falls as a piece of its own; what
  /// is too large for that stays where it is, and is returned.
  std::optional<LargeIsland> edit_ground(const Brush& brush);
  void explode(const Explosion& explosion);
  /// Changes a body's velocity (m/s) and spin (rad/s), and wakes it. Lost bodies are left alone.
  void push(std::size_t body, Vec3 velocity_change, Vec3 spin_change = Vec3(0));

  // ---- time

  void step();
  std::int64_t steps() const { return steps_; }
  double time_s() const { return static_cast<double>(steps_) * settings_.step_s; }

  // ---- what can be seen

  const Blocks& blocks() const { return solids_.blocks; }
  const std::vector<Body>& bodies() const { return bodies_; }
  /// Those given, and with terrain_islands the ground's, "rock", at the end.
  const std::vector<Material>& materials() const { return materials_; }
  Solids& solids() { return solids_; }
  bool anchored(BlockId id) const { return support_.anchored(id); }
  bool all_at_rest() const;
  const BlockCounts& counts() const { return counts_; }
  /// The events since the last call, in the order in which they happened.
  std::vector<Event> take_events();
  /// The first body with a number that is not finite (it is lost, too).
  std::optional<std::size_t> first_broken() const;

 private:
  void note_anchor(BlockId id);
  std::size_t add_body(Piece piece);
  void apply_edit(const Brush& brush);
  void drop(const Island& island);
  void break_off(const std::vector<Component>& components);
  void note(EventKind kind, std::size_t body, double speed = 0);
  void note_changes(std::span<const std::uint8_t> slept);
  void lose(std::size_t body);
  void announce(const Box& changed);

  Solids solids_;
  std::vector<Material> materials_;
  std::unique_ptr<Solver> solver_;
  WorldSettings settings_;
  Support support_;
  std::vector<Body> bodies_;
  std::vector<std::uint8_t> met_;  // by body: it has touched something
  std::vector<std::uint8_t> wet_;  // by body: some of it is under water
  std::vector<Event> events_;
  BlockCounts counts_;
  std::int64_t steps_ = 0;
};

}  // namespace talus
