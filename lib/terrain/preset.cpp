#include "terrain/preset.h"

#include <cassert>

#include <fmt/format.h>

#include "terrain/parameters.h"
#include "terrain/presets.h"

namespace talus {

namespace {

struct PresetRow {
  const char* name;
  const char* summary;
  double density_kg_m3;
  std::shared_ptr<const Preset> (*make)(const TerrainSpec&);
  std::vector<ParameterInfo> (*parameters)();
};

constexpr PresetRow kPresets[] = {
    {"hills", "seeded hills and ridges with overhangs and tunnel caves", 2600, make_hills,
     hills_parameters},
    {"flat", "a level plain", 2000, make_flat, flat_parameters},
    {"slope", "a tilted plane", 2000, make_slope, slope_parameters},
    {"heightmap", "heights from a PNG or CSV file", 2000, make_heightmap, heightmap_parameters},
};

}  // namespace

void Preset::densities(const Lattice& lattice, std::span<double> out) const {
  assert(out.size() == lattice.count());
  auto at = out.begin();
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i) *at++ = density(lattice.position(i, j, k));
    }
  }
}

void Preset::surface_samples(const Lattice& lattice, Samples& into) const {
  std::vector<double> exact(lattice.count());
  densities(lattice, exact);
  into.lattice = lattice;
  into.density.resize(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) into.density[i] = density_to_float(exact[i]);
  find_solid(lattice.size, into.density, into.solid);
}

std::shared_ptr<const Preset> make_preset(const TerrainSpec& spec) {
  std::vector<std::string> names;
  for (const PresetRow& row : kPresets) {
    if (spec.preset == row.name) return row.make(spec);
    names.emplace_back(row.name);
  }
  throw Error(unknown_word("preset", spec.preset, names));
}

std::vector<PresetInfo> preset_table() {
  std::vector<PresetInfo> table;
  for (const PresetRow& row : kPresets)
    table.push_back({row.name, row.summary, row.density_kg_m3, row.parameters()});
  return table;
}

double ground_density(const std::string& preset) {
  for (const PresetRow& row : kPresets) {
    if (preset == row.name) return row.density_kg_m3;
  }
  return PresetInfo{}.density_kg_m3;
}

std::string out_of_range(const TerrainSpec& spec, const std::string& name, double least,
                         double most, double value) {
  return fmt::format("preset {}: {}: must be {} to {}, got {}", spec.preset, name, least, most,
                     value);
}

}  // namespace talus
