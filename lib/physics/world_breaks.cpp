// World: hits that break bonds. What gives way to which hit: breaking.h.
#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "physics/world.h"
#include "voxel/shape.h"

namespace talus {

namespace {

/// A touch's block is looked for this far beneath the surface, metres.
constexpr double kUnder = 0.05;

/// The block that fills the cell of a point, or one of the cells around it.
BlockId block_near(const Blocks& blocks, Vec3 point) {
  const IVec3 cell(glm::floor(point / kCell));
  if (const BlockId id = blocks.at(cell); id != kNoBlock) return id;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (const BlockId id = blocks.at(cell + IVec3(x, y, z)); id != kNoBlock) return id;
      }
    }
  }
  return kNoBlock;
}

/// A ball presses on all of the surface before it that its shadow touches, each block alike;
/// the one that it touches comes first. All in the frame of the blocks.
void add_press(const Blocks& blocks, BlockId touched, Vec3 point, Vec3 normal, double radius,
               Vec3 impulse, std::vector<BlockImpulse>& out) {
  std::vector<BlockId> pressed{touched};
  const double depth = blocks[touched].half();
  const Vec3 reach(radius + depth);
  const IBox cells{IVec3(glm::floor((point - reach) / kCell)),
                   IVec3(glm::floor((point + reach) / kCell)) + IVec3(1)};
  for (const BlockId id : blocks_in(blocks, cells)) {
    const Vec3 from = blocks[id].middle() - point;
    const double behind = -glm::dot(from, normal);
    const Vec3 across = from + behind * normal;
    const bool in_front = behind > 0 && behind < 2 * depth;
    if (id != touched && in_front && glm::length(across) < radius + depth) pressed.push_back(id);
  }
  for (const BlockId id : pressed) {
    out.push_back({id, impulse / static_cast<double>(pressed.size())});
  }
}

/// What a change of the body's motion takes from each of its blocks, in the piece's axes.
void add_inertia(const Body& body, std::span<const Material> materials, Vec3 velocity_change,
                 Vec3 spin_change, std::vector<BlockImpulse>& out) {
  const Mat3 turn = rotation_matrix(body.orientation);
  const Vec3 v = velocity_change * turn, w = spin_change * turn;
  const Blocks& blocks = body.piece->blocks;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    const Block& block = blocks[id];
    const MassProperties part = block_mass(block, materials[block.material].density_kg_m3);
    const double mass = part.volume;  // of a density each
    const Vec3 arm = part.center - body.piece->center;
    out.push_back({id, -mass * (v + glm::cross(w, arm))});
  }
}

/// No bond could give way to so much: all of it through one face of a cell.
bool too_soft(double impulse, double weakest, double time_s) {
  return impulse < weakest * kCell * kCell * time_s;
}

double weakest_of(std::span<const Material> materials) {
  double weakest = HUGE_VAL;
  for (const Material& material : materials) weakest = std::min(weakest, material.strength_n_m2);
  return weakest;
}

double weakest_of(const Blocks& blocks, std::span<const Material> materials) {
  double weakest = HUGE_VAL;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    weakest = std::min(weakest, materials[blocks[id].material].strength_n_m2);
  }
  return weakest;
}

/// Rock from the ground stays whole: its blocks are only what it is made of inside.
bool may_break(const Body& body, std::span<const Material> materials, double impulse,
               double time_s) {
  return !body.piece->rock && body.piece->blocks.count() > 1 &&
         !too_soft(impulse, weakest_of(body.piece->blocks, materials), time_s);
}

void hardest_first(std::vector<BlockImpulse>& hits) {
  std::stable_sort(hits.begin(), hits.end(), [](const BlockImpulse& a, const BlockImpulse& b) {
    return glm::dot(a.impulse, a.impulse) > glm::dot(b.impulse, b.impulse);
  });
}

}  // namespace

