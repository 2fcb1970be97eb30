// `talus inspect` where it is given trajectories.
#pragma once

#include <string>
#include <vector>

#include "shell.h"

namespace talus {

/// Whether the path's ending is that of a trajectory; so is "-", standard input.
bool names_trajectory(const std::string& path);

struct TrajectoryView {
  std::string file;
  std::string output;   // converted to this file; empty: not
  bool energy = false;  // over time as CSV instead of the table
  bool json = false;
};

/// Gives the exit code.
int inspect_trajectory(const Shell& shell, const TrajectoryView& view);

}  // namespace talus
