// What the readers of the single formats share; for trajectory_reader.cpp.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "trajectory/trajectory.h"

namespace talus {

/// Numbers of a row in the order of the columns in files: position, rotation x y z w, linear and
/// angular velocity.
using RowNumbers = std::array<double, 13>;
inline constexpr std::array<const char*, 13> kRowColumns = {
    "x_m",    "y_m",    "z_m",    "qx",       "qy",       "qz",      "qw",
    "vx_m_s", "vy_m_s", "vz_m_s", "wx_rad_s", "wy_rad_s", "wz_rad_s"};
BodyState state_of(const RowNumbers& numbers, bool asleep);

Trajectory parse_trajectory_document(std::string_view text, const std::string& file);
Trajectory parse_trajectory_lines(std::string_view text, const std::string& file);
Trajectory parse_trajectory_csv(std::string_view text, const std::string& file);

}  // namespace talus
