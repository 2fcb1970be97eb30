// What blocks are made of. A material is its place in a table; a scenario may append its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec.h"

namespace talus {

using MaterialId = std::uint16_t;

struct Material {
  std::string name;
  double density_kg_m3 = 1000;
  std::uint32_t srgb = 0xC0C0C0;  // 0xRRGGBB
  /// Of a bond, in pull or shear: what a hit has to exceed to break it.
  double strength_n_m2 = 1e6;
};

/// stone, bricks, planks, plaster, slate, copper.
std::vector<Material> default_materials();
/// The entry of that name.
std::optional<MaterialId> find_material(std::span<const Material> table, std::string_view name);
/// Linear red, green and blue, 0 to 1: what meshes carry (IEC 61966-2-1).
Vec3f linear_color(const Material& material);

}  // namespace talus
