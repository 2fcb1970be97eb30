// Where every body was, frame by frame: what a run leaves behind, and what two runs are compared
// by.
//
// A body's rows are columns of equal length. Rows follow the frames; a body has none before it was
// born, none after it was lost, and may leave out frames in which it did not move.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace talus {

/// The columns of one body. SI units, world axes.
struct BodyTrack {
  int id = 0;
  std::string name;
  double born_s = 0;
  double mass_kg = 0;
  std::vector<std::pair<std::string, std::int64_t>> blocks_by_material;  // without zeros
  Vec3 center_m{0};  // of mass, in the frame of the body's grid: world = position + q (p - centre)
  /// xx, yy, zz, xy, xz, yz of the tensor about the centre, in the body's frame; none: not known.
  std::optional<std::array<double, 6>> inertia_kg_m2;
  std::optional<double> radius_m;  // of a ball, and of the two balls that are a walker
  std::optional<double> height_m;  // of a walker
  std::optional<int> split_from;   // the body that it was a part of

  std::vector<std::int32_t> frame;  // rising
  std::vector<Vec3> position_m;     // of the centre of mass
  std::vector<std::array<double, 4>> rotation_xyzw;
  std::vector<Vec3> linear_velocity_m_s;
  std::vector<Vec3> angular_velocity_rad_s;
  std::vector<std::uint8_t> asleep;

  std::size_t rows() const { return frame.size(); }
};

struct TrajectoryEvent {
  std::string kind;  // "broke off", "first contact", "hit", "rested", "woke", "splashed", "floats",
                     // "lost", "split", "crushed"
  double t_s = 0;
  int body = 0;
  Vec3 position_m{0};
  double speed_m_s = 0;  // of a contact; 0 for the others
};

struct Trajectory {
  std::string scenario;       // its name
  std::string scenario_hash;  // of its content
  std::uint64_t seed = 0;
  double step_s = 0;
  std::optional<double> gravity_m_s2;  // downward; none: not known
  std::vector<double> t_s;             // of each frame
  std::vector<BodyTrack> bodies;
  std::vector<TrajectoryEvent> events;
};

/// One row.
struct BodyState {
  Vec3 position_m{0};
  std::array<double, 4> rotation_xyzw{0, 0, 0, 1};
  Vec3 linear_velocity_m_s{0};
  Vec3 angular_velocity_rad_s{0};
  bool asleep = false;

  bool operator==(const BodyState&) const = default;
};

/// Starts a frame at a time later than the last one; rows are added to it. Returns its number.
std::int32_t add_frame(Trajectory& trajectory, double t_s);
/// Adds a row for the body (an index of `bodies`) to the last frame.
void append(Trajectory& trajectory, std::size_t body, const BodyState& state);
BodyState state_at(const BodyTrack& track, std::size_t row);

/// What may differ before two trajectories count as parted.
struct Tolerance {
  double position_m = 0;
  double rotation_rad = 0;
  double linear_velocity_m_s = 0;
  double angular_velocity_rad_s = 0;
};

/// Where two trajectories part, and by how much.
struct Parting {
  /// frame: the frames differ in time or number; bodies: one has more bodies; rows: a body has a
  /// row in one only; position, rotation, linear velocity, angular velocity, asleep: that column.
  std::string what;
  std::int32_t frame = 0;
  double t_s = 0;
  std::size_t body = 0;   // its index
  double difference = 0;  // in the column's unit; 0 where nothing is measured
};

/// The first difference over the tolerance, by frame, then body, then column in the order above;
/// none: they agree. Both may come from files: nothing is taken on trust but that columns are of
/// equal length. Cost: all rows.
std::optional<Parting> first_parting(const Trajectory& a, const Trajectory& b,
                                     const Tolerance& tolerance = {});

/// A fingerprint of all times, rows and events: equal for equal bits, whatever the names.
std::uint64_t hash(const Trajectory& trajectory);

}  // namespace talus
