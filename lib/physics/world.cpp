#include "physics/world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "physics/water.h"
#include "structure/voxelise.h"

namespace talus {

namespace {

/// Farther from the origin than this, metres, cells no longer fit their integers.
constexpr double kEdgeOfTheWorld = 1e8;

Box box_of(const Block& block) {
  return {block.middle() - Vec3(block.half()), block.middle() + Vec3(block.half())};
}

Box joined(const Box& a, const Box& b) {
  return {glm::min(a.lo, b.lo), glm::max(a.hi, b.hi)};
}

IBox cells_of(const Box& box) {
  const double far = kFarthestCell;
  return {IVec3(glm::clamp(glm::floor(box.lo / kCell), Vec3(-far), Vec3(far))),
          IVec3(glm::clamp(glm::floor(box.hi / kCell) + Vec3(1), Vec3(-far), Vec3(far)))};
}

bool finite(Vec3 v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

bool finite(const Body& b) {
  const Quat& q = b.orientation;
  return finite(b.position) && finite(Vec3(q.x, q.y, q.z)) && std::isfinite(q.w) &&
         finite(b.velocity) && finite(b.spin);
}

/// The speed that an explosion gives to what has its centre there.
Vec3 blast(const Explosion& explosion, Vec3 position) {
  const Vec3 away = position - explosion.center;
  const double distance = glm::length(away);
  const Vec3 direction = distance > 0 ? away / distance : Vec3(0, 1, 0);
  return direction * (explosion.speed * (1 - distance / (2 * explosion.radius)));
}

}  // namespace

bool out_of_reach(Vec3 position, double lost_below) {
  const Vec3 far = glm::abs(position);
  return position.y < lost_below || std::max({far.x, far.y, far.z}) > kEdgeOfTheWorld ||
         !finite(position);
}

const char* event_name(EventKind kind) {
  constexpr std::array<const char*, 10> kNames{"broke off", "first contact", "hit",    "rested",
                                               "woke",      "splashed",      "floats", "lost",
                                               "split",     "crushed"};
  return kNames[static_cast<std::size_t>(kind)];
}

World::World(Solids solids, std::vector<Material> materials, std::unique_ptr<Solver> solver,
             const WorldSettings& settings)
    : solids_(std::move(solids)),
      materials_(std::move(materials)),
      solver_(std::move(solver)),
      settings_(settings) {
  if (settings_.terrain_islands) materials_.push_back({"rock", settings_.rock_kg_m3, 0x8A8078});
}

void World::note_anchor(BlockId id) {
  support_.set_anchored(id, ground_holds(solids_.ground, solids_.blocks[id]));
}

std::optional<std::size_t> World::build(std::span<const Block> blocks) {
  std::vector<BlockId> placed;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockId id = solids_.blocks.place(blocks[i]);
    if (id == kNoBlock) {
      for (const BlockId other : placed) solids_.blocks.remove(other);
      return i;
    }
    placed.push_back(id);
  }
  for (const BlockId id : placed) note_anchor(id);
  counts_.built += static_cast<std::int64_t>(placed.size());
  counts_.standing += static_cast<std::int64_t>(placed.size());
  break_off(support_.unsupported_anywhere(solids_.blocks));
  return std::nullopt;
}

std::size_t World::add_body(Piece piece) {
  Body body = make_body(std::make_shared<const Piece>(std::move(piece)), time_s());
  if (!solids_.water.none()) {
    body.float_cells = std::make_shared<const std::vector<FloatCell>>(float_cells(*body.piece));
    for (const FloatCell& cell : *body.float_cells) body.float_volume += cell.volume;
  }
  bodies_.push_back(std::move(body));
  met_.push_back(0);
  wet_.push_back(0);
  note_wetness(bodies_.size() - 1);
  return bodies_.size() - 1;
}

/// What is put into the water does not splash into it.
void World::note_wetness(std::size_t body) {
  wet_[body] = push_of_water(bodies_[body], solids_.water, settings_.gravity, 0).submerged > 0;
}

std::size_t World::add_piece(std::span<const Block> blocks, Vec3 velocity, Vec3 spin) {
  const std::size_t body = add_body(make_piece(blocks, materials_, solver_->inertia_rule()));
  bodies_[body].velocity = velocity;
  bodies_[body].spin = spin;
  counts_.built += static_cast<std::int64_t>(blocks.size());
  counts_.in_pieces += static_cast<std::int64_t>(blocks.size());
  return body;
}

void World::move_body(std::size_t body, Vec3 position, const Quat& orientation) {
  bodies_[body].position = position;
  bodies_[body].orientation = orientation;
  note_wetness(body);
  push(body, Vec3(0));
}

void World::break_off(const std::vector<Component>& components) {
  for (const Component& component : components) {
    std::vector<Block> blocks;
    for (const BlockId id : component) {
      blocks.push_back(solids_.blocks[id]);
      solids_.blocks.remove(id);
    }
    const auto count = static_cast<std::int64_t>(blocks.size());
    const std::size_t body = add_piece(blocks, Vec3(0), Vec3(0));
    bodies_[body].from = component;
    counts_.built -= count;  // add_piece counted them as new
    counts_.standing -= count;
    note(EventKind::BrokeOff, body);
    // What leaned on it stands on nothing that stays.
    Box where = box_of(blocks.front());
    for (const Block& block : blocks) where = joined(where, box_of(block));
    announce(where);
  }
}

std::size_t World::remove(std::span<const BlockId> ids) {
  SupportChange change;
  Box where;
  for (const BlockId id : ids) {
    if (!solids_.blocks.stands(id)) continue;
    const Box box = box_of(solids_.blocks[id]);
    where = change.removed.empty() ? box : joined(where, box);
    solids_.blocks.remove(id);
    change.removed.push_back(id);
  }
  if (change.removed.empty()) return 0;
  const auto count = static_cast<std::int64_t>(change.removed.size());
  counts_.standing -= count;
  counts_.removed += count;
  break_off(support_.unsupported(solids_.blocks, change));
  announce(where);
  return change.removed.size();
}

BlockId World::place(const Block& block) {
  if (walker_in_the_way(block)) return kNoBlock;
  const BlockId id = solids_.blocks.place(block);
  if (id == kNoBlock) return id;
  ++counts_.built;
  ++counts_.standing;
  note_anchor(id);
  break_off(support_.unsupported(solids_.blocks, {{}, {id}}));
  announce(box_of(block));
  return id;
}

void World::apply_edit(const Brush& brush) {
  solids_.ground.edit(brush);
  if (ball_ground_) ball_ground_->edit(brush);
  if (solids_.triangles) solids_.triangles->edit(brush);
  SupportChange change;
  const Box where = reach(brush);
  const Box held{where.lo - Vec3(kAnchorReach), where.hi + Vec3(kAnchorReach)};
  for (const BlockId id : blocks_in(solids_.blocks, cells_of(held))) {
    const bool before = support_.anchored(id);
    note_anchor(id);
    if (before && !support_.anchored(id)) change.doubtful.push_back(id);
  }
  break_off(support_.unsupported(solids_.blocks, change));
  announce(where);
}

std::optional<LargeIsland> World::edit_ground(const Brush& brush) {
  if (!settings_.terrain_islands || brush.mode == Brush::Mode::Fill) {
    apply_edit(brush);
    return std::nullopt;
  }
  const IBox box = samples_near(brush);
  if (box.count() > kMostDugSamples) {
    return LargeIsland{LargeIsland::Why::Dig, brush.center, box.count()};
  }
  const std::vector<std::uint8_t> solid = solid_samples(solids_.ground, box);
  apply_edit(brush);
  const IslandSearch search = find_islands(solids_.ground, box, solid);
  if (search.too_large) return search.too_large;
  for (const Island& island : search.islands) drop(island);
  return std::nullopt;
}

void World::drop(const Island& island) {
  IslandShape shape = shape_of(island, solids_.ground);
  std::vector<Block> blocks;
  const auto rock = static_cast<MaterialId>(materials_.size() - 1);
  for (const BlockBox& box : merge_cells({shape.cells.origin, shape.cells.bits})) {
    for (int i = 0; i < box.blocks.x * box.blocks.y * box.blocks.z; ++i) {
      const IVec3 at(i % box.blocks.x, i / box.blocks.x % box.blocks.y,
                     i / (box.blocks.x * box.blocks.y));
      blocks.push_back({box.cell + box.size * at, box.size, rock, {}});
    }
  }
  apply_edit(removal_of(island, solids_.ground));
  note(EventKind::BrokeOff,
       add_body(make_rock(blocks, materials_, solver_->inertia_rule(), std::move(shape.mesh))));
}

void World::explode(const Explosion& explosion) {
  const Box box{explosion.center - Vec3(explosion.radius),
                explosion.center + Vec3(explosion.radius)};
  std::vector<BlockId> hit;
  for (const BlockId id : blocks_in(solids_.blocks, cells_of(box))) {
    const Vec3 middle = solids_.blocks[id].middle();
    if (glm::distance(middle, explosion.center) < explosion.radius) hit.push_back(id);
  }
  remove(hit);
  const auto in_reach = [&](Vec3 p) {
    return glm::distance(p, explosion.center) < 2 * explosion.radius;
  };
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (in_reach(bodies_[i].position)) push(i, blast(explosion, bodies_[i].position));
  }
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    if (in_reach(balls_[i].position)) push_ball(i, blast(explosion, balls_[i].position));
  }
}

