// Ground from a grid of heights, blended between the four posts around a point; past the last post
// the border's height goes on.
#include <algorithm>
#include <cmath>

#include "terrain/parameters.h"
#include "terrain/presets.h"

namespace talus {

namespace {

struct HeightmapValues {
  double scale_m = 1;
  double offset_m = 0;
};
constexpr ParameterRow<HeightmapValues> kRows[] = {
    {"scale_m", &HeightmapValues::scale_m, -1e6, 1e6, "metres for one unit of the file's heights"},
    {"offset_m", &HeightmapValues::offset_m, -1e6, 1e6, "height of a zero in the file"},
};

class Heightmap : public Preset {
 public:
  Heightmap(std::shared_ptr<const HeightGrid> grid, const HeightmapValues& values)
      : grid_(std::move(grid)), values_(values) {}

  double height(double x, double z) const override {
    const HeightGrid& grid = *grid_;
    const double u = std::clamp((x - grid.origin_x) / grid.spacing, 0.0, grid.columns - 1.0);
    const double v = std::clamp((z - grid.origin_z) / grid.spacing, 0.0, grid.rows - 1.0);
    const int i = std::min(static_cast<int>(u), grid.columns - 2);
    const int k = std::min(static_cast<int>(v), grid.rows - 2);
    const double s = u - i, t = v - k;
    const double* near = grid.heights.data() + i + static_cast<std::ptrdiff_t>(grid.columns) * k;
    const double* far = near + grid.columns;
    const double blend =
        (near[0] * (1 - s) + near[1] * s) * (1 - t) + (far[0] * (1 - s) + far[1] * s) * t;
    return values_.offset_m + values_.scale_m * blend;
  }
  double density(Vec3 p) const override { return height(p.x, p.z) - p.y; }

 private:
  std::shared_ptr<const HeightGrid> grid_;
  HeightmapValues values_;
};

}  // namespace

std::shared_ptr<const Preset> make_heightmap(const TerrainSpec& spec) {
  const auto values = read_parameters<HeightmapValues>(spec, kRows);
  if (!spec.heights || spec.heights->columns < 2 || spec.heights->rows < 2) {
    throw Error("preset heightmap: needs a file of at least 2 x 2 heights: --set file=heights.png");
  }
  return std::make_shared<Heightmap>(spec.heights, values);
}

std::vector<ParameterInfo> heightmap_parameters() {
  return describe<HeightmapValues>(kRows);
}

}  // namespace talus
