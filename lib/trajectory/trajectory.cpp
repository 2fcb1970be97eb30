#include "trajectory/trajectory.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>

#include <glm/geometric.hpp>

#include "core/hash.h"

namespace talus {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// The row of a frame, from a cursor that only moves on.
std::size_t row_of(const BodyTrack& track, std::int32_t frame, std::size_t& cursor) {
  while (cursor < track.rows() && track.frame[cursor] < frame) ++cursor;
  return cursor < track.rows() && track.frame[cursor] == frame ? cursor : kNone;
}

/// The angle of the turn from one to the other, radians. q and -q are the same rotation.
double angle_between(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double minus = 0, plus = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    minus += (a[i] - b[i]) * (a[i] - b[i]);
    plus += (a[i] + b[i]) * (a[i] + b[i]);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(minus, plus)) / 2));
}

struct Measured {
  const char* what;
  double difference;
  double allowed;
};

/// The first column of a row that differs by more than is allowed.
std::optional<Measured> first_column(const BodyState& a, const BodyState& b,
                                     const Tolerance& allowed) {
  const Measured columns[] = {
      {"position", glm::distance(a.position_m, b.position_m), allowed.position_m},
      {"rotation", angle_between(a.rotation_xyzw, b.rotation_xyzw), allowed.rotation_rad},
      {"linear velocity", glm::distance(a.linear_velocity_m_s, b.linear_velocity_m_s),
       allowed.linear_velocity_m_s},
      {"angular velocity", glm::distance(a.angular_velocity_rad_s, b.angular_velocity_rad_s),
       allowed.angular_velocity_rad_s},
      {"asleep", a.asleep == b.asleep ? 0.0 : 1.0, 0},
  };
  for (const Measured& column : columns) {
    // Written so that a difference that is not a number counts.
    if (!(column.difference <= column.allowed)) return column;
  }
  return std::nullopt;
}

void add(Hash64& hash, const BodyTrack& track) {
  hash.add(track.id).add(track.born_s).add(track.mass_kg).add(track.rows());
  hash.add(std::span(track.frame)).add(std::span(track.position_m));
  hash.add(std::span(track.rotation_xyzw)).add(std::span(track.linear_velocity_m_s));
  hash.add(std::span(track.angular_velocity_rad_s)).add(std::span(track.asleep));
}

}  // namespace

std::int32_t add_frame(Trajectory& trajectory, double t_s) {
  assert(trajectory.t_s.empty() || t_s > trajectory.t_s.back());
  trajectory.t_s.push_back(t_s);
  return static_cast<std::int32_t>(trajectory.t_s.size() - 1);
}

void append(Trajectory& trajectory, std::size_t body, const BodyState& state) {
  BodyTrack& track = trajectory.bodies[body];
  const auto frame = static_cast<std::int32_t>(trajectory.t_s.size()) - 1;
  assert(frame >= 0 && (track.frame.empty() || track.frame.back() < frame));
  track.frame.push_back(frame);
  track.position_m.push_back(state.position_m);
  track.rotation_xyzw.push_back(state.rotation_xyzw);
  track.linear_velocity_m_s.push_back(state.linear_velocity_m_s);
  track.angular_velocity_rad_s.push_back(state.angular_velocity_rad_s);
  track.asleep.push_back(state.asleep ? 1 : 0);
}

BodyState state_at(const BodyTrack& track, std::size_t row) {
  return {track.position_m[row], track.rotation_xyzw[row], track.linear_velocity_m_s[row],
          track.angular_velocity_rad_s[row], track.asleep[row] != 0};
}

std::optional<Parting> first_parting(const Trajectory& a, const Trajectory& b,
                                     const Tolerance& tolerance) {
  const std::size_t frames = std::min(a.t_s.size(), b.t_s.size());
  const std::size_t bodies = std::min(a.bodies.size(), b.bodies.size());
  std::vector<std::size_t> cursor_a(bodies), cursor_b(bodies);
  for (std::size_t f = 0; f < frames; ++f) {
    const auto frame = static_cast<std::int32_t>(f);
    if (a.t_s[f] != b.t_s[f]) return Parting{"frame", frame, a.t_s[f], 0, b.t_s[f] - a.t_s[f]};
    for (std::size_t body = 0; body < bodies; ++body) {
      const std::size_t row_a = row_of(a.bodies[body], frame, cursor_a[body]);
      const std::size_t row_b = row_of(b.bodies[body], frame, cursor_b[body]);
      if (row_a == kNone && row_b == kNone) continue;
      if (row_a == kNone || row_b == kNone) return Parting{"rows", frame, a.t_s[f], body, 0};
      const auto column =
          first_column(state_at(a.bodies[body], row_a), state_at(b.bodies[body], row_b), tolerance);
      if (column) return Parting{column->what, frame, a.t_s[f], body, column->difference};
    }
    for (const Trajectory* more : {&a, &b}) {
      for (std::size_t body = bodies; body < more->bodies.size(); ++body) {
        const auto& rows = more->bodies[body].frame;
        if (!rows.empty() && rows.front() <= frame) return Parting{"bodies", frame, a.t_s[f], body};
      }
    }
  }
  if (a.t_s.size() != b.t_s.size()) {
    const Trajectory& longer = a.t_s.size() > b.t_s.size() ? a : b;
    return Parting{"frame", static_cast<std::int32_t>(frames), longer.t_s[frames]};
  }
  if (a.bodies.size() != b.bodies.size()) {
    return Parting{"bodies", static_cast<std::int32_t>(frames), 0, bodies};
  }
  return std::nullopt;
}

std::uint64_t hash(const Trajectory& trajectory) {
  Hash64 hash;
  hash.add(trajectory.step_s).add(trajectory.t_s.size()).add(std::span(trajectory.t_s));
  hash.add(trajectory.bodies.size());
  for (const BodyTrack& track : trajectory.bodies) add(hash, track);
  hash.add(trajectory.events.size());
  for (const TrajectoryEvent& event : trajectory.events) {
    hash.bytes(event.kind.data(), event.kind.size());
    hash.add(event.t_s).add(event.body).add(event.position_m).add(event.speed_m_s);
  }
  return hash.value();
}

}  // namespace talus