/// Whether what a ball hits gives way; what breaks is kept for apply_breaks().
std::optional<double> World::breaks(const BallImpact& impact) {
  std::vector<BlockImpulse> hits;
  Breakage found;
  const Vec3 impulse = -impact.impulse * impact.normal;
  const double radius = balls_[impact.ball].radius;
  if (impact.body == BallImpact::kNone) {
    if (too_soft(impact.impulse, weakest_of(materials_), settings_.step_s)) return std::nullopt;
    add_press(solids_.blocks, impact.block, impact.point, impact.normal, radius, impulse, hits);
    found = break_bonds({solids_.blocks, materials_, settings_.step_s,
                         [this](BlockId id) { return support_.anchored(id); }},
                        hits);
  } else {
    const Body& body = bodies_[impact.body];
    if (!may_break(body, materials_, impact.impulse, settings_.step_s)) return std::nullopt;
    const Mat3 turn = rotation_matrix(body.orientation);
    const Vec3 spin_change =
        turn * (body.inverse_inertia * (glm::cross(impact.point - body.position, impulse) * turn));
    const Vec3 point = body.piece->center + (impact.point - body.position) * turn;
    add_press(body.piece->blocks, impact.block, point, impact.normal * turn, radius, impulse * turn,
              hits);
    add_inertia(body, materials_, impulse * body.inverse_mass, spin_change, hits);
    found = break_bonds({body.piece->blocks, materials_, settings_.step_s, {}}, hits);
  }
  if (found.fragments.empty()) return std::nullopt;
  const double taken = found.taken;
  const bool of_body = impact.body != BallImpact::kNone;
  breaks_.push_back({of_body ? impact.body : kNoBody, std::move(found), impact.ball});
  return taken;
}

void World::apply_breaks() {
  std::vector<Break> breaks;
  breaks.swap(breaks_);
  for (const Break& b : breaks) {
    if (b.body == kNoBody) {
      const std::size_t first = bodies_.size();
      const std::size_t count = break_out(b.breakage.fragments);
      Ball& ball = balls_[b.ball];
      ball.velocity = drive_out(first, count, mass(ball), ball.velocity);
    } else if (!bodies_[b.body].lost) {
      split(b.body, b.breakage.fragments);
    }
  }
}

/// Fragments of what stands become bodies; those that another hit has already taken are left.
std::size_t World::break_out(const std::vector<Component>& fragments) {
  SupportChange change;
  const std::size_t first = bodies_.size();
  for (const Component& fragment : fragments) {
    const bool whole = std::all_of(fragment.begin(), fragment.end(),
                                   [&](BlockId id) { return solids_.blocks.stands(id); });
    if (!whole) continue;
    break_off({fragment});
    change.removed.insert(change.removed.end(), fragment.begin(), fragment.end());
  }
  const std::size_t count = bodies_.size() - first;
  if (count > 0) break_off(support_.unsupported(solids_.blocks, change));
  return count;
}

/// The body's place is taken by its fragments and by what is left of it, as they move now.
void World::split(std::size_t body, const std::vector<Component>& fragments) {
  const std::shared_ptr<const Piece> piece = bodies_[body].piece;
  Blocks rest;
  std::vector<BlockId> ids;  // of the piece, by id of the rest
  std::vector<std::uint8_t> taken(piece->blocks.id_end());
  for (const Component& fragment : fragments) {
    for (const BlockId id : fragment) taken[id] = 1;
  }
  for (BlockId id = 0; id < piece->blocks.id_end(); ++id) {
    if (taken[id]) continue;
    rest.place(piece->blocks[id]);
    ids.push_back(id);
  }
  std::vector<Component> parts = Support().unsupported_anywhere(rest);
  for (Component& part : parts) {
    for (BlockId& id : part) id = ids[id];
  }
  parts.insert(parts.end(), fragments.begin(), fragments.end());
  note(EventKind::Split, body);
  bodies_[body].lost = bodies_[body].split = true;
  for (const Component& part : parts) {
    std::vector<Block> blocks;
    for (const BlockId id : part) blocks.push_back(piece->blocks[id]);
    const std::size_t child = add_piece(blocks, Vec3(0), Vec3(0));
    counts_.built -= static_cast<std::int64_t>(blocks.size());  // add_piece counted them as new
    counts_.in_pieces -= static_cast<std::int64_t>(blocks.size());
    const Body& parent = bodies_[body];
    Body& own = bodies_[child];
    own.split_from = body;
    own.position = to_world(parent, own.piece->center);
    own.orientation = parent.orientation;
    note_wetness(child);
    own.spin = parent.spin;
    own.velocity = parent.velocity + glm::cross(parent.spin, own.position - parent.position);
    for (const BlockId id : part) {
      if (!parent.from.empty()) own.from.push_back(parent.from[id]);
    }
  }
  announce(
      {bodies_[body].position - Vec3(piece->radius), bodies_[body].position + Vec3(piece->radius)});
}

