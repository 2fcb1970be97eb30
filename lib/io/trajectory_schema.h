// The trajectory format, for programs that check it.
#pragma once

#include <string>

namespace talus {

/// JSON Schema (draft 2020-12) of .json trajectories.
std::string trajectory_schema();

}  // namespace talus
