#include "structure/piece.h"

#include <algorithm>
#include <numbers>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/error.h"
#include "voxel/block_distance.h"

namespace talus {
namespace {

Piece piece_of(const std::vector<Block>& blocks, InertiaRule rule = InertiaRule::Shape) {
  return make_piece(blocks, default_materials(), rule);
}

TEST(Piece, ACubeOfCellsWeighsAsOneBlock) {
  std::vector<Block> cells;
  cells.reserve(64);
  for (int n = 0; n < 64; ++n) cells.push_back({{n % 4, n / 4 % 4, n / 16}, 1, 0, {}});
  const Piece many = piece_of(cells), one = piece_of({{{0, 0, 0}, 4, 0, {}}});
  EXPECT_NEAR(many.mass, one.mass, 1e-9 * one.mass);
  EXPECT_LE(glm::distance(many.center, one.center), 1e-12);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(many.inertia[i][j], one.inertia[i][j], 1e-9 * one.inertia[0][0]);
    }
  }
  EXPECT_EQ(many.contact_points.size(), 125u - 27u);
}

TEST(Piece, ABallWeighsAsABall) {
  const Piece ball = piece_of({{{2, 0, 0}, 4, 5, *named_cuts("ball")}});
  const double mass = 8900 * 4 * std::numbers::pi / 3;
  EXPECT_NEAR(ball.mass / mass, 1, 0.005);
  EXPECT_NEAR(ball.inertia[1][1] / (0.4 * mass), 1, 0.01);
  EXPECT_LE(glm::distance(ball.center, Vec3(2, 1, 1)), 1e-9);
  const Piece as_cube = piece_of({{{2, 0, 0}, 4, 5, *named_cuts("ball")}}, InertiaRule::Cube);
  EXPECT_NEAR(as_cube.inertia[1][1], as_cube.mass * 4 / 6, 1e-6);
}

TEST(Piece, ContactPointsOfCutBlocksLieOnTheShape) {
  for (const auto name : shape_names()) {
    const Block block{{-3, 5, 1}, 3, 0, *named_cuts(name)};
    const Piece piece = piece_of({block});
    EXPECT_EQ(piece.contact_points.size(), 64u - 8u) << name;
    for (const Vec3& p : piece.contact_points) {
      EXPECT_LE(signed_distance(block, kAllSidesOpen, p).distance, 1e-12) << name;
      EXPECT_GE(signed_distance(block, kAllSidesOpen, p).distance, -0.55) << name;
    }
  }
  const Block ball{{0, 0, 0}, 2, 0, *named_cuts("ball")};
  for (const Vec3& p : piece_of({ball}).contact_points) {
    EXPECT_NEAR(glm::distance(p, ball.middle()), 0.5, 1e-4);
  }
}

TEST(Piece, AFewBlocksOfAWideBoxAreAnErrorNotAHang) {
  std::vector<Block> blocks;
  blocks.reserve(2000);
  for (int i = 0; i < 2000; ++i) blocks.push_back({IVec3(5 * i), 1, 0, {}});
  EXPECT_THROW(piece_of(blocks), Error);
  blocks.resize(40);
  EXPECT_EQ(piece_of(blocks).blocks.count(), 40u);
}

TEST(Piece, ACornerThatAWholeBlockHoldsStaysWhereItIs) {
  const Piece piece = piece_of({{{0, 0, 0}, 2, 0, *named_cuts("ball")}, {{2, 0, 0}, 2, 0, {}}});
  // The shared corner (1, 0, 0) belongs to the ball by order, and to the cube by substance.
  EXPECT_EQ(std::count(piece.contact_points.begin(), piece.contact_points.end(), Vec3(1, 0, 0)), 1);
}

}  // namespace
}  // namespace talus
