// Whether what was expected came true.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "scenario/run.h"

namespace talus {

/// Of who was not there yet, metres.
inline constexpr double kNeverThere = 1e300;

/// What was seen over the whole run so far.
struct Observed {
  double deepest_m = 0;  // of a contact point in anything solid
  std::string deepest_body;
  double deepest_s = 0;
  double fastest_m_s = 0;
  std::string fastest_body;
  double fastest_s = 0;
  double energy_gain_j = 0;  // the most that one step added
  double energy_gain_s = 0;
  double deepest_walker_m = 0;  // in anything
  std::string deepest_walker;
  double deepest_walker_s = 0;
  std::map<Actor, double> first_contact_s;
  std::vector<double> nearest_m;  // by expectation: how near who is to reach has come so far
};

/// Who is where, by name.
struct Parts {
  const World& world;
  const std::map<std::string, std::vector<BlockId>>& blocks;  // by name
  const std::map<std::string, Actor>& actors;  // pieces that never stood, balls, walkers
  const std::vector<std::size_t>& body_of;     // by block; kNoBody: none
};

/// Who has that name, or the body with the first of its blocks that broke off. Of what was split,
/// the heaviest part.
std::optional<Actor> find_actor(const Parts& parts, const std::string& name);

/// Where it is: a body's or a ball's centre, a walker's feet.
Vec3 place_of(const World& world, Actor who);

/// `which` is the expectation's place in the scenario.
ExpectationResult judge(const Expectation& expectation, std::size_t which, const Parts& parts,
                        const Observed& observed, Vec3 site_m);

}  // namespace talus
