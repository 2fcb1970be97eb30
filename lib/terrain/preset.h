// A terrain: a density for every point of the world, from a seed and a few parameters.
//
// Positive in rock and soil, negative in air, zero on the surface; roughly metres near it.
// A preset is one class; adding one takes its file and a row of the table in preset.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/vec.h"
#include "voxel/height_grid.h"
#include "voxel/samples.h"

namespace talus {

class Preset {
 public:
  virtual ~Preset() = default;

  /// The density at a point (metres), one point at a time: the definition, and the oracle of the
  /// rest.
  virtual double density(Vec3 point) const = 0;
  /// The height of the ground over (x, z), metres, before overhangs and caves.
  virtual double height(double x, double z) const = 0;
  /// The farthest that ground is from height(), up or down, metres; caves may be deeper.
  virtual double overhang() const { return 0; }

  /// The density at every point of the lattice, in its order; the same bits as density().
  virtual void densities(const Lattice& lattice, std::span<double> out) const;
  /// The samples of the lattice as meshers need them (see Samples): the same solid bits and, where
  /// a mesher reads, the same values as densities(). A preset that can prove where no surface is
  /// skips it; `into` keeps its memory from call to call.
  virtual void surface_samples(const Lattice& lattice, Samples& into) const;
};

/// What names a terrain: `talus mesh --preset hills --seed 7 --set cave_radius=0.12`.
struct TerrainSpec {
  std::string preset = "hills";
  std::uint32_t seed = 20261114;
  /// Parameters that differ from the preset's defaults, by name.
  std::vector<std::pair<std::string, double>> parameters;
  /// The heights of preset `heightmap`; the other presets take none.
  std::shared_ptr<const HeightGrid> heights;
};

/// Makes the preset. Throws Error for an unknown preset or parameter (with the nearest known name),
/// and for a value outside its range.
std::shared_ptr<const Preset> make_preset(const TerrainSpec& spec);

/// One parameter of a preset; the unit stands at the end of its name (_m, _deg).
struct ParameterInfo {
  std::string name;
  double default_value;
  double least, most;
  std::string meaning;
};
struct PresetInfo {
  std::string name;
  std::string summary;
  double density_kg_m3 = 2600;  // of its ground
  std::vector<ParameterInfo> parameters;
};
/// Every preset with its parameters, the default preset first.
std::vector<PresetInfo> preset_table();
/// The density of a preset's ground, kg/m3.
double ground_density(const std::string& preset);

}  // namespace talus
