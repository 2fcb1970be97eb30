#include "world_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"

namespace talus {

namespace {

// "cave_radius=0.12". Which keys there are, and their ranges, is the preset's to say.
std::pair<std::string, double> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(fmt::format("--set {}: must be KEY=VALUE; 'talus presets' has the keys", text));
  }
  const std::string key = text.substr(0, equals);
  return {key, number_argument("--set " + key, text.substr(equals + 1))};
}

}  // namespace

void add_world_options(CLI::App& verb, WorldOptions& options) {
  const char* group = "World";
  std::string presets;
  for (const PresetInfo& info : preset_table())
    presets += (presets.empty() ? "" : ", ") + info.name;
  const TerrainSpec defaults;
  add_text(verb, "--preset", options.preset, "NAME",
           fmt::format("Kind of terrain: {} (default {})", presets, defaults.preset))
      ->group(group);
  add_text(verb, "--seed", options.seed, "N",
           fmt::format("0 to 4294967295 (default {})", defaults.seed))
      ->group(group);
  verb.add_option("--set", options.settings,
                  "A parameter of the preset (see 'talus presets'); repeatable")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(group);
}

Terrain make_terrain(const WorldOptions& options) {
  TerrainSpec spec;
  if (!options.preset.empty()) spec.preset = options.preset;
  if (!options.seed.empty()) {
    spec.seed = static_cast<std::uint32_t>(integer_argument("--seed", options.seed, 0, 0xFFFFFFFF));
  }
  for (const std::string& text : options.settings) spec.parameters.push_back(parse_setting(text));
  return {make_preset(spec), {}};
}

}  // namespace talus
