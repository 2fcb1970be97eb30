#include "voxel/material.h"

#include <cmath>

namespace talus {

namespace {

float linear(std::uint32_t byte) {
  const double s = byte / 255.0;
  return static_cast<float>(s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4));
}

}  // namespace

std::vector<Material> default_materials() {
  // Strengths, each the least that the standard of such a material asks for, N/m2:
  //   stone    ASTM C568, high-density limestone: modulus of rupture 6.9 MPa
  //   bricks   EN 1996-1-1, table 3.4, clay units in mortar M2.5 to M9: shear of a joint 0.2 MPa
  //   planks   EN 338, class C24: pull across the grain 0.4 MPa
  //   plaster  EN 13279-1, gypsum building plaster: bending 1 MPa
  //   slate    ASTM C629, interior use, across the grain: modulus of rupture 49.6 MPa
  //   copper   EN 1652, Cu-ETP R220: pull 220 MPa
  return {{"stone", 2600, 0x9A9C8E, 6.9e6},  {"bricks", 1900, 0xB5523B, 0.2e6},
          {"planks", 600, 0xB98A52, 0.4e6},  {"plaster", 1500, 0xD6DCC6, 1e6},
          {"slate", 2800, 0x4F4A63, 49.6e6}, {"copper", 8900, 0xCF7A3F, 220e6}};
}

std::optional<MaterialId> find_material(std::span<const Material> table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return static_cast<MaterialId>(i);
  }
  return std::nullopt;
}

Vec3f linear_color(const Material& material) {
  return {linear(material.srgb >> 16 & 0xFF), linear(material.srgb >> 8 & 0xFF),
          linear(material.srgb & 0xFF)};
}

}  // namespace talus
