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
  return {{"stone", 2600, 0x9A9C8E},   {"bricks", 1900, 0xB5523B}, {"planks", 600, 0xB98A52},
          {"plaster", 1500, 0xD6DCC6}, {"slate", 2800, 0x4F4A63},  {"copper", 8900, 0xCF7A3F}};
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
