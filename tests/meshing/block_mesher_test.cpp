#include "meshing/block_mesher.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

namespace talus {
namespace {

struct Measure {
  double volume = 0, area = 0;
};

Measure measure(const std::vector<MaterialMesh>& meshes) {
  Measure sum;
  for (const auto& [material, mesh] : meshes) {
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      const Vec3 a(mesh.positions[mesh.indices[i]]), b(mesh.positions[mesh.indices[i + 1]]),
          c(mesh.positions[mesh.indices[i + 2]]);
      const Vec3 cross = glm::cross(b - a, c - a);
      sum.volume += glm::dot(a, glm::cross(b, c)) / 6;
      sum.area += glm::length(cross) / 2;
      EXPECT_GT(glm::length(cross), 1e-9);
      for (int k = 0; k < 3; ++k) {
        const Vec3 n(mesh.normals[mesh.indices[i + static_cast<std::size_t>(k)]]);
        EXPECT_NEAR(glm::length(n), 1, 1e-6);
        EXPECT_GT(glm::dot(n, cross) / glm::length(cross), 0.9);
      }
    }
  }
  return sum;
}

Blocks heap(std::uint32_t seed, int materials) {
  std::mt19937 random(seed);
  const auto at = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Blocks blocks;
  for (int i = 0; i < 300; ++i) {
    blocks.place(
        {{at(9) - 4, at(9) - 4, at(9) - 4}, 1 + at(3), static_cast<MaterialId>(at(materials)), {}});
  }
  for (BlockId id = 0; id < blocks.id_end(); id += 7) blocks.remove(id);
  return blocks;
}

/// Volume and open area by counting cells.
Measure counted(const Blocks& blocks) {
  Measure sum;
  for (int n = 0; n < 20 * 20 * 20; ++n) {
    const IVec3 cell(n % 20 - 8, n / 20 % 20 - 8, n / 400 - 8);
    if (blocks.at(cell) == kNoBlock) continue;
    sum.volume += kCell * kCell * kCell;
    for (int side = 0; side < kSides; ++side) {
      if (blocks.at(cell + side_normal(side)) == kNoBlock) sum.area += kCell * kCell;
    }
  }
  return sum;
}

TEST(BlockMesher, AWallOfOneMaterialIsSixRectangles) {
  Blocks blocks;
  for (int n = 0; n < 60; ++n) blocks.place({{n % 10, n / 10, -3}, 1, 4, {}});
  const auto meshes = mesh_structure(blocks);
  ASSERT_EQ(meshes.size(), 1u);
  EXPECT_EQ(meshes[0].material, 4);
  EXPECT_EQ(meshes[0].mesh.triangle_count(), 12u);
  EXPECT_NEAR(measure(meshes).volume, 60 * 0.125, 1e-9);
}

TEST(BlockMesher, MaterialsAreNotMerged) {
  Blocks blocks;
  blocks.place({{0, 0, 0}, 2, 1, {}});
  blocks.place({{2, 0, 0}, 2, 0, {}});
  const auto meshes = mesh_structure(blocks);
  ASSERT_EQ(meshes.size(), 2u);
  EXPECT_EQ(meshes[0].material, 0);
  EXPECT_EQ(meshes[0].mesh.triangle_count(), 10u);
  EXPECT_EQ(meshes[1].mesh.triangle_count(), 10u);
}

TEST(BlockMesher, VolumeAndAreaAreThoseOfTheCells) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const Blocks blocks = heap(seed, 3);
    const Measure plain = counted(blocks);
    for (const bool merge : {true, false}) {
      const auto meshes = mesh_structure(blocks, {Vec3(0), merge, 8});
      EXPECT_NEAR(measure(meshes).volume, plain.volume, 1e-9);
      EXPECT_NEAR(measure(meshes).area, plain.area, 1e-9);
    }
    EXPECT_LT(mesh_structure(blocks)[0].mesh.triangle_count(),
              mesh_structure(blocks, {Vec3(0), false, 8})[0].mesh.triangle_count());
  }
}

TEST(BlockMesher, UnmergedFacesCloseAtEveryEdge) {
  std::map<std::array<float, 6>, int> edges;
  const auto meshes = mesh_structure(heap(3, 2), {Vec3(0), false, 8});
  for (const auto& [material, mesh] : meshes) {
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
      const Vec3f a = mesh.positions[mesh.indices[i]];
      const Vec3f b = mesh.positions[mesh.indices[i % 3 == 2 ? i - 2 : i + 1]];
      ++edges[{a.x, a.y, a.z, b.x, b.y, b.z}];
      --edges[{b.x, b.y, b.z, a.x, a.y, a.z}];
    }
  }
  EXPECT_FALSE(edges.empty());
  for (const auto& [edge, balance] : edges) EXPECT_EQ(balance, 0);
}

TEST(BlockMesher, CutBlocksAreTheirShapes) {
  Blocks blocks;
  blocks.place({{-2, -2, -2}, 4, 5, *named_cuts("ball")});
  const auto ball = mesh_structure(blocks, {Vec3(0), true, 24});
  EXPECT_NEAR(measure(ball).volume / (4 * std::numbers::pi / 3), 1, 0.005);
  for (std::size_t i = 0; i < ball[0].mesh.positions.size(); ++i) {
    EXPECT_LE(glm::distance(ball[0].mesh.positions[i], ball[0].mesh.normals[i]), 1e-6f);
  }
}

TEST(BlockMesher, ASideThatANeighbourCoversIsLeftOut) {
  Blocks blocks;
  blocks.place({{0, 0, 0}, 2, 0, {}});
  blocks.place({{0, 2, 0}, 2, 0, *named_cuts("ramp")});
  const auto stacked = measure(mesh_structure(blocks));
  EXPECT_NEAR(stacked.volume, 1.5, 1e-6);
  EXPECT_NEAR(stacked.area, 5 + (1 + std::sqrt(2.0) + 2 * 0.5), 1e-6);
}

TEST(BlockMesher, FarAwayMeshesAreAsGoodAsNearOnes) {
  const IVec3 far(20000000, 0, -20000000);
  Blocks here, there;
  here.place({{0, 0, 0}, 3, 0, *named_cuts("dome")});
  there.place({far, 3, 0, *named_cuts("dome")});
  const Mesh a = mesh_structure(here)[0].mesh;
  const Mesh b = mesh_structure(there, {kCell * Vec3(far), true, 8})[0].mesh;
  EXPECT_EQ(b.origin, kCell * Vec3(far));
  ASSERT_EQ(a.positions.size(), b.positions.size());
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    EXPECT_LE(glm::distance(a.positions[i], b.positions[i]), 1e-6f);
  }
}

TEST(BlockMesher, NothingGivesNothing) {
  EXPECT_TRUE(mesh_structure(Blocks{}).empty());
}

}  // namespace
}  // namespace talus
