#include "scenario/cast.h"

#include <fmt/format.h>

#include "scenario/scenario.h"

namespace talus {

void Cast::meet(const World& world) {
  body_of.resize(world.blocks().id_end(), kNoBody);
  for (; seen_bodies_ < world.bodies().size(); ++seen_bodies_) {
    const Body& body = world.bodies()[seen_bodies_];
    for (const BlockId id : body.from) body_of[id] = seen_bodies_;
    if (!body.piece->rock) continue;
    const std::string name = rocks_++ == 0 ? kRockName : fmt::format("{} {}", kRockName, rocks_);
    actors.try_emplace(name, Actor{Actor::Kind::Body, seen_bodies_});
  }
}

std::string Cast::name_of(const World& world, Actor who) const {
  for (const auto& [name, actor] : actors) {
    if (actor == who) return name;
  }
  if (who.kind == Actor::Kind::Ball) return fmt::format("ball {}", who.index);
  const Body& body = world.bodies()[who.index];
  for (const auto& [name, part] : blocks) {
    for (const BlockId id : part) {
      if (body_of[id] == who.index) return fmt::format("{} ({})", name, who.index);
    }
  }
  if (body.split_from == kNoBody) return fmt::format("body {}", who.index);
  const std::string whole = name_of(world, {Actor::Kind::Body, body.split_from});
  return fmt::format("{} ({})", whole.substr(0, whole.find(" (")), who.index);
}

}  // namespace talus
