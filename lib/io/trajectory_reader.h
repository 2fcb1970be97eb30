// Trajectories from files, as trajectory_writer.h writes them; columns and keys may come in any
// order, and others beside them.
//
// A .json document gives everything back to the bit. Rows (.jsonl, .csv) know nothing of the run's
// hash, seed, step and gravity, nor of a body's blocks, centre and inertia; nor of frames without
// any row, whose times are put evenly between their neighbours'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/trajectory_format.h"
#include "trajectory/trajectory.h"

namespace talus {

inline constexpr std::uint64_t kLongestTrajectory = std::uint64_t{1} << 30;  // bytes of a file

/// By the path's ending, or by the text's beginning where that says nothing.
TrajectoryFormat trajectory_format(const std::string& path, std::string_view text);

/// Throws Error with "file:line: ..." or "file: /path/in/the/document: ..." for whatever is broken.
/// What is returned is sound: columns of equal length, frames that rise and exist, times that rise,
/// finite numbers, ids that rise, events of known bodies. Cost: linear in the text.
Trajectory parse_trajectory(std::string_view text, const std::string& file,
                            TrajectoryFormat format);

/// The same from a file; "-" is standard input.
Trajectory read_trajectory(const std::string& path);

}  // namespace talus
