// `talus query ray|box|nearest`: what a ray meets, what a box overlaps, what is nearest; in a
// terrain, a scenario at a time, or a mesh file.
#pragma once

#include <string>

#include "query_rows.h"
#include "world_options.h"

namespace talus {

/// As typed; empty where not given.
struct SolidsOptions {
  WorldOptions world;
  std::string mesh, scenario, scenario_case, at;
  std::string reach;
  bool all = false;
};

Question ask_ray(const SolidsOptions& options);
Question ask_box(const SolidsOptions& options);
/// `default_reach`: metres, where --reach is not given.
Question ask_nearest_of(const SolidsOptions& options);

}  // namespace talus
