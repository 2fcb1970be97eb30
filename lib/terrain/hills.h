// Preset `hills`: rolling ground, mountain ridges, overhangs, tunnel caves.
//
//   column  height  = base + hill * fbm(x, z) + mountain * m * ridge^3,  m: how mountainous, 0 to 1
//   point   d       = height - y + overhang noise * (1 + 9 m)
//           cave    = (distance of two noises from (0, 0) - radius) * slope, lifted near the
//           surface density = min(d, cave)
//
// A tunnel runs where two noises are both near zero: two surfaces meet in curves.
#pragma once

#include "terrain/noise.h"
#include "terrain/preset.h"

namespace talus {

/// Every number of the formula. Scales divide coordinates (metres); offsets are added after, in
/// noise units, so that the layers do not repeat one another.
struct HillsValues {
  double base_m = 12;
  double hill_height_m = 40;
  double hill_scale_m = 400;
  double hill_octaves = 5;
  double mountain_height_m = 150;
  double mountain_scale_m = 1500;
  double mountain_offset_x = 40;
  double mountain_offset_z = -70;
  double mountain_from = -0.1;
  double mountain_to = 0.4;
  double ridge_scale_m = 500;
  double ridge_offset_x = -20;
  double ridge_offset_z = 90;
  double ridge_octaves = 4;
  double ridge_sharpness = 1.6;
  double ridge_rounding = 0.15;
  double overhang_scale_x_m = 50;
  double overhang_scale_y_m = 35;
  double overhang_scale_z_m = 50;
  double overhang_m = 1;
  double overhang_mountain_m = 9;
  double cave_scale_x_m = 100;
  double cave_scale_y_m = 50;
  double cave_scale_z_m = 100;
  double cave_offset_x = 43.7;
  double cave_offset_y = -11.3;
  double cave_offset_z = 7.9;
  double cave_radius = 0.09;
  double cave_slope_m = 50;
  double cave_roof_m = 4;
  double cave_roof_slope = 0.6;
};

/// What a column of the terrain knows before any of its points is looked at.
struct HillsColumn {
  double mountainousness;  // 0 to 1
  double height;           // metres
  double overhang;         // metres that the overhang noise is scaled by
};

/// The formula, a point at a time.
class HillsFormula {
 public:
  HillsFormula(std::uint32_t seed, const HillsValues& values);
  HillsColumn column(double x, double z) const;
  double density(const HillsColumn& column, Vec3 point) const;

  const HillsValues& values() const { return values_; }
  const Simplex2& noise2() const { return noise2_; }
  const Simplex3& noise3() const { return noise3_; }

 private:
  // The stream gives the 2D permutation first, then the 3D one.
  HillsFormula(Mulberry32 random, const HillsValues& values)
      : values_(values), noise2_(draw_permutation(random)), noise3_(draw_permutation(random)) {}

  HillsValues values_;
  Simplex2 noise2_;
  Simplex3 noise3_;
};

}  // namespace talus