void World::push(std::size_t body, Vec3 velocity_change, Vec3 spin_change) {
  Body& b = bodies_[body];
  if (b.lost) return;
  if (b.asleep) note(EventKind::Woke, body);
  wake(b);
  b.velocity += velocity_change;
  b.spin += spin_change;
  solver_->pushed(body);
}

/// Tells the solver what changed; a body that it wakes is an event.
void World::announce(const Box& changed) {
  std::vector<std::uint8_t> slept;
  for (const Body& body : bodies_) slept.push_back(body.asleep);
  solver_->solids_changed(changed, bodies_);
  ball_stepper_.solids_changed(changed);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (slept[i] && !bodies_[i].asleep) note(EventKind::Woke, i);
  }
}

void World::step() {
  std::vector<std::uint8_t> slept;
  before_.clear();
  velocity_before_.clear();
  spin_before_.clear();
  for (const Body& body : bodies_) {
    slept.push_back(body.asleep);
    before_.push_back({body.position, body.orientation});
    velocity_before_.push_back(body.velocity);
    spin_before_.push_back(body.spin);
  }
  solver_->step(bodies_, solids_, settings_.step_s);
  ++steps_;
  note_changes(slept);
  if (settings_.break_on_impact) break_hard_hit_bodies();
  if (!balls_.empty()) step_balls();
  if (!walkers_.empty()) step_walkers();
}

