#include "bake/height_file.h"

#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "core/error.h"
#include "io/height_csv.h"
#include "io/png.h"

namespace talus {

namespace {

// Without heights, and NaN where nothing is set: what is known before the file.
HeightGrid unplaced() {
  constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();
  HeightGrid grid;
  grid.origin_x = grid.origin_z = grid.spacing = kUnset;
  return grid;
}

HeightGrid read_png_heights(const std::string& path) {
  const GreyImage image = read_grey_png(path);
  HeightGrid grid;
  grid.columns = image.width;
  grid.rows = image.height;
  grid.heights.reserve(image.pixels.size());
  for (const std::uint16_t pixel : image.pixels) grid.heights.push_back(pixel / 65535.0);
  return grid;
}

HeightGrid read_heights(const std::string& path) {
  if (path.ends_with(".csv")) return read_height_csv(path);
  if (path.ends_with(".png")) return read_png_heights(path);
  throw Error(fmt::format("file {}: heights are read from .png and .csv", path));
}

}  // namespace

void load_heights(TerrainSpec& spec, const std::string& path) {
  if (spec.preset != "heightmap") {
    throw Error(
        fmt::format("file {}: preset {} takes no heights; heightmap does", path, spec.preset));
  }
  HeightGrid grid = read_heights(path);
  if (grid.columns < 2 || grid.rows < 2) {
    throw Error(fmt::format("{}: must hold at least 2 x 2 heights, has {} x {}", path, grid.columns,
                            grid.rows));
  }
  if (spec.heights) {
    const HeightGrid& placed = *spec.heights;
    if (!std::isnan(placed.spacing)) grid.spacing = placed.spacing;
    if (!std::isnan(placed.origin_x)) grid.origin_x = placed.origin_x;
    if (!std::isnan(placed.origin_z)) grid.origin_z = placed.origin_z;
  }
  spec.heights = std::make_shared<const HeightGrid>(std::move(grid));
}

bool place_heights(TerrainSpec& spec, const std::string& key, double value) {
  double HeightGrid::*member = nullptr;
  if (key == "spacing_m") member = &HeightGrid::spacing;
  if (key == "origin_x_m") member = &HeightGrid::origin_x;
  if (key == "origin_z_m") member = &HeightGrid::origin_z;
  if (!member) return false;
  const bool is_spacing = key == "spacing_m";
  if (!(std::abs(value) <= 1e9) || (is_spacing && value < 1e-6)) {
    throw Error(
        fmt::format("{}: must be {} to 1e9, got {}", key, is_spacing ? "1e-6" : "-1e9", value));
  }
  HeightGrid grid = spec.heights ? *spec.heights : unplaced();
  grid.*member = value;
  spec.heights = std::make_shared<const HeightGrid>(std::move(grid));
  return true;
}

}  // namespace talus
