#include "mesh/flat_normals.h"

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "support/sample_meshes.h"

namespace talus {
namespace {

TEST(FlatNormals, EveryFaceOfACubeHasItsAxis) {
  const Mesh flat = flat_normals(cube(0.0005f));
  ASSERT_EQ(flat.normals.size(), 36u);
  Vec3f sum(0);
  for (std::size_t i = 0; i < 36; i += 3) {
    EXPECT_FLOAT_EQ(glm::length(flat.normals[i]), 1);
    EXPECT_EQ(flat.normals[i], flat.normals[i + 2]);
    sum += flat.normals[i];
  }
  EXPECT_EQ(sum, Vec3f(0));
}

TEST(FlatNormals, TrianglesColoursAndOriginStay) {
  Mesh ground = bumpy_ground(5, 2, true);
  ground.origin = {1, 2, 3};
  const Mesh flat = flat_normals(ground);
  EXPECT_EQ(flat.origin, ground.origin);
  ASSERT_EQ(flat.indices.size(), ground.indices.size());
  for (std::size_t i = 0; i < flat.indices.size(); ++i) {
    EXPECT_EQ(flat.positions[flat.indices[i]], ground.positions[ground.indices[i]]);
    EXPECT_EQ(flat.colors[flat.indices[i]], ground.colors[ground.indices[i]]);
    EXPECT_GT(flat.normals[i].y, 0);
  }
}

}  // namespace
}  // namespace talus
