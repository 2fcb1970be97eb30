#include "physics/ridge_contact.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "collision/ground_patch.h"
#include "physics/world.h"
#include "voxel/height_grid.h"

namespace talus {
namespace {

constexpr int kSide = 40, kPeriod = 4;

/// A washboard: crests along x at every fourth z, with slopes of 45 degrees between.
Terrain washboard() {
  auto grid = std::make_shared<HeightGrid>();
  grid->columns = grid->rows = kSide + 1;
  for (int z = 0; z <= kSide; ++z) {
    for (int x = 0; x <= kSide; ++x) grid->heights.push_back(std::abs(z % kPeriod - kPeriod / 2));
  }
  TerrainSpec spec;
  spec.preset = "heightmap";
  spec.heights = grid;
  return {make_preset(spec), {}};
}

/// Points a centimetre or two apart along everything sharp, as bodies meet it.
std::vector<Vec3> sharp_points(const Terrain& terrain, bool mesh) {
  std::vector<Vec3> points;
  const auto add = [&](Vec3 a, Vec3 b) {
    const int parts = static_cast<int>(std::ceil(glm::distance(a, b) / 0.015));
    for (int i = 0; i <= parts; ++i)
      points.push_back(a + (b - a) * (static_cast<double>(i) / parts));
  };
  if (mesh) {
    TerrainTriangles ground(terrain);
    GroundPatch patch;
    patch.fetch(ground, {{12, -1, 12}, {28, 4, 28}});
    for (const RidgeEdge& r : patch.ridges()) {
      if (r.cone < 0.99F) add(patch.origin() + Vec3(r.a), patch.origin() + Vec3(r.b));
    }
  } else {
    for (double z = 0; z <= kSide; z += kPeriod) add({12, kPeriod / 2, z}, {28, kPeriod / 2, z});
  }
  return points;
}

/// How deep the deepest of the points is inside a body.
double deepest_in(const Body& body, const std::vector<Vec3>& points) {
  double deepest = 0;
  const Mat3 axes = rotation_matrix(body.orientation);
  const Blocks& blocks = body.piece->blocks;
  for (const Vec3& p : points) {
    if (glm::distance(p, body.position) > body.piece->radius) continue;
    const Vec3 local = body.piece->center + (p - body.position) * axes;
    const BlockId id = blocks.at(IVec3(glm::floor(local / kCell)));
    if (id == kNoBlock) continue;
    const Vec3 to_side = Vec3(blocks[id].half()) - glm::abs(local - blocks[id].middle());
    deepest = std::max(deepest, std::min({to_side.x, to_side.y, to_side.z}));
  }
  return deepest;
}

std::vector<Block> bar(int x, int y, int z) {
  std::vector<Block> cells;
  for (int k = 0; k < z; ++k) {
    for (int j = 0; j < y; ++j) {
      for (int i = 0; i < x; ++i) cells.push_back({{i, j, k}, 1, 0, {}});
    }
  }
  return cells;
}

struct Throw {
  int x, y, z;       // cells
  double yaw, roll;  // radians
};

class RidgeContact : public testing::TestWithParam<std::string> {
 protected:
  World make_world() {
    const Terrain terrain = washboard();
    Solids solids{Field(terrain), {}, {}, nullptr};
    if (GetParam() == "mesh") solids.triangles = std::make_shared<TerrainTriangles>(terrain);
    WorldSettings settings;
    settings.step_s = 1.0 / 60;
    return World(std::move(solids), {{"stone", 2600, 0}}, make_modern_solver({}), settings);
  }
};

/// Dropped and shot down with their points everywhere but over the crests, on faces, on edges and
/// askew.
TEST_P(RidgeContact, NothingSharpStaysInAFaceOrAnEdge) {
  for (const double speed : {0.0, 25.0, 60.0}) {
    for (const Throw& t :
         {Throw{1, 1, 10, 0, 0}, Throw{1, 1, 10, 0.2, 0.785}, Throw{1, 1, 10, 0.7, 0.4},
          Throw{6, 1, 9, 0.3, 0}, Throw{3, 1, 8, 0, 0.785}, Throw{2, 2, 9, 0.1, 1.1}}) {
      SCOPED_TRACE(testing::Message() << t.x << "x" << t.y << "x" << t.z << " yaw " << t.yaw
                                      << " roll " << t.roll << " at " << speed << " m/s");
      World world = make_world();
      world.add_piece(bar(t.x, t.y, t.z), Vec3(0, -speed, 0), Vec3(0));
      const Quat turn = rotation_by({0, t.yaw, 0}) * rotation_by({0, 0, t.roll});
      world.move_body(world.bodies().size() - 1, Vec3(20.37, 3.2, 20.2), turn);
      const auto sharp = sharp_points(world.solids().ground.terrain(), GetParam() == "mesh");
      double deepest = 0;
      for (int i = 0; i < 900 && !world.all_at_rest(); ++i) {
        world.step();
        deepest = std::max(deepest, deepest_in(world.bodies()[0], sharp));
      }
      EXPECT_TRUE(world.all_at_rest());
      EXPECT_LT(deepest_in(world.bodies()[0], sharp), 0.002);
      if (speed == 0) {
        EXPECT_LT(deepest, 0.04);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ground, RidgeContact, testing::Values("field", "mesh"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace talus
