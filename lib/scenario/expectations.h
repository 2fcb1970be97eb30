// Whether what was expected came true.
#pragma once

#include <optional>
#include <string>

#include "scenario/run.h"

namespace talus {

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
  std::vector<std::optional<double>> first_contact_s;  // by body
};

/// Who is where, by name.
struct Parts {
  const World& world;
  const std::map<std::string, std::vector<BlockId>>& blocks;  // by name
  const std::map<std::string, std::size_t>& pieces;           // bodies that never stood
  const std::vector<std::size_t>& body_of;                    // by block; kNoBody: none
};

/// The body of that name, or the one with the first of its blocks that broke off; kNoBody.
std::size_t find_body(const Parts& parts, const std::string& name);

ExpectationResult judge(const Expectation& expectation, const Parts& parts,
                        const Observed& observed, Vec3 site_m);

}  // namespace talus
