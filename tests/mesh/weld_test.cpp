#include "mesh/weld.h"

#include <gtest/gtest.h>

#include "support/sample_meshes.h"

namespace talus {
namespace {

TEST(Weld, UnsharedCubeBecomesEightVerticesAgain) {
  const Mesh solid = cube(2);
  Mesh loose;
  for (const std::uint32_t index : solid.indices) {
    loose.indices.push_back(static_cast<std::uint32_t>(loose.positions.size()));
    loose.positions.push_back(solid.positions[index]);
  }
  const WeldedMesh welded = weld(std::vector{loose});
  EXPECT_EQ(welded.positions.size(), 8u);
  ASSERT_EQ(welded.indices.size(), 36u);
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(welded.positions[welded.indices[i]], Vec3(solid.positions[solid.indices[i]]));
  }
}

TEST(Weld, NeighboursMergeOnlyWhereWorldPositionsAreEqual) {
  Mesh left = cube(1);
  Mesh right = cube(1);
  left.origin = {1e6, 0, 0};
  right.origin = {1e6 + 1, 0, 0};
  EXPECT_EQ(weld(std::vector{left, right}).positions.size(), 12u);
  right.origin.x += 0x1p-20;
  EXPECT_EQ(weld(std::vector{left, right}).positions.size(), 16u);
}

TEST(Weld, NegativeZeroIsZero) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {-0.0f, -0.0f, 0}, {1, 0, 0}};
  mesh.indices = {0, 1, 2};
  const WeldedMesh welded = weld(std::vector{mesh});
  EXPECT_EQ(welded.positions.size(), 2u);
  EXPECT_EQ(welded.indices, (std::vector<std::uint32_t>{0, 0, 1}));
}

}  // namespace
}  // namespace talus
