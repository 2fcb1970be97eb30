#include "terrain/hills.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "terrain/hills_sampler.h"
#include "terrain/parameters.h"
#include "terrain/presets.h"

namespace talus {

namespace {

using Row = ParameterRow<HillsValues>;
constexpr Row kRows[] = {
    {"base_m", &HillsValues::base_m, -1e6, 1e6, "height of the ground where every noise is 0"},
    {"hill_height_m", &HillsValues::hill_height_m, 0, 1e4, "height of the hills"},
    {"hill_scale_m", &HillsValues::hill_scale_m, 1, 1e6, "width of the hills"},
    {"hill_octaves", &HillsValues::hill_octaves, 1, 12, "layers of ever smaller hills"},
    {"mountain_height_m", &HillsValues::mountain_height_m, 0, 1e4, "height of the ridges"},
    {"mountain_scale_m", &HillsValues::mountain_scale_m, 1, 1e6, "width of the mountain regions"},
    {"mountain_offset_x", &HillsValues::mountain_offset_x, -1e6, 1e6, "shift of their noise"},
    {"mountain_offset_z", &HillsValues::mountain_offset_z, -1e6, 1e6, "shift of their noise"},
    {"mountain_from", &HillsValues::mountain_from, -2, 2, "noise at which mountains begin"},
    {"mountain_to", &HillsValues::mountain_to, -2, 2, "noise at which they stand in full"},
    {"ridge_scale_m", &HillsValues::ridge_scale_m, 1, 1e6, "distance of the ridges"},
    {"ridge_offset_x", &HillsValues::ridge_offset_x, -1e6, 1e6, "shift of their noise"},
    {"ridge_offset_z", &HillsValues::ridge_offset_z, -1e6, 1e6, "shift of their noise"},
    {"ridge_octaves", &HillsValues::ridge_octaves, 1, 12, "layers of ever smaller ridges"},
    {"ridge_sharpness", &HillsValues::ridge_sharpness, 0, 100, "steepness of their flanks"},
    {"ridge_rounding", &HillsValues::ridge_rounding, 0, 1, "roundness of their crests"},
    {"overhang_scale_x_m", &HillsValues::overhang_scale_x_m, 1, 1e6, "size of the overhangs"},
    {"overhang_scale_y_m", &HillsValues::overhang_scale_y_m, 1, 1e6, "size of the overhangs"},
    {"overhang_scale_z_m", &HillsValues::overhang_scale_z_m, 1, 1e6, "size of the overhangs"},
    {"overhang_m", &HillsValues::overhang_m, 0, 1e3, "how far they reach on plains"},
    {"overhang_mountain_m", &HillsValues::overhang_mountain_m, 0, 1e3, "and more on mountains"},
    {"cave_scale_x_m", &HillsValues::cave_scale_x_m, 1, 1e6, "distance of the tunnels"},
    {"cave_scale_y_m", &HillsValues::cave_scale_y_m, 1, 1e6, "distance of the tunnels"},
    {"cave_scale_z_m", &HillsValues::cave_scale_z_m, 1, 1e6, "distance of the tunnels"},
    {"cave_offset_x", &HillsValues::cave_offset_x, -1e6, 1e6, "shift of their second noise"},
    {"cave_offset_y", &HillsValues::cave_offset_y, -1e6, 1e6, "shift of their second noise"},
    {"cave_offset_z", &HillsValues::cave_offset_z, -1e6, 1e6, "shift of their second noise"},
    {"cave_radius", &HillsValues::cave_radius, 0, 1, "width of the tunnels, in noise units"},
    {"cave_slope_m", &HillsValues::cave_slope_m, 0.1, 1e4,
     "metres for a noise unit at their walls"},
    {"cave_roof_m", &HillsValues::cave_roof_m, 0, 1e3, "depth under ground where they narrow"},
    {"cave_roof_slope", &HillsValues::cave_roof_slope, 0, 1e3, "how fast they narrow there"},
};

double fbm(const Simplex2& noise, double x, double z, int octaves) {
  double sum = 0;
  for (int o = 0; o < octaves; ++o) {
    const double frequency = std::ldexp(1.0, o);
    sum += noise(x * frequency, z * frequency) / (2 * frequency);
  }
  return sum;
}

double smoothstep(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

HillsFormula::HillsFormula(std::uint32_t seed, const HillsValues& values)
    : HillsFormula(Mulberry32(seed), values) {}

HillsColumn HillsFormula::column(double x, double z) const {
  const HillsValues& v = values_;
  const double m = smoothstep(v.mountain_from, v.mountain_to,
                              noise2_(x / v.mountain_scale_m + v.mountain_offset_x,
                                      z / v.mountain_scale_m + v.mountain_offset_z));
  const double f = v.ridge_sharpness * fbm(noise2_, x / v.ridge_scale_m + v.ridge_offset_x,
                                           z / v.ridge_scale_m + v.ridge_offset_z,
                                           static_cast<int>(v.ridge_octaves));
  const double ridge = std::max(0.0, 1 - std::sqrt(f * f + v.ridge_rounding * v.ridge_rounding));
  const double hills =
      fbm(noise2_, x / v.hill_scale_m, z / v.hill_scale_m, static_cast<int>(v.hill_octaves));
  const double height =
      v.base_m + v.hill_height_m * hills + v.mountain_height_m * m * (ridge * ridge * ridge);
  return {m, height, v.overhang_m + v.overhang_mountain_m * m};
}

double HillsFormula::density(const HillsColumn& column, Vec3 p) const {
  const HillsValues& v = values_;
  const double overhang =
      noise3_(p.x / v.overhang_scale_x_m, p.y / v.overhang_scale_y_m, p.z / v.overhang_scale_z_m);
  const double d = column.height - p.y + overhang * column.overhang;
  const double x = p.x / v.cave_scale_x_m, y = p.y / v.cave_scale_y_m, z = p.z / v.cave_scale_z_m;
  const double a = noise3_(x, y, z);
  const double b = noise3_(x + v.cave_offset_x, y + v.cave_offset_y, z + v.cave_offset_z);
  const double cave = (std::sqrt(a * a + b * b) - v.cave_radius) * v.cave_slope_m +
                      v.cave_roof_slope * std::max(0.0, v.cave_roof_m - d);
  return std::min(d, cave);
}

namespace {

class Hills : public Preset {
 public:
  explicit Hills(const HillsFormula& formula) : formula_(formula) {}
  double height(double x, double z) const override { return formula_.column(x, z).height; }
  double overhang() const override {
    return formula_.values().overhang_m + formula_.values().overhang_mountain_m;
  }
  double density(Vec3 p) const override { return formula_.density(formula_.column(p.x, p.z), p); }
  void densities(const Lattice& lattice, std::span<double> out) const override {
    hills_dense(formula_, lattice, out);
  }
  void surface_samples(const Lattice& lattice, Samples& into) const override {
    hills_surface(formula_, id_, lattice, into);
  }

 private:
  static std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
  }

  HillsFormula formula_;
  std::uint64_t id_ = next_id();
};

}  // namespace

std::shared_ptr<const Preset> make_hills(const TerrainSpec& spec) {
  const auto values = read_parameters<HillsValues>(spec, kRows);
  if (values.mountain_from >= values.mountain_to) {
    throw Error("preset hills: mountain_from must be less than mountain_to");
  }
  return std::make_shared<Hills>(HillsFormula(spec.seed, values));
}

std::vector<ParameterInfo> hills_parameters() {
  return describe<HillsValues>(kRows);
}

}  // namespace talus
