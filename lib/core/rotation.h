// Rotations: unit quaternions, and 3x3 matrices (glm: column-major, m[column][row]).
#pragma once

#include <cmath>

#include <glm/ext/quaternion_double.hpp>
#include <glm/mat3x3.hpp>

#include "core/vec.h"

namespace talus {

using Quat = glm::dquat;  // written x, y, z, w in files; constructed w, x, y, z
using Mat3 = glm::dmat3;

inline constexpr Quat kNoRotation{1, 0, 0, 0};

/// The matrix that turns as the unit quaternion does.
inline Mat3 rotation_matrix(const Quat& q) {
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return Mat3(Vec3(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)),
              Vec3(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)),
              Vec3(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)));
}

/// q scaled to length one.
inline Quat normalized(const Quat& q) {
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return Quat(q.w / length, q.x / length, q.y / length, q.z / length);
}

/// The rotation by a vector: about its direction, by its length in radians. Sums, products and
/// roots only, so the bits are the same everywhere.
Quat rotation_by(Vec3 turn);

}  // namespace talus
