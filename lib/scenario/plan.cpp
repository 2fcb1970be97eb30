// From operations to blocks. Sizes are multiplied before anything is made, so that a building of a
// million million blocks is a message and not an attempt.
#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>

#include <fmt/format.h>
#include <glm/vector_relational.hpp>

#include "core/grid.h"
#include "core/suggest.h"
#include "scenario/scenario.h"
#include "scenario/site.h"
#include "voxel/shape.h"

namespace talus {

namespace {

using Cell64 = glm::i64vec3;

/// Bricks of 8 x 8 x 8 cells that a structure may touch: about 2 KiB of memory each.
constexpr std::size_t kMostBricks = 100'000;

MaterialId material_of(const std::vector<Material>& materials, const std::string& name,
                       const Place& place) {
  if (const auto material = find_material(materials, name)) return *material;
  std::vector<std::string> names;
  names.reserve(materials.size());
  for (const Material& m : materials) names.push_back(m.name);
  fail_at(place, unknown_word("material", name, names));
}

class Builder {
 public:
  explicit Builder(const std::vector<Material>& materials) : materials_(materials) {}

  void build(const std::vector<Operation>& operations, Cell64 origin) {
    for (const Operation& op : operations) build(op, origin);
  }
  void build(const Operation& op, Cell64 origin) {
    if (!op.name.empty()) names_.push_back(&op.name);
    for (int i = 0; i < op.count; ++i) {
      build_once(op, origin + Cell64(op.cell) + std::int64_t{i} * Cell64(op.by));
    }
    if (!op.name.empty()) names_.pop_back();
  }

  std::vector<Block> blocks;
  std::map<std::string, std::vector<std::size_t>> parts;

 private:
  /// Counts work before it is done: `amount` may be far over what fits an integer.
  void charge(const Operation& op, double amount) {
    if (amount + static_cast<double>(charged_) > static_cast<double>(kMostBlocks)) {
      fail_at(op.place,
              fmt::format("too many blocks: a scenario may have {}; with this there would "
                          "be {:.4g} or more",
                          kMostBlocks, amount + static_cast<double>(charged_)));
    }
    charged_ += static_cast<std::int64_t>(amount);
  }

  void build_once(const Operation& op, Cell64 at) {
    if (op.kind == Operation::Kind::Group) {
      charge(op, 1);
      build(op.structure, at);
      return;
    }
    if (op.kind == Operation::Kind::Import) {
      charge(op, 1);
      if (!op.imported) fail_at(op.place, "the file was not read: " + op.file);
      build(*op.imported, at);
      return;
    }
    const MaterialId material = material_of(materials_, op.material, op.place);
    proto_ = {IVec3(0), op.size, material, turned(cuts_of(op), op.turns)};
    lay(op, at);
  }

  static Cuts cuts_of(const Operation& op) {
    Cuts cuts = *named_cuts(op.shape);
    for (const auto& [edge, cut] : op.cuts) cuts.set(edge, cut);
    if (op.cuts.empty()) return cuts;
    if (const double share = remaining_share(cuts); share < kLeastShare) {
      fail_at(op.place, fmt::format("the cuts leave {:.3g} % of the block: at least {} % must stay",
                                    100 * share, 100 * kLeastShare));
    }
    return cuts;
  }

  void lay(const Operation& op, Cell64 at) {
    const auto all = [](IVec3) { return true; };
    switch (op.kind) {
      case Operation::Kind::Box:
        return fill(op, at, op.blocks, all);
      case Operation::Kind::Wall:
        return fill(op, at, turned_size(op.along, {op.length, op.height, op.thickness}), all);
      case Operation::Kind::Column:
        return fill(op, at, {1, op.height, 1}, all);
      case Operation::Kind::Beam:
        return fill(op, at, turned_size(op.along, {op.length, 1, 1}), all);
      case Operation::Kind::Floor:
        return fill(op, at, {op.length, op.thickness, op.width}, all);
      case Operation::Kind::Stairs: {
        const int axis = op.along == Along::Z ? 2 : 0;
        return fill(op, at, turned_size(op.along, {op.steps, op.steps, op.width}),
                    [axis](IVec3 i) { return i.y <= i[axis]; });
      }
      case Operation::Kind::Arch: {
        const int across = op.along == Along::Z ? 2 : 0;
        return fill(op, at, turned_size(op.along, {outer(op), (outer(op) + 1) / 2, op.width}),
                    [&op, across](IVec3 i) { return in_ring(op, i[across], i.y, -1); });
      }
      case Operation::Kind::Dome:
        return fill(op, at, {outer(op), (outer(op) + 1) / 2, outer(op)},
                    [&op](IVec3 i) { return in_ring(op, i.x, i.y, i.z); });
      default:
        return fill(op, at, IVec3(1), all);
    }
  }

  static int outer(const Operation& op) { return op.span + 2 * op.thickness; }

  /// Sizes given as along, up, across.
  static IVec3 turned_size(Along along, IVec3 size) {
    if (along == Along::Z) return {size.z, size.y, size.x};
    if (along == Along::Y) return {size.y, size.x, size.z};
    return size;
  }

