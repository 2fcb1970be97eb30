#include "mesh/measure.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mesh/flat_normals.h"
#include "support/sample_meshes.h"

namespace talus {
namespace {

MeshMeasure measure_one(const Mesh& mesh) {
  return measure(std::vector{mesh});
}

TEST(Measure, CubeHasItsKnownSizes) {
  Mesh solid = cube(3);
  solid.origin = {1e6, -5, 2};
  const MeshMeasure m = measure_one(solid);
  EXPECT_EQ(m.vertices, 8u);
  EXPECT_EQ(m.triangles, 12u);
  EXPECT_EQ(m.components, 1u);
  EXPECT_EQ(m.bounds, (Box{{1e6, -5, 2}, {1e6 + 3, -2, 5}}));
  EXPECT_DOUBLE_EQ(m.area_m2, 54);
  EXPECT_DOUBLE_EQ(m.volume_m3, 27);
  EXPECT_TRUE(m.closed());
}

TEST(Measure, FlatNormalsChangeNeitherSizeNorClosedness) {
  const MeshMeasure m = measure_one(flat_normals(cube(3)));
  EXPECT_EQ(m.vertices, 36u);
  EXPECT_EQ(m.welded_vertices, 8u);
  EXPECT_EQ(m.flipped_triangles, 0u);
  EXPECT_DOUBLE_EQ(m.volume_m3, 27);
  EXPECT_TRUE(m.closed());
}

TEST(Measure, TurnedInsideOutHasNegativeVolumeAndFlippedTriangles) {
  Mesh solid = flat_normals(cube(1));
  for (std::size_t i = 0; i < solid.indices.size(); i += 3) {
    std::swap(solid.indices[i], solid.indices[i + 1]);
  }
  const MeshMeasure m = measure_one(solid);
  EXPECT_DOUBLE_EQ(m.volume_m3, -1);
  EXPECT_EQ(m.flipped_triangles, 12u);
  EXPECT_FALSE(m.closed());
}

TEST(Measure, OneTriangleLessOpensThreeEdges) {
  Mesh solid = cube(1);
  solid.indices.resize(33);
  const MeshMeasure m = measure_one(solid);
  EXPECT_EQ(m.open_edges, 3u);
  EXPECT_TRUE(m.clean());
  EXPECT_FALSE(m.closed());
}

TEST(Measure, OneTriangleTurnedMisdirectsItsThreeEdges) {
  Mesh solid = cube(1);
  std::swap(solid.indices[0], solid.indices[1]);
  EXPECT_EQ(measure_one(solid).misdirected_edges, 3u);
}

TEST(Measure, OneTriangleTwiceCrowdsItsThreeEdges) {
  Mesh solid = cube(1);
  for (int k = 0; k < 3; ++k) solid.indices.push_back(solid.indices[static_cast<std::size_t>(k)]);
  EXPECT_EQ(measure_one(solid).crowded_edges, 3u);
}

TEST(Measure, ZeroAreaIsDecidedExactly) {
  Mesh mesh;
  mesh.positions = {
      {0, 0, 0}, {0.1f, 0.1f, 0.1f}, {0.2f, 0.2f, 0.2f}, {0.2f, 0.2f, std::nextafter(0.2f, 1.0f)}};
  mesh.indices = {0, 1, 2, 0, 1, 3, 0, 1, 1};
  EXPECT_EQ(measure_one(mesh).degenerate_triangles, 2u);
}

TEST(Measure, TwoChunksApartAreTwoComponentsAndTouchingAreOne) {
  Mesh left = bumpy_ground(4, 1);
  Mesh right = left;
  right.origin.x = 100;
  EXPECT_EQ(measure(std::vector{left, right}).components, 2u);
  right.origin.x = 0;
  EXPECT_EQ(measure(std::vector{left, right}).components, 1u);
}

TEST(Measure, OpenSquareHasItsBorderAndNothingElse) {
  const MeshMeasure m = measure_one(bumpy_ground(10, 3));
  EXPECT_EQ(m.triangles, 200u);
  EXPECT_EQ(m.open_edges, 40u);
  EXPECT_TRUE(m.clean());
}

TEST(Measure, NothingMeasuresNothing) {
  const MeshMeasure m = measure({});
  EXPECT_EQ(m.vertices + m.triangles + m.components, 0u);
  EXPECT_FALSE(m.closed());
}

}  // namespace
}  // namespace talus
