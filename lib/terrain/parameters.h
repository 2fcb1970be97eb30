// How a preset's parameters, a plain struct of doubles, get names, ranges and values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/suggest.h"
#include "terrain/preset.h"

namespace talus {

template <class Values>
struct ParameterRow {
  const char* name;
  double Values::*member;
  double least, most;
  const char* meaning;
};

template <class Values>
std::vector<ParameterInfo> describe(std::span<const ParameterRow<Values>> rows) {
  const Values defaults{};
  std::vector<ParameterInfo> infos;
  for (const auto& row : rows) {
    infos.push_back({row.name, defaults.*row.member, row.least, row.most, row.meaning});
  }
  return infos;
}

/// "preset hills: cave_radius_m: must be 0 to 10, got 12"
std::string out_of_range(const TerrainSpec& spec, const std::string& name, double least,
                         double most, double value);

/// The defaults, with the spec's values over them. Throws Error for a name that is not in the rows
/// and a value outside its row's range.
template <class Values>
Values read_parameters(const TerrainSpec& spec, std::span<const ParameterRow<Values>> rows) {
  Values values{};
  for (const auto& [name, value] : spec.parameters) {
    const ParameterRow<Values>* found = nullptr;
    std::vector<std::string> names;
    for (const auto& row : rows) {
      names.emplace_back(row.name);
      if (name == row.name) found = &row;
    }
    if (!found)
      throw Error("preset " + spec.preset + ": " + unknown_word("parameter", name, names));
    // Written so that NaN fails too.
    if (!(value >= found->least && value <= found->most)) {
      throw Error(out_of_range(spec, name, found->least, found->most, value));
    }
    values.*found->member = value;
  }
  return values;
}

}  // namespace talus
