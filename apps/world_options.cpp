#include "world_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"

namespace talus {

void add_world_options(CLI::App& verb, WorldOptions& options) {
  const char* group = "World";
  std::vector<std::string> presets;
  for (const PresetInfo& info : preset_table()) presets.push_back(info.name);
  const TerrainSpec defaults;
  add_text(verb, "--preset", options.preset, "NAME",
           fmt::format("Kind of terrain: {} (default {})", joined(presets), defaults.preset))
      ->group(group);
  add_text(verb, "--seed", options.seed, "N",
           fmt::format("0 to 4294967295 (default {})", defaults.seed))
      ->group(group);
  add_text(verb, "--terrain", options.file, "FILE",
           "A JSON file of terrain: preset, seed, parameters, edits")
      ->group(group);
  verb.add_option("--set", options.settings,
                  "A parameter of the preset (see 'talus presets'); repeatable")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(group);
}

TerrainFile read_world(const WorldOptions& options) {
  TerrainFile world;
  if (!options.file.empty()) world = read_terrain_file(options.file);
  if (!options.preset.empty()) world.spec.preset = options.preset;
  if (!options.seed.empty()) {
    world.spec.seed =
        static_cast<std::uint32_t>(integer_argument("--seed", options.seed, 0, 0xFFFFFFFF));
  }
  for (const std::string& setting : options.settings) apply_setting(world.spec, setting);
  return world;
}

}  // namespace talus