/// After the solver's step: pieces that hit something so hard that they, or it, give way.
void World::break_hard_hit_bodies() {
  const std::size_t count = bodies_.size();
  for (std::size_t i = 0; i < count; ++i) {
    // Friction stops things, too.
    if (!bodies_[i].lost && glm::length(contact_change(i)) > settings_.hit_speed) {
      break_hard_hit_body(i);
    }
  }
}

/// What contacts have changed of a body's velocity in the solver's step.
Vec3 World::contact_change(std::size_t body) const {
  return bodies_[body].velocity - velocity_before_[body] +
         Vec3(0, settings_.gravity * settings_.step_s, 0);
}

void World::break_hard_hit_body(std::size_t i) {
  std::vector<Touch> touches;
  solver_->touches(i, touches);
  double shares = 0;
  for (const Touch& touch : touches) shares += touch.share;
  if (shares <= 0) return;
  for (Touch& touch : touches) touch.share /= shares;
  const Vec3 change = contact_change(i);
  const Breakage of_piece =
      breakage_of(bodies_[i], touches, change, bodies_[i].spin - spin_before_[i]);
  break_what_stands(i, touches, bodies_[i].piece->mass * change);
  if (!of_piece.fragments.empty()) split(i, of_piece.fragments);
}

/// What the touches that changed its motion so break off a piece.
Breakage World::breakage_of(const Body& body, std::span<const Touch> touches, Vec3 velocity_change,
                            Vec3 spin_change) const {
  const Vec3 impulse = body.piece->mass * velocity_change;
  if (!may_break(body, materials_, glm::length(impulse), settings_.step_s)) return {};
  const Mat3 turn = rotation_matrix(body.orientation);
  std::vector<BlockImpulse> hits;
  for (const Touch& touch : touches) {
    const Vec3 inside = touch.arm + kUnder * touch.normal;
    const BlockId id = block_near(body.piece->blocks, body.piece->center + inside * turn);
    if (id != kNoBlock) hits.push_back({id, touch.share * impulse * turn});
  }
  if (hits.empty()) return {};
  hardest_first(hits);
  add_inertia(body, materials_, velocity_change, spin_change, hits);
  return break_bonds({body.piece->blocks, materials_, settings_.step_s, {}}, hits);
}

/// Standing blocks that a piece hits: what they do not bear moves what breaks out of them, and the
/// piece goes on with it.
void World::break_what_stands(std::size_t i, std::span<const Touch> touches, Vec3 impulse) {
  std::vector<BlockImpulse> hits;
  for (const Touch& touch : touches) {
    if (!touch.standing) continue;
    const Vec3 inside = bodies_[i].position + touch.arm - kUnder * touch.normal;
    const BlockId id = block_near(solids_.blocks, inside);
    if (id != kNoBlock) hits.push_back({id, -touch.share * impulse});
  }
  Vec3 given(0);
  for (const BlockImpulse& hit : hits) given += hit.impulse;
  const double size = glm::length(given);
  if (hits.empty() || too_soft(size, weakest_of(materials_), settings_.step_s)) return;
  hardest_first(hits);
  const Breakage found = break_bonds({solids_.blocks, materials_, settings_.step_s,
                                      [this](BlockId id) { return support_.anchored(id); }},
                                     hits);
  if (found.fragments.empty()) return;
  const std::size_t first = bodies_.size();
  const std::size_t count = break_out(found.fragments);
  const double left = std::max(0.0, size - found.taken);
  if (left == 0 || count == 0) return;
  const Body& body = bodies_[i];
  const Vec3 way = given / size;
  const double now = glm::dot(body.velocity, way);
  const double kept = std::max(0.0, now + left * body.inverse_mass);  // without the blocks
  const Vec3 common = drive_out(first, count, body.piece->mass, kept * way);
  if (glm::dot(common, way) > now) bodies_[i].velocity += common - now * way;
}

/// What hits, and the `count` bodies from `first` on that it broke out, go on together. Returns
/// their velocity.
Vec3 World::drive_out(std::size_t first, std::size_t count, double mass, Vec3 velocity) {
  double all = mass;
  for (std::size_t k = first; k < first + count; ++k) all += bodies_[k].piece->mass;
  const Vec3 common = velocity * (mass / all);
  for (std::size_t k = first; k < first + count; ++k) push(k, common);
  return common;
}

}  // namespace talus