/// Turns what the step did to the bodies into events.
void World::note_changes(std::span<const std::uint8_t> slept) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& body = bodies_[i];
    if (body.lost) continue;
    if (slept[i] && !body.asleep) note(EventKind::Woke, i);
    if (body.touching > 0 && !std::exchange(met_[i], std::uint8_t{1})) {
      note(EventKind::FirstContact, i, body.closing_speed);
    }
    if (body.closing_speed > settings_.hit_speed) note(EventKind::Hit, i, body.closing_speed);
    const bool wet = body.submerged_m3 > 0;
    if (wet && !wet_[i]) note(EventKind::Splashed, i, glm::length(body.velocity));
    wet_[i] = wet;
    if (!slept[i] && body.asleep && floats(body)) note(EventKind::Floats, i);
    if (!slept[i] && body.asleep) note(EventKind::Rested, i);
    if (out_of_reach(body.position, settings_.lost_below_m) || !finite(body)) lose(i);
  }
}

void World::lose(std::size_t body) {
  bodies_[body].lost = true;
  const Piece& piece = *bodies_[body].piece;
  const auto count = piece.rock ? 0 : static_cast<std::int64_t>(piece.blocks.count());
  counts_.in_pieces -= count;
  counts_.lost += count;
  note(EventKind::Lost, body);
}

Vec3 World::position_of(Actor who) const {
  switch (who.kind) {
    case Actor::Kind::Ball:
      return balls_[who.index].position;
    case Actor::Kind::Walker:
      return walkers_[who.index].position;
    default:
      return bodies_[who.index].position;
  }
}

void World::note(EventKind kind, Actor who, double speed) {
  events_.push_back({kind, steps_, time_s(), who, position_of(who), speed});
}

void World::note(EventKind kind, std::size_t body, double speed) {
  note(kind, Actor{Actor::Kind::Body, body}, speed);
}

bool World::all_at_rest() const {
  const auto moves = [](const auto& actor) { return actor.moving(); };
  return std::none_of(bodies_.begin(), bodies_.end(), moves) &&
         std::none_of(balls_.begin(), balls_.end(), moves) &&
         std::none_of(walkers_.begin(), walkers_.end(), moves);
}

std::vector<Event> World::take_events() {
  return std::exchange(events_, {});
}

std::optional<Actor> World::first_broken() const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!finite(bodies_[i])) return Actor{Actor::Kind::Body, i};
  }
  for (std::size_t i = 0; i < balls_.size(); ++i) {
    const Ball& ball = balls_[i];
    if (!finite(ball.position) || !finite(ball.velocity) || !finite(ball.spin)) {
      return Actor{Actor::Kind::Ball, i};
    }
  }
  return std::nullopt;
}

}  // namespace talus