  /// Whether the middle of block (x, y[, z]) lies between the inner and the outer circle (ball);
  /// all in half blocks, exactly. z = -1: a ring has none.
  static bool in_ring(const Operation& op, int x, int y, int z) {
    const std::int64_t n = outer(op), inner = op.span;
    const std::int64_t dx = 2 * std::int64_t{x} + 1 - n;
    const std::int64_t dy = 2 * std::int64_t{y} + 1;
    const std::int64_t dz = z < 0 ? 0 : 2 * std::int64_t{z} + 1 - n;
    const std::int64_t r2 = dx * dx + dy * dy + dz * dz;
    return r2 >= inner * inner && r2 <= n * n;
  }

  template <class Keep>
  void fill(const Operation& op, Cell64 at, IVec3 count, const Keep& keep) {
    charge(op, double(count.x) * double(count.y) * double(count.z));
    for (int z = 0; z < count.z; ++z) {
      for (int y = 0; y < count.y; ++y) {
        for (int x = 0; x < count.x; ++x) {
          const IVec3 i(x, y, z);
          if (keep(i)) emit(op, at + std::int64_t{op.size} * Cell64(i));
        }
      }
    }
  }

  void emit(const Operation& op, Cell64 cell) {
    constexpr std::int64_t kFar = kFarthestCell - kMaxBlockSize;
    if (std::max({std::abs(cell.x), std::abs(cell.y), std::abs(cell.z)}) > kFar) {
      fail_at(op.place, fmt::format("a block is farther than {} cells from the origin", kFar));
    }
    proto_.cell = IVec3(cell);
    touch_bricks(op);
    if (const BlockId other = store_.obstacle(proto_); other != kNoBlock) {
      const IVec3 c = store_[other].cell;
      fail_at(op.place, fmt::format("the block at cell ({}, {}, {}) is in the way of the one at "
                                    "({}, {}, {}), counted from the world's origin",
                                    cell.x, cell.y, cell.z, c.x, c.y, c.z));
    }
    store_.place(proto_);
    for (const std::string* name : names_) {
      auto& part = parts[*name];
      if (part.empty() || part.back() != blocks.size()) part.push_back(blocks.size());
    }
    blocks.push_back(proto_);
  }

  void touch_bricks(const Operation& op) {
    const auto brick = [](int c) { return floor_div(c, 8); };
    const IBox box = proto_.cells();
    for (int z = brick(box.lo.z); z <= brick(box.hi.z - 1); ++z) {
      for (int y = brick(box.lo.y); y <= brick(box.hi.y - 1); ++y) {
        for (int x = brick(box.lo.x); x <= brick(box.hi.x - 1); ++x) {
          const auto key = [](int c) { return static_cast<std::uint64_t>(c) & 0x1FFFFFu; };
          // 21 bits an axis: what lies 2^21 bricks apart counts once, which no limit notices.
          bricks_.insert(key(x) << 42 | key(y) << 21 | key(z));
        }
      }
    }
    if (bricks_.size() > kMostBricks) {
      fail_at(op.place, fmt::format("the structure is too large or too scattered: it may touch {} "
                                    "cubes of 4 m",
                                    kMostBricks));
    }
  }

  const std::vector<Material>& materials_;
  Blocks store_;
  Block proto_;
  std::vector<const std::string*> names_;
  std::unordered_set<std::uint64_t> bricks_;
  std::int64_t charged_ = 0;
};

bool brings_ball(const Action& action) {
  return action.kind == Action::Kind::Throw || action.kind == Action::Kind::Drop;
}

/// Fails where a name is nowhere given.
class Names {
 public:
  Names(const Scenario& scenario, const Plan& plan) {
    for (const auto& [name, part] : plan.parts) known_.push_back(name);
    for (const LoosePiece& piece : scenario.pieces) known_.push_back(piece.name);
    for (const WalkerSpec& walker : scenario.walkers) known_.push_back(walker.name);
    for (const Action& action : scenario.script) {
      if (!action.block.name.empty()) known_.push_back(action.block.name);
      if (brings_ball(action) && !action.name.empty()) known_.push_back(action.name);
    }
    if (scenario.settings.terrain_islands) known_.push_back(kRockName);
  }
  void check(const std::string& name, const Place& place) const {
    if (name.empty() || std::find(known_.begin(), known_.end(), name) != known_.end()) return;
    fail_at(place, known_.empty() ? "nothing is named '" + name + "'"
                                  : unknown_word("name", name, known_));
  }

