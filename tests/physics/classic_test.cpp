#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <string>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "physics/world.h"

namespace talus {
namespace {

using Json = nlohmann::json;

Vec3 vector_of(const Json& j) {
  return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()};
}

std::vector<Block> blocks_of(const Json& list, const std::vector<Material>& materials) {
  std::vector<Block> blocks;
  for (const Json& j : list) {
    const auto material = find_material(materials, j["material"].get<std::string>());
    blocks.push_back({{j["x"], j["y"], j["z"]}, j["size"], *material, {}});
  }
  return blocks;
}

TerrainSpec terrain_of(const Json& terrain) {
  TerrainSpec spec;
  if (terrain["type"] == "hills") {
    spec.seed = terrain["seed"].get<std::uint64_t>();
    return spec;
  }
  const std::string density = terrain["density"];
  spec.preset = density == "-y" ? "flat" : "slope";
  if (spec.preset == "slope") {
    spec.parameters = {{"rise_x_deg", density == "tan(20 deg) x - y" ? 20.0 : 40.0}};
  }
  return spec;
}

class Falling : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::ifstream file(std::string(TALUS_TEST_DATA "/falling/") + GetParam() + ".json");
    ASSERT_TRUE(file);
    reference = Json::parse(file);
    Solids solids{Field(Terrain{make_preset(terrain_of(reference["terrain"])), {}}), {}};
    const auto materials = default_materials();
    // Fixed blocks are fixed, whether the ground holds them or not.
    for (const Block& b : blocks_of(reference["fixed_blocks"], materials)) solids.blocks.place(b);
    world = std::make_unique<World>(std::move(solids), materials, make_classic_solver());
    const Json& initial = reference["initial"];
    world->add_piece(blocks_of(reference["piece_blocks"], materials),
                     vector_of(initial["velocity"]), vector_of(initial["spin"]));
  }
  const Body& body() const { return world->bodies()[0]; }

  Json reference;
  std::unique_ptr<World> world;
};

void expect_near(Vec3 found, Vec3 expected, double tolerance, const char* what, std::int64_t step) {
  EXPECT_LE(glm::distance(found, expected), tolerance) << what << " at step " << step;
}

void expect_sample(const Body& body, const Json& sample, std::int64_t step) {
  expect_near(body.position, vector_of(sample["position"]), 1e-6, "position", step);
  const Json& q = sample["orientation"];
  const Quat& o = body.orientation;
  expect_near({o.x, o.y, o.z}, vector_of(q), 1e-6, "orientation", step);
  EXPECT_NEAR(o.w, q[3].get<double>(), 1e-6);
  expect_near(body.velocity, vector_of(sample["velocity"]), 1e-5, "velocity", step);
  expect_near(body.spin, vector_of(sample["spin"]), 1e-5, "spin", step);
  EXPECT_EQ(body.touching, sample["touching"].get<int>()) << "at step " << step;
  EXPECT_EQ(body.asleep, sample["resting"].get<bool>()) << "at step " << step;
}

TEST_P(Falling, MassAndPointsMatchTheReference) {
  const Piece& piece = *body().piece;
  EXPECT_NEAR(piece.mass / reference["mass_kg"].get<double>(), 1, 1e-9);
  expect_near(piece.center, vector_of(reference["center_m"]), 1e-9, "centre", 0);
  const double size = std::abs(reference["inertia_kg_m2"][8].get<double>());
  for (int i = 0; i < 9; ++i) {
    const double expected = reference["inertia_kg_m2"][static_cast<std::size_t>(i)];
    EXPECT_NEAR(piece.inertia[i % 3][i / 3], expected, 1e-9 * size);
  }
  EXPECT_EQ(piece.contact_points.size(), reference["contact_point_count"].get<std::size_t>());
  if (!reference.contains("contact_points_m")) return;
  const Json& points = reference["contact_points_m"];
  ASSERT_EQ(piece.contact_points.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(piece.contact_points[i], vector_of(points[i])) << "point " << i;
  }
}

TEST_P(Falling, TrajectoryMatchesTheReference) {
  std::int64_t first_contact = -1, rest = -1;
  for (const Json& sample : reference["samples"]) {
    const std::int64_t step = sample["step"];
    while (world->steps() < step) world->step();
    expect_sample(body(), sample, step);
  }
  for (const Event& event : world->take_events()) {
    if (event.kind == EventKind::FirstContact) first_contact = event.step;
    if (event.kind == EventKind::Rested) rest = event.step;
  }
  EXPECT_EQ(first_contact, reference["first_contact_step"].get<std::int64_t>());
  EXPECT_EQ(rest, reference["rest_step"].get<std::int64_t>());
}

INSTANTIATE_TEST_SUITE_P(Reference, Falling,
                         testing::Values("cube_drop_flat", "cube_spin_flat", "cube_4m_flat",
                                         "beam_with_copper_end", "beam_on_table",
                                         "slide_on_slope_20", "slide_on_slope_40",
                                         "l_piece_on_hills"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace talus
