#include "trajectory/summary.h"

#include <algorithm>
#include <cstddef>

#include <glm/geometric.hpp>

#include "core/rotation.h"

namespace talus {

namespace {

BodySummary summarize(const Trajectory& t, const BodyTrack& track) {
  BodySummary s;
  for (std::size_t row = 0; row < track.rows(); ++row) {
    s.top_speed_m_s = std::max(s.top_speed_m_s, glm::length(track.linear_velocity_m_s[row]));
    if (row > 0) s.path_m += glm::distance(track.position_m[row - 1], track.position_m[row]);
    const bool falls_asleep = track.asleep[row] && (row == 0 || !track.asleep[row - 1]);
    if (falls_asleep) s.rest_s = t.t_s[static_cast<std::size_t>(track.frame[row])];
    if (!track.asleep[row]) s.rest_s.reset();
  }
  if (track.rows() > 0) s.final_position_m = track.position_m.back();
  return s;
}

double rotational_energy(const BodyTrack& track, std::size_t row) {
  const auto& q = track.rotation_xyzw[row];
  const Mat3 axes = rotation_matrix(Quat(q[3], q[0], q[1], q[2]));
  const Vec3 w = track.angular_velocity_rad_s[row];
  const Vec3 own(glm::dot(axes[0], w), glm::dot(axes[1], w), glm::dot(axes[2], w));
  const auto& [xx, yy, zz, xy, xz, yz] = *track.inertia_kg_m2;
  return 0.5 * (xx * own.x * own.x + yy * own.y * own.y + zz * own.z * own.z) + xy * own.x * own.y +
         xz * own.x * own.z + yz * own.y * own.z;
}

void add_row(const Trajectory& t, const BodyTrack& track, std::size_t row, FrameEnergy& energy) {
  const Vec3 v = track.linear_velocity_m_s[row];
  energy.translational_j += 0.5 * track.mass_kg * glm::dot(v, v);
  if (energy.rotational_j) *energy.rotational_j += rotational_energy(track, row);
  if (energy.potential_j) {
    *energy.potential_j += track.mass_kg * *t.gravity_m_s2 * track.position_m[row].y;
  }
}

}  // namespace

std::vector<BodySummary> summarize(const Trajectory& trajectory) {
  std::vector<BodySummary> all;
  for (const BodyTrack& track : trajectory.bodies) all.push_back(summarize(trajectory, track));
  const auto of = [&](int id) {
    return static_cast<std::size_t>(
        std::find_if(trajectory.bodies.begin(), trajectory.bodies.end(),
                     [id](const BodyTrack& track) { return track.id == id; }) -
        trajectory.bodies.begin());
  };
  for (const TrajectoryEvent& event : trajectory.events) {
    const std::size_t i = of(event.body);
    if (i == all.size()) continue;
    if (event.kind == "first contact") all[i].first_contact_s = event.t_s;
    // Exact, where the frames only say between which two of them it was.
    if (event.kind == "rested" && all[i].rest_s) all[i].rest_s = event.t_s;
  }
  return all;
}

std::vector<FrameEnergy> energy_over_time(const Trajectory& t) {
  FrameEnergy nothing;
  const bool inertia = std::all_of(t.bodies.begin(), t.bodies.end(), [](const BodyTrack& track) {
    return track.inertia_kg_m2.has_value();
  });
  if (inertia) nothing.rotational_j = 0;
  if (t.gravity_m_s2) nothing.potential_j = 0;
  std::vector<FrameEnergy> frames(t.t_s.size(), nothing);
  for (std::size_t f = 0; f < frames.size(); ++f) frames[f].t_s = t.t_s[f];
  for (const BodyTrack& track : t.bodies) {
    for (std::size_t row = 0; row < track.rows(); ++row) {
      const auto begin = static_cast<std::size_t>(track.frame[row]);
      std::size_t end = begin + 1;
      if (track.asleep[row]) {
        end =
            row + 1 < track.rows() ? static_cast<std::size_t>(track.frame[row + 1]) : frames.size();
      }
      for (std::size_t f = begin; f < end; ++f) add_row(t, track, row, frames[f]);
    }
  }
  return frames;
}

}  // namespace talus
