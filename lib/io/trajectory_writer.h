// Trajectories as files, by the path's ending:
//
//   .json    one document: what ran, its bodies with a column a quantity, its events
//   .jsonl   one object a body and frame
//   .csv     one row a body and frame, with a header
//
// Only .json holds everything (trajectory_schema.h); the other two are for tables. Rows come by
// body, then time. Numbers print as the shortest text that reads back to the same bits; seeds are
// text, for they may not fit a double.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "io/trajectory_format.h"
#include "trajectory/trajectory.h"

namespace talus {

/// Throws Error for another ending, and where no such file can be written.
void check_trajectory_path(const std::string& path);

/// Writes the file whole or not at all. Throws Error for another ending (Trouble::Input), a number
/// that is not finite (Trouble::Simulation), and trouble with the file (Trouble::Output).
void write_trajectory(const Trajectory& trajectory, const std::string& path);

/// The same text, piece by piece. Numbers are looked at on the way: what came before one that is
/// not finite has been given out.
void write_trajectory(const Trajectory& trajectory, TrajectoryFormat format,
                      const std::function<void(std::string_view)>& write);

}  // namespace talus
