// What stands at the top of an OBJ file, and beside it.
#pragma once

#include <string>

#include "core/vec.h"

namespace talus {

/// What readers that split at white space, or escape by #, take for one name.
std::string obj_name(std::string name);

/// The material file of an OBJ: same folder, same name but for the ending.
std::string obj_material_path(const std::string& path);

/// What is subtracted from world coordinates: 0 near the origin, where multiples of 1/1024 m are
/// exact even for readers that think in float; else the place of the first node.
Vec3 obj_shift(Vec3 first_origin);

/// Comments with the generator and the shift, and the reference to the material file.
std::string obj_head(const std::string& generator, Vec3 shift, const std::string& material_path);

}  // namespace talus
