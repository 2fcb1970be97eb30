// The options that name a terrain, the same for every verb.
#pragma once

#include <string>
#include <vector>

#include "bake/terrain_file.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace talus {

/// As typed; empty where not given.
struct WorldOptions {
  std::string preset;
  std::string seed;
  std::string file;
  std::vector<std::string> settings;  // "key=value"
};

void add_world_options(CLI::App& verb, WorldOptions& options);

/// What the options say: the file, if there is one, with --preset, --seed and --set over it. Throws
/// Error naming the option or the key.
TerrainFile read_world(const WorldOptions& options);

}  // namespace talus
