// How trajectories stand in files; what is in each: trajectory_writer.h.
#pragma once

namespace talus {

enum class TrajectoryFormat { Json, JsonLines, Csv };

}  // namespace talus
