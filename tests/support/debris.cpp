#include "support/debris.h"

#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/random.h"
#include "voxel/height_grid.h"

namespace talus {

namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::stringstream text(line);
    std::vector<std::string> row;
    for (std::string field; std::getline(text, field, ',');) row.push_back(field);
    rows.push_back(row);
  }
  return rows;
}

Block cell(int x, int y) {
  return {{x, y, 0}, 1, 0, {}};
}

std::vector<Block> blocks_of(const std::string& shape) {
  if (shape == "cube") return {{{0, 0, 0}, 2, 0, {}}};
  std::vector<Block> blocks;
  const auto fill = [&](int x0, int x1, int y0, int y1) {
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) blocks.push_back(cell(x, y));
    }
  };
  if (shape == "L") {
    fill(0, 1, 0, 4);
    fill(2, 4, 0, 1);
  } else {
    fill(0, 5, 3, 4);
    fill(2, 3, 1, 2);
  }
  return blocks;
}

/// A uniform random rotation (Shoemake, 1992).
Quat random_rotation(Mulberry32& random) {
  constexpr double kTau = 6.283185307179586;
  const double u = random.next(), v = random.next() * kTau, w = random.next() * kTau;
  const double a = std::sqrt(1 - u), b = std::sqrt(u);
  return Quat(b * std::cos(w), a * std::sin(v), a * std::cos(v), b * std::sin(w));
}

}  // namespace

std::vector<DebrisBody> debris_bodies(Debris scene, const std::string& folder, std::uint32_t seed) {
  std::vector<DebrisBody> bodies;
  Mulberry32 random(seed);
  const std::string name = scene == Debris::Cubes ? "/cubes.csv" : "/pieces.csv";
  for (const auto& row : rows_of(folder + name)) {
    const auto number = [&](std::size_t i) { return std::stod(row.at(i)); };
    DebrisBody body;
    body.blocks = blocks_of(row.at(1));
    double cells = 0;
    for (const Block& b : body.blocks) {
      const double n = b.size * b.size * b.size;
      body.center += n * b.middle();
      cells += n;
    }
    body.center /= cells;
    body.orientation = normalized(Quat(number(8), number(5), number(6), number(7)));
    if (seed != 0) body.orientation = random_rotation(random);
    const Vec3 given(number(2), number(3), number(4));
    const Vec3 anchor = scene == Debris::Cubes ? body.center : Vec3(1.25, 1.25, 0.25);
    body.position = given + rotation_matrix(body.orientation) * (body.center - anchor);
    bodies.push_back(body);
  }
  return bodies;
}

Terrain debris_ground(const std::string& folder) {
  auto grid = std::make_shared<HeightGrid>();
  grid->origin_x = grid->origin_z = -32;
  grid->columns = grid->rows = 65;
  grid->heights.resize(65 * 65);
  for (const auto& row : rows_of(folder + "/ground.csv")) {
    const auto i = static_cast<std::size_t>(std::lround(std::stod(row.at(0)) + 32));
    const auto k = static_cast<std::size_t>(std::lround(std::stod(row.at(1)) + 32));
    grid->heights[i + 65 * k] = std::stod(row.at(2));
  }
  TerrainSpec spec;
  spec.preset = "heightmap";
  spec.heights = grid;
  return {make_preset(spec), {}};
}

std::unique_ptr<World> make_debris(Debris scene, const std::string& folder, std::uint32_t seed,
                                   std::unique_ptr<Solver> solver) {
  WorldSettings settings;
  settings.step_s = 1.0 / 60;
  auto world = std::make_unique<World>(Solids{Field(debris_ground(folder)), {}},
                                       std::vector<Material>{{"rock", 1000, 0x808080}},
                                       std::move(solver), settings);
  for (const DebrisBody& body : debris_bodies(scene, folder, seed)) {
    world->move_body(world->add_piece(body.blocks, Vec3(0), Vec3(0)), body.position,
                     body.orientation);
  }
  return world;
}

}  // namespace talus
