#include <cmath>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "collision/ground_patch.h"
#include "physics/world.h"
#include "scenario/cases.h"
#include "scenario/run.h"

namespace talus {
namespace {

const std::vector<Material> kRock{{"rock", 1000, 0}};

World mesh_world(const Terrain& terrain, const ModernSettings& modern = {}) {
  Solids solids{Field(terrain), {}, {}, std::make_shared<TerrainTriangles>(terrain)};
  WorldSettings settings;
  settings.step_s = 1.0 / 60;
  return World(std::move(solids), kRock, make_modern_solver(modern), settings);
}

Terrain terrain(const std::string& preset) {
  TerrainSpec spec;
  spec.preset = preset;
  return {make_preset(spec), {}};
}

/// Over five chunks' seams each way, and over every edge between.
TEST(MeshContact, ASliderGoesStraightOnOverSeamsAndEdges) {
  ModernSettings modern;
  modern.friction = 0;
  modern.sleeping = false;
  for (const double way : {0.0, 0.3, 1.57, 3.9}) {
    World world = mesh_world(terrain("flat"), modern);
    world.add_piece(std::vector<Block>{{{0, 0, 0}, 1, 0, {}}}, Vec3(0), Vec3(0));
    for (int i = 0; i < 60; ++i) world.step();
    const Vec3 start = world.bodies()[0].position;
    world.push(0, Vec3(8.06 * std::cos(way), 0, 8.06 * std::sin(way)));
    double highest = -1, lowest = 1;
    for (int i = 0; i < 300; ++i) {
      world.step();
      highest = std::max(highest, world.bodies()[0].position.y);
      lowest = std::min(lowest, world.bodies()[0].position.y);
    }
    const Vec3 gone = world.bodies()[0].position - start;
    EXPECT_NEAR(std::hypot(gone.x, gone.z), 40.31, 0.02) << way;
    EXPECT_LT(highest - lowest, 0.001) << way;
  }
}

/// A plate on the top of a mound: its corners hang in the air, the mound's ridges carry it.
TEST(MeshContact, RidgesCarryAPlateWhoseCornersAreInTheAir) {
  Terrain mound = terrain("flat");
  Brush fill;
  fill.mode = Brush::Mode::Fill;
  fill.center = {0, -7, 0};
  fill.radius = 9.3;
  mound.edits.push_back(fill);
  World world = mesh_world(mound);
  std::vector<Block> plate;
  for (int z = -4; z < 4; ++z) {
    for (int x = -4; x < 4; ++x) plate.push_back({{x, 6, z}, 1, 0, {}});
  }
  world.add_piece(plate, Vec3(0), Vec3(0));
  for (int i = 0; i < 1200; ++i) world.step();
  const Body& body = world.bodies()[0];
  EXPECT_GT(body.position.y, 2.0);
  // No vertex of the ground is more than 5 mm inside the plate.
  GroundPatch patch;
  TerrainTriangles ground(mound);
  patch.fetch(ground, {{-6, -1, -6}, {6, 4, 6}});
  const Mat3 axes = rotation_matrix(body.orientation);
  for (const RidgeEdge& ridge : patch.ridges()) {
    for (const Vec3f& end : {ridge.a, ridge.b}) {
      const Vec3 p = glm::transpose(axes) * (patch.origin() + Vec3(end) - body.position);
      if (std::abs(p.x) > 1.99 || std::abs(p.z) > 1.99 || p.y > 0.2) continue;
      EXPECT_LT(p.y, -0.25 + 0.005);
    }
  }
}

TEST(MeshContact, DiggingUnderARestingBodyLetsItFall) {
  World world = mesh_world(terrain("flat"));
  world.add_piece(std::vector<Block>{{{0, 0, 0}, 2, 0, {}}}, Vec3(0), Vec3(0));
  for (int i = 0; i < 120; ++i) world.step();
  ASSERT_TRUE(world.all_at_rest());
  Brush dig;
  dig.radius = 4;
  dig.center = {0.5, 0, 0.5};
  world.edit_ground(dig);
  for (int i = 0; i < 600; ++i) world.step();
  EXPECT_TRUE(world.all_at_rest());
  EXPECT_LT(world.bodies()[0].position.y, -2);
  EXPECT_GT(world.bodies()[0].position.y, -4);
}

TEST(MeshContact, FieldAndMeshRestScenariosOnLevelGroundWithinTwoCentimetres) {
  for (const std::string name :
       {"bridge", "column", "free_fall", "pillar", "frame_house", "raft"}) {
    const std::string path = TALUS_SOURCE_DIR "/scenarios/" + name + ".json";
    for (Scenario scenario : read_cases(path, {}).cases) {
      const Report field = run(scenario);
      scenario.settings.terrain_contact = "mesh";
      const Report mesh = run(scenario);
      ASSERT_EQ(field.trajectory.bodies.size(), mesh.trajectory.bodies.size());
      for (std::size_t i = 0; i < field.trajectory.bodies.size(); ++i) {
        EXPECT_LT(glm::distance(field.trajectory.bodies[i].position_m.back(),
                                mesh.trajectory.bodies[i].position_m.back()),
                  0.02)
            << scenario.name << " body " << i;
      }
    }
  }
}

/// The head of the mushroom comes down on its stem, where boxes around its cells would hold it 10
/// cm up.
TEST(MeshContact, RockComesToRestOnItsOwnMesh) {
  Scenario scenario = read_cases(TALUS_SOURCE_DIR "/scenarios/mushroom.json", {}).cases.front();
  const Report field = run(scenario);
  scenario.settings.terrain_contact = "mesh";
  const Report mesh = run(scenario);
  ASSERT_EQ(mesh.trajectory.bodies.size(), field.trajectory.bodies.size());
  for (std::size_t i = 0; i < field.trajectory.bodies.size(); ++i) {
    EXPECT_NEAR(field.trajectory.bodies[i].position_m.back().y,
                mesh.trajectory.bodies[i].position_m.back().y, 0.005)
        << i;
  }
}

}  // namespace
}  // namespace talus
