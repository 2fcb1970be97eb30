// What a trajectory says about its bodies, and about energy over time.
#pragma once

#include <optional>
#include <vector>

#include "trajectory/trajectory.h"

namespace talus {

struct BodySummary {
  std::optional<double> first_contact_s;
  std::optional<double> rest_s;  // since when it sleeps; none: it never came to rest, or moved on
  double path_m = 0;             // of the centre, frame to frame
  double top_speed_m_s = 0;      // of the centre, in any frame
  Vec3 final_position_m{0};      // in its last row; 0 where it has none
};

/// One for each body. Without events, rest is the first frame of its last sleep.
std::vector<BodySummary> summarize(const Trajectory& trajectory);

/// Energy of all bodies in a frame, joules. A body counts from its first row to its last, or to the
/// end where it sleeps. What stands has no body: energy grows as pieces break off.
struct FrameEnergy {
  double t_s = 0;
  double translational_j = 0;
  std::optional<double> rotational_j;  // none: the inertia of some body is not known
  std::optional<double> potential_j;   // over y = 0; none: gravity is not known
};
std::vector<FrameEnergy> energy_over_time(const Trajectory& trajectory);

}  // namespace talus
