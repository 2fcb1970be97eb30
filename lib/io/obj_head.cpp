#include "io/obj_head.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace talus {

std::string obj_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return c <= ' ' || c == 0x7F || c == '#' || c == '\\'; }, '_');
  return name;
}

std::string obj_material_path(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1;
  const std::string stem = path.substr(name, path.rfind('.') - name);
  return path.substr(0, name) + obj_name(stem) + ".mtl";
}

Vec3 obj_shift(Vec3 first_origin) {
  constexpr double kFarAway = 16384;
  const double reach =
      std::max({std::abs(first_origin.x), std::abs(first_origin.y), std::abs(first_origin.z)});
  return reach >= kFarAway ? first_origin : Vec3(0);
}

std::string obj_head(const std::string& generator, Vec3 shift, const std::string& material_path) {
  std::string head = fmt::format("# {}\n", obj_name(generator));
  head += "# metres, y up, counter-clockwise from outside\n";
  if (shift != Vec3(0)) {
    head += fmt::format("# positions are relative to the origin\n# origin {} {} {}\n", shift.x,
                        shift.y, shift.z);
  }
  return head + fmt::format("mtllib {}\n", material_path.substr(material_path.rfind('/') + 1));
}

}  // namespace talus
