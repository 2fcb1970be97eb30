// The two plane presets: ground that can be checked by hand.
#include <cmath>
#include <numbers>

#include "terrain/parameters.h"
#include "terrain/presets.h"

namespace talus {

namespace {

struct FlatValues {
  double level_m = 0;
};
constexpr ParameterRow<FlatValues> kFlatRows[] = {
    {"level_m", &FlatValues::level_m, -1e6, 1e6, "height of the plain"},
};

struct SlopeValues {
  double rise_x_deg = 20;
  double rise_z_deg = 0;
  double level_m = 0;
};
constexpr ParameterRow<SlopeValues> kSlopeRows[] = {
    {"rise_x_deg", &SlopeValues::rise_x_deg, -80, 80, "angle at which the ground rises along x"},
    {"rise_z_deg", &SlopeValues::rise_z_deg, -80, 80, "angle at which the ground rises along z"},
    {"level_m", &SlopeValues::level_m, -1e6, 1e6, "height at x = z = 0"},
};

class Plane : public Preset {
 public:
  Plane(double rise_x, double rise_z, double level)
      : rise_x_(rise_x), rise_z_(rise_z), level_(level) {}
  double height(double x, double z) const override { return rise_x_ * x + rise_z_ * z + level_; }
  double density(Vec3 p) const override { return height(p.x, p.z) - p.y; }

 private:
  double rise_x_, rise_z_, level_;
};

double tangent(double degrees) {
  return std::tan(degrees * std::numbers::pi / 180);
}

}  // namespace

std::shared_ptr<const Preset> make_flat(const TerrainSpec& spec) {
  const auto values = read_parameters<FlatValues>(spec, kFlatRows);
  return std::make_shared<Plane>(0.0, 0.0, values.level_m);
}

std::shared_ptr<const Preset> make_slope(const TerrainSpec& spec) {
  const auto values = read_parameters<SlopeValues>(spec, kSlopeRows);
  return std::make_shared<Plane>(tangent(values.rise_x_deg), tangent(values.rise_z_deg),
                                 values.level_m);
}

std::vector<ParameterInfo> flat_parameters() {
  return describe<FlatValues>(kFlatRows);
}
std::vector<ParameterInfo> slope_parameters() {
  return describe<SlopeValues>(kSlopeRows);
}

}  // namespace talus