 private:
  std::vector<std::string> known_;
};

/// What becomes of an error: make_plan throws it, plan_errors keeps it and looks on.
using OnError = std::function<void(const Error&)>;

template <class Step>
void attempt(const OnError& on_error, const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    on_error(error);
  }
}

void check_names(const Scenario& scenario, const Plan& plan, const OnError& on_error) {
  const Names names(scenario, plan);
  const auto check = [&](const std::string& name, const Place& place) {
    attempt(on_error, [&] { names.check(name, place); });
  };
  for (const Action& action : scenario.script) {
    check(action.name, action.place);
    check(action.when.body, action.place);
  }
  for (const Expectation& e : scenario.expect) {
    check(e.name, e.place);
    if (e.over != kGroundName) check(e.over, e.place);
  }
}

/// An operation that failed names something all the same.
void add_names(const Operation& op, Plan& plan) {
  if (!op.name.empty()) plan.parts.try_emplace(op.name);
  for (const Operation& inner : op.structure) add_names(inner, plan);
  if (!op.imported) return;
  for (const Operation& inner : *op.imported) add_names(inner, plan);
}

void plan_structure(const Scenario& scenario, Plan& plan, const OnError& on_error) {
  Builder builder(scenario.materials);
  std::vector<const Operation*> failed;
  for (const Operation& op : scenario.structure) {
    attempt(on_error, [&] {
      failed.push_back(&op);
      builder.build(op, plan.site);
      failed.pop_back();
    });
  }
  plan.blocks = std::move(builder.blocks);
  plan.parts = std::move(builder.parts);
  for (const Operation* op : failed) add_names(*op, plan);
}

void plan_pieces(const Scenario& scenario, Plan& plan, const OnError& on_error) {
  std::int64_t blocks = 0;
  for (const LoosePiece& piece : scenario.pieces) {
    attempt(on_error, [&] {
      if (plan.parts.count(piece.name) > 0) fail_at(piece.place, "a name is given twice");
      Builder own(scenario.materials);
      own.build(piece.structure, plan.site);
      blocks += static_cast<std::int64_t>(own.blocks.size());
      if (blocks > kMostBlocks) {
        fail_at(piece.place, fmt::format("too many blocks: a scenario may have {}", kMostBlocks));
      }
      if (const auto wide = too_wide(own.blocks)) fail_at(piece.place, *wide);
      plan.pieces.push_back(std::move(own.blocks));
    });
  }
}

/// What balls are made of, and that nobody's name is somebody else's.
void plan_actors(const Scenario& scenario, const Plan& plan, const OnError& on_error) {
  std::vector<std::string> names;
  for (const auto& [name, part] : plan.parts) names.push_back(name);
  for (const LoosePiece& piece : scenario.pieces) names.push_back(piece.name);
  const auto take = [&](const std::string& name, const Place& place) {
    if (name.empty()) return;
    attempt(on_error, [&] {
      const bool taken = std::find(names.begin(), names.end(), name) != names.end();
      if (taken || name == kGroundName) fail_at(place, "the name '" + name + "' is given twice");
    });
    names.push_back(name);
  };
  for (const WalkerSpec& walker : scenario.walkers) take(walker.name, walker.place);
  for (const Action& action : scenario.script) {
    if (!brings_ball(action)) continue;
    take(action.name, action.place);
    attempt(on_error, [&] { material_of(scenario.materials, action.ball.material, action.place); });
  }
}

Plan plan_with(const Scenario& scenario, const OnError& on_error) {
  Plan plan;
  attempt(on_error, [&] {
    plan.terrain = {make_preset(scenario.terrain), scenario.edits};
    plan.site = find_site(scenario, plan.terrain);
  });
  attempt(on_error, [&] {
    if (scenario.settings.terrain_contact == "mesh" && scenario.settings.is_classic()) {
      fail_at(scenario.place,
              "preset classic meets no triangles: leave out \"terrain_contact\", or "
              "take preset modern");
    }
  });
  attempt(on_error, [&] {
    if (!scenario.water.none() && scenario.settings.is_classic()) {
      fail_at(scenario.place,
              "preset classic knows no water: leave out \"water_level_m\" and "
              "\"pools\", or take preset modern");
    }
  });
  plan_structure(scenario, plan, on_error);
  plan_pieces(scenario, plan, on_error);
  for (const Action& action : scenario.script) {
    if (action.kind != Action::Kind::Place) continue;
    attempt(on_error, [&] { Builder(scenario.materials).build(action.block, plan.site); });
  }
  plan_actors(scenario, plan, on_error);
  check_names(scenario, plan, on_error);
  return plan;
}

}  // namespace

Plan make_plan(const Scenario& scenario) {
  return plan_with(scenario, [](const Error& error) { throw error; });
}

std::vector<Error> plan_errors(const Scenario& scenario) {
  std::vector<Error> errors;
  plan_with(scenario, [&](const Error& error) { errors.push_back(error); });
  return errors;
}

Ball planned_ball(const Scenario& scenario, const Plan& plan, const BallSpec& spec) {
  Ball ball = spec.ball;
  ball.position += kCell * Vec3(plan.site);
  const auto material = find_material(scenario.materials, spec.material);
  ball.density = spec.density_kg_m3.value_or(scenario.materials[*material].density_kg_m3);
  return ball;
}

Block planned_block(const Scenario& scenario, const Plan& plan, const Operation& block) {
  Builder one(scenario.materials);
  one.build(block, plan.site);
  return one.blocks.front();
}

}  // namespace talus
