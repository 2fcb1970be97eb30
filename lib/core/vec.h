// Vectors of the world: metres in double, mesh attributes in float, lattice points and cells in
// int. Right-handed, Y up (glTF's convention).
#pragma once

#include <glm/vec3.hpp>

namespace talus {

using Vec3 = glm::dvec3;
using Vec3f = glm::vec3;
using IVec3 = glm::ivec3;

}  // namespace talus
