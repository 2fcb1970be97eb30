#include "scenario/expectations.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

namespace {

std::string text(Vec3 v) {
  return fmt::format("({}, {}, {})", v.x, v.y, v.z);
}

std::string json(Vec3 v) {
  return fmt::format("[{}, {}, {}]", v.x, v.y, v.z);
}

/// Of one that was split: the first of its heaviest parts.
std::size_t heaviest_part(const std::vector<Body>& bodies, std::size_t whole) {
  std::size_t heaviest = kNoBody;
  for (std::size_t i = whole + 1; i < bodies.size(); ++i) {
    if (bodies[i].split_from != whole) continue;
    if (heaviest == kNoBody || bodies[i].piece->mass > bodies[heaviest].piece->mass) heaviest = i;
  }
  return heaviest;
}

struct Judgement {
  bool passed;
  std::string expected, found;
  std::vector<FoundValue> updates{};  // as if it had failed
};

Judgement judge_pieces(const Expectation& e, const Parts& parts) {
  const auto& bodies = parts.world.bodies();
  const auto found =
      std::count_if(bodies.begin(), bodies.end(), [](const Body& b) { return !b.split; });
  std::string expected;
  const auto add = [&](const char* word, const std::optional<int>& n) {
    if (n) expected += fmt::format("{}{}{} bodies", expected.empty() ? "" : ", ", word, *n);
  };
  add("", e.count);
  add("at least ", e.least);
  add("at most ", e.most);
  const bool passed = (!e.count || found == *e.count) && (!e.least || found >= *e.least) &&
                      (!e.most || found <= *e.most);
  std::vector<FoundValue> updates;
  const std::string json = std::to_string(found);
  if (e.count) updates.push_back({"count", json});
  if (e.least && found < *e.least) updates.push_back({"least", json});
  if (e.most && found > *e.most) updates.push_back({"most", json});
  return {passed, expected, fmt::format("{} bodies", found), updates};
}

Judgement judge_broke_off(const Expectation& e, const Parts& parts) {
  std::vector<std::size_t> bodies;
  std::size_t broke = 0, all = 0;
  if (const auto part = parts.blocks.find(e.name); part != parts.blocks.end()) {
    all = part->second.size();
    for (const BlockId id : part->second) {
      if (parts.body_of[id] == kNoBody) continue;
      ++broke;
      bodies.push_back(parts.body_of[id]);
    }
  }
  std::sort(bodies.begin(), bodies.end());
  const auto count = std::unique(bodies.begin(), bodies.end()) - bodies.begin();
  Judgement j{all > 0 && broke == all && (!e.together || count == 1),
              fmt::format("'{}' broke off{}", e.name, e.together ? ", in one body" : ""),
              fmt::format("{} of its {} blocks, in {} bodies", broke, all, count)};
  if (all > 0 && broke == all) j.updates = {{"together", "false"}};
  return j;
}

Judgement judge_stands(const Expectation& e, const Parts& parts) {
  std::size_t standing = 0, all = 0;
  if (const auto part = parts.blocks.find(e.name); part != parts.blocks.end()) {
    all = part->second.size();
    for (const BlockId id : part->second) standing += parts.world.blocks().stands(id);
  }
  return {all > 0 && standing == all, fmt::format("'{}' stands", e.name),
          fmt::format("{} of its {} blocks stand", standing, all)};
}

double mass_of(const World& world, Actor who) {
  if (who.kind == Actor::Kind::Ball) return mass(world.balls()[who.index]);
  return who.kind == Actor::Kind::Body ? world.bodies()[who.index].piece->mass : 0;
}

/// For the kinds that look at one body.
Judgement judge_body(const Expectation& e, const World& world, Actor who, Vec3 site_m) {
  const Vec3 at = place_of(world, who) - site_m;
  switch (e.kind) {
    case Expectation::Kind::Mass: {
      const double mass = mass_of(world, who);
      return {std::abs(mass - e.value) <= e.tolerance,
              fmt::format("{} kg, within {}", e.value, e.tolerance),
              fmt::format("{} kg", mass),
              {{"kg", fmt::format("{}", mass)}}};
    }
    case Expectation::Kind::Position:
      return {glm::distance(at, e.point) <= e.tolerance,
              fmt::format("{} m, within {} m", text(e.point), e.tolerance),
              fmt::format("{} m, {} m away", text(at), glm::distance(at, e.point)),
              {{"near_m", json(at)}}};
    default: {
      bool inside = true;
      for (int i = 0; i < 3; ++i) inside = inside && at[i] >= e.point[i] && at[i] <= e.other[i];
      return {inside,
              fmt::format("between {} and {} m", text(e.point), text(e.other)),
              text(at) + " m",
              {{"least_m", json(glm::min(at, e.point))}, {"most_m", json(glm::max(at, e.other))}}};
    }
  }
}

Judgement judge_contact(const Expectation& e, std::optional<Actor> who, const Observed& seen) {
  const std::string expected = fmt::format("{} s, within {} s", e.value, e.tolerance);
  const auto contact = who ? seen.first_contact_s.find(*who) : seen.first_contact_s.end();
  if (contact == seen.first_contact_s.end()) return {false, expected, "no contact"};
  const double at = contact->second;
  return {std::abs(at - e.value) <= e.tolerance,
          expected,
          fmt::format("{} s", at),
          {{"time_s", fmt::format("{}", at)}}};
}

Judgement judge_reaches(const Expectation& e, double nearest_m) {
  return {nearest_m <= e.tolerance,
          fmt::format("once within {} m of {} m", e.tolerance, text(e.point)),
          nearest_m < kNeverThere ? fmt::format("{} m away at the nearest", nearest_m)
                                  : std::string("was never there"),
          {{"within_m", fmt::format("{}", nearest_m)}}};
}

Judgement judge_stands_on(const Expectation& e, const Parts& parts) {
  const std::string expected =
      fmt::format("'{}' stands on {}", e.name, e.over.empty() ? "something" : "'" + e.over + "'");
  const auto who = find_actor(parts, e.name);
  if (!who || who->kind != Actor::Kind::Walker) return {false, expected, "no such walker"};
  const Walker& walker = parts.world.walkers()[who->index];
  if (walker.crushed) return {false, expected, "it is crushed"};
  if (!walker.grounded) return {false, expected, "it is in the air"};
  if (e.over.empty()) return {true, expected, "it stands"};
  std::string found = "it stands on the ground, or on rubble";
  bool passed =
      e.over == kGroundName && walker.stands_on == kNoBlock && walker.stands_on_body == kNoBody;
  if (walker.stands_on != kNoBlock) {
    found = "it stands on a block of another name";
    const auto part = parts.blocks.find(e.over);
    passed = part != parts.blocks.end() && std::find(part->second.begin(), part->second.end(),
                                                     walker.stands_on) != part->second.end();
  } else if (walker.stands_on_body != kNoBody) {
    passed = find_actor(parts, e.over) == Actor{Actor::Kind::Body, walker.stands_on_body};
  }
  if (passed) found = "it does";
  return {passed, expected, found};
}

Judgement judge_blocks(const Expectation& e, const BlockCounts& counts) {
  bool passed = counts.conserved();
  std::string expected, found;
  std::vector<FoundValue> updates;
  const auto add = [&](const char* where, const char* key, const std::optional<int>& wanted,
                       std::int64_t count) {
    if (!wanted) return;
    passed = passed && *wanted == count;
    const char* comma = expected.empty() ? "" : ", ";
    expected += fmt::format("{}{} {}", comma, *wanted, where);
    found += fmt::format("{}{} {}", comma, count, where);
    if (*wanted != count) updates.push_back({key, std::to_string(count)});
  };
  add("standing", "standing", e.standing, counts.standing);
  add("in pieces", "in_pieces", e.in_pieces, counts.in_pieces);
  add("removed", "removed", e.removed, counts.removed);
  add("lost", "lost", e.lost, counts.lost);
  if (expected.empty()) {
    expected = fmt::format("{} blocks in all", counts.built);
    found = fmt::format("{} blocks in all",
                        counts.standing + counts.in_pieces + counts.removed + counts.lost);
  }
  return {passed, expected, found, updates};
}

/// The mean height of the blocks' middles, where they are now; none where some were removed.
std::optional<double> mean_height(const Parts& parts, const std::string& name) {
  const auto part = parts.blocks.find(name);
  if (part == parts.blocks.end() || part->second.empty()) return std::nullopt;
  double sum = 0;
  for (const BlockId id : part->second) {
    const Vec3 built = parts.world.blocks()[id].middle();
    const std::size_t body = parts.body_of[id];
    if (body == kNoBody && !parts.world.blocks().stands(id)) return std::nullopt;
    // A piece's frame is the grid that it was built on.
    sum += body == kNoBody ? built.y : to_world(parts.world.bodies()[body], built).y;
  }
  return sum / static_cast<double>(part->second.size());
}

Judgement judge_height(const Expectation& e, const Parts& parts) {
  const auto first = mean_height(parts, e.name), second = mean_height(parts, e.over);
  const std::string expected =
      fmt::format("'{}' {} m over '{}', within {} m", e.name, e.value, e.over, e.tolerance);
  if (!first || !second) {
    return {false, expected, fmt::format("'{}' is gone", first ? e.over : e.name)};
  }
  const double found = *first - *second;
  return {std::abs(found - e.value) <= e.tolerance,
          expected,
          fmt::format("{} m", found),
          {{"m", fmt::format("{}", found)}}};
}

Judgement judge_kind(const Expectation& e, std::size_t which, const Parts& parts,
                     const Observed& seen, Vec3 site_m) {
  const auto most = [&](double found, const char* unit, double allowed, const char* key) {
    return Judgement{found <= allowed,
                     fmt::format("at most {} {}", allowed, unit),
                     fmt::format("{} {}", found, unit),
                     {{key, fmt::format("{}", found)}}};
  };
  switch (e.kind) {
    case Expectation::Kind::Pieces:
      return judge_pieces(e, parts);
    case Expectation::Kind::BrokeOff:
      return judge_broke_off(e, parts);
    case Expectation::Kind::Stands:
      return judge_stands(e, parts);
    case Expectation::Kind::AtRest: {
      const auto moving = [](const auto& actors) {
        return std::count_if(actors.begin(), actors.end(),
                             [](const auto& actor) { return actor.moving(); });
      };
      const World& w = parts.world;
      const auto count = moving(w.bodies()) + moving(w.balls()) + moving(w.walkers());
      return {count == 0, "nothing moves", fmt::format("{} bodies move", count)};
    }
    case Expectation::Kind::FirstContact:
      return judge_contact(e, find_actor(parts, e.name), seen);
    case Expectation::Kind::Reaches:
      return judge_reaches(e, seen.nearest_m[which]);
    case Expectation::Kind::StandsOn:
      return judge_stands_on(e, parts);
    case Expectation::Kind::NeverInside:
      return most(seen.deepest_walker_m, "m", e.value, "most_m");
    case Expectation::Kind::Penetration:
      return most(seen.deepest_m, "m", e.value, "most_m");
    case Expectation::Kind::Speed:
      return most(seen.fastest_m_s, "m/s", e.value, "most_m_s");
    case Expectation::Kind::Energy:
      return most(seen.energy_gain_j, "J in a step", e.tolerance, "tolerance_j");
    case Expectation::Kind::Blocks:
      return judge_blocks(e, parts.world.counts());
    case Expectation::Kind::Height:
      return judge_height(e, parts);
    default: {
      const auto who = find_actor(parts, e.name);
      if (!who) return {false, "a body '" + e.name + "'", "none: nothing of it broke off"};
      return judge_body(e, parts.world, *who, site_m);
    }
  }
}

const char* kind_text(Expectation::Kind kind) {
  constexpr const char* kNames[] = {"pieces",      "broke_off", "stands",    "mass",
                                    "position",    "inside",    "at_rest",   "first_contact",
                                    "penetration", "speed",     "energy",    "blocks",
                                    "height",      "reaches",   "stands_on", "never_inside"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace

std::optional<Actor> find_actor(const Parts& parts, const std::string& name) {
  std::size_t body = kNoBody;
  if (const auto actor = parts.actors.find(name); actor != parts.actors.end()) {
    if (actor->second.kind != Actor::Kind::Body) return actor->second;
    body = actor->second.index;
  }
  const auto part = parts.blocks.find(name);
  for (std::size_t i = 0; part != parts.blocks.end() && body == kNoBody; ++i) {
    if (i == part->second.size()) return std::nullopt;
    body = parts.body_of[part->second[i]];
  }
  if (body == kNoBody) return std::nullopt;
  while (parts.world.bodies()[body].split) body = heaviest_part(parts.world.bodies(), body);
  return Actor{Actor::Kind::Body, body};
}

Vec3 place_of(const World& world, Actor who) {
  switch (who.kind) {
    case Actor::Kind::Ball:
      return world.balls()[who.index].position;
    case Actor::Kind::Walker:
      return world.walkers()[who.index].position;
    default:
      return world.bodies()[who.index].position;
  }
}

ExpectationResult judge(const Expectation& e, std::size_t which, const Parts& parts,
                        const Observed& seen, Vec3 site_m) {
  Judgement j = judge_kind(e, which, parts, seen, site_m);
  ExpectationResult result{
      kind_text(e.kind),    e.place, j.passed, std::move(j.expected), std::move(j.found), e.name,
      parts.world.time_s(), e.why,   {}};
  if (!j.passed) result.updates = std::move(j.updates);
  if (e.kind == Expectation::Kind::Penetration) {
    result.body = seen.deepest_body;
    result.time_s = seen.deepest_s;
  } else if (e.kind == Expectation::Kind::Speed) {
    result.body = seen.fastest_body;
    result.time_s = seen.fastest_s;
  } else if (e.kind == Expectation::Kind::NeverInside) {
    result.body = seen.deepest_walker;
    result.time_s = seen.deepest_walker_s;
  } else if (e.kind == Expectation::Kind::Energy) {
    result.time_s = seen.energy_gain_s;
  }
  return result;
}

bool Report::passed() const {
  return std::all_of(expectations.begin(), expectations.end(),
                     [](const ExpectationResult& r) { return r.passed; });
}

}  // namespace talus
