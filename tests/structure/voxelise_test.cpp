// Meshes to cells: volumes in closed form, and whatever a ray may run into.
#include "structure/voxelise.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/sample_meshes.h"
#include "support/temp_folder.h"

namespace talus {
namespace {

Mesh moved(Mesh mesh, Vec3 by) {
  mesh.origin += by;
  return mesh;
}

Mesh box(Vec3f size, Vec3 corner = Vec3(0)) {
  Mesh mesh = cube(1);
  for (Vec3f& p : mesh.positions) p *= size;
  mesh.origin = corner;
  return mesh;
}

Mesh inside_out(Mesh mesh) {
  for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
    std::swap(mesh.indices[i], mesh.indices[i + 1]);
  }
  return mesh;
}

/// A closed surface from a grid of points that meets itself on both sides.
template <class At>
Mesh wrapped(int columns, int rows, const At& at) {
  Mesh mesh;
  for (int v = 0; v < rows; ++v) {
    for (int u = 0; u < columns; ++u) mesh.positions.push_back(at(u, v));
  }
  const auto index = [&](int u, int v) {
    return static_cast<std::uint32_t>((u % columns) + columns * (v % rows));
  };
  for (int v = 0; v < rows; ++v) {
    for (int u = 0; u < columns; ++u) {
      const auto a = index(u, v), b = index(u + 1, v), c = index(u + 1, v + 1), d = index(u, v + 1);
      mesh.indices.insert(mesh.indices.end(), {a, b, c, a, c, d});
    }
  }
  return mesh;
}

Mesh torus(double ring, double tube) {
  constexpr int kColumns = 96, kRows = 48;
  return wrapped(kColumns, kRows, [&](int u, int v) {
    const double a = 2 * M_PI * u / kColumns, b = 2 * M_PI * v / kRows;
    const double r = ring + tube * std::cos(b);
    return Vec3f(r * std::cos(a), tube * std::sin(b), r * std::sin(a));
  });
}

/// A ball of triangles: an octahedron, refined.
Mesh ball(double radius, int refinements = 5) {
  Mesh mesh;
  mesh.positions = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  mesh.indices = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  for (int i = 0; i < refinements; ++i) {
    Mesh finer;
    for (std::size_t t = 0; t < mesh.indices.size(); t += 3) {
      const Vec3f a = mesh.positions[mesh.indices[t]], b = mesh.positions[mesh.indices[t + 1]],
                  c = mesh.positions[mesh.indices[t + 2]];
      const Vec3f corners[] = {a, b, c, (a + b) * 0.5f, (b + c) * 0.5f, (c + a) * 0.5f};
      const auto first = static_cast<std::uint32_t>(finer.positions.size());
      finer.positions.insert(finer.positions.end(), std::begin(corners), std::end(corners));
      for (const std::uint32_t k : {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5}) {
        finer.indices.push_back(first + k);
      }
    }
    mesh = finer;
  }
  for (Vec3f& p : mesh.positions) {
    p *= static_cast<float>(radius) / std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
  }
  return mesh;
}

std::int64_t count(const std::vector<Mesh>& meshes, double cell = 0.5) {
  return voxelise(meshes, cell).solid.count();
}

TEST(Voxelise, ABoxHoldsTheCellsWhoseMiddlesItHolds) {
  EXPECT_EQ(count({box({3, 2, 5})}), 6 * 4 * 10);
  EXPECT_EQ(count({box({3, 2, 5})}, 1), 30);
  const SolidCells cells = voxelise(std::vector{box({3, 2, 5}, {-7, 11, -0.5})}, 0.5);
  EXPECT_EQ(cells.origin, IVec3(-14, 22, -1));
  EXPECT_EQ(cells.solid.count(), 240);
  // A side through the cells' middles belongs to one of its two neighbours, never to both.
  EXPECT_EQ(count({box({3, 2, 5}, Vec3(0.25))}), 240);
  EXPECT_EQ(count({box({0.25, 0.25, 0.25}, Vec3(0.3))}), 0);
}

TEST(Voxelise, VolumesAreThoseOfTheSolids) {
  const double r = 10;
  EXPECT_NEAR(count({ball(r)}) * 0.125, 4 * M_PI * r * r * r / 3, 0.005 * 4189);
  const double v = 2 * M_PI * M_PI * 9 * 3 * 3;
  EXPECT_NEAR(count({torus(9, 3)}) * 0.125, v, 0.01 * v);
  EXPECT_EQ(count({inside_out(ball(r))}), count({ball(r)}));
}

TEST(Voxelise, SolidsThatTileFillEveryCellOnce) {
  // Two halves of a box, parted along a slanted face whose edges run through middles of cells.
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto at = [&] { return static_cast<float>(random() % 33) * 0.25f; };
    const float a = at(), b = at();
    const auto prism = [](const std::vector<Vec3f>& outline) {
      Mesh mesh;
      const auto n = static_cast<std::uint32_t>(outline.size());
      for (const Vec3f& p : outline) mesh.positions.push_back(p);
      for (const Vec3f& p : outline) mesh.positions.push_back(p + Vec3f(0, 0, 8));
      for (std::uint32_t i = 1; i + 1 < n; ++i) {
        mesh.indices.insert(mesh.indices.end(), {0, i + 1, i, n, n + i, n + i + 1});
      }
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t j = (i + 1) % n;
        mesh.indices.insert(mesh.indices.end(), {i, j, n + j, i, n + j, n + i});
      }
      return mesh;
    };
    const Mesh left = prism({{0, 0, 0}, {a, 0, 0}, {b, 8, 0}, {0, 8, 0}});
    const Mesh right = prism({{a, 0, 0}, {8, 0, 0}, {8, 8, 0}, {b, 8, 0}});
    EXPECT_EQ(count({left}) + count({right}), 16 * 16 * 16) << a << " " << b;
    EXPECT_EQ(count({left, right}), 16 * 16 * 16) << a << " " << b;
  }
}

TEST(Voxelise, PartsMayOverlapAndCavitiesAreHollow) {
  EXPECT_EQ(count({box({4, 4, 4}), box({4, 4, 4}, Vec3(2))}), 512 + 512 - 64);
  EXPECT_EQ(count({box({4, 4, 4}), box({4, 4, 4})}), 512);
  EXPECT_EQ(count({box({4, 4, 4}), inside_out(box({2, 2, 2}, Vec3(1)))}), 512 - 64);
}

TEST(Voxelise, FarAndNegativePlacesGiveTheSameCells) {
  const SolidCells here = voxelise(std::vector{ball(4)}, 0.5);
  for (const Vec3 offset : {Vec3(-300, 20, 0.5), Vec3(1e6, -1e6, 1e6), Vec3(-5e7, 0, 0)}) {
    const SolidCells there = voxelise(std::vector{moved(ball(4), offset)}, 0.5);
    EXPECT_EQ(there.solid, here.solid);
    EXPECT_EQ(there.origin, here.origin + IVec3(offset * 2.0));
  }
}

TEST(Voxelise, AnOpenMeshIsAnErrorThatCountsItsEdges) {
  Mesh open = cube(4);
  open.indices.resize(open.indices.size() - 3);
  EXPECT_NE(error_of([&] { voxelise(std::vector{open}, 0.5); }).find("3 open edges"),
            std::string::npos);
  Mesh flipped = cube(4);
  std::swap(flipped.indices[0], flipped.indices[1]);
  EXPECT_NE(error_of([&] { voxelise(std::vector{flipped}, 0.5); }).find("3 open edges"),
            std::string::npos);
}

TEST(Voxelise, WhatIsTooLargeIsRefusedBeforeMemoryIsTaken) {
  for (const double cell : {1e-3, 1e-6, 1e-300, 0.0, -1.0, std::nan("")}) {
    EXPECT_NE(error_of([&] { voxelise(std::vector{cube(100)}, cell); }), "") << cell;
  }
  EXPECT_NE(error_of([&] { voxelise(std::vector{moved(cube(1), Vec3(1e12))}, 0.5); }), "");
  EXPECT_NE(error_of([&] { voxelise(std::vector<Mesh>{}, 0.5); }), "");
  Mesh broken = cube(1);
  broken.positions[0].x = std::nanf("");
  EXPECT_NE(error_of([&] { voxelise(std::vector{broken}, 0.5); }), "");
  Mesh heavy;
  for (int i = 0; i < 3000; ++i) {
    const Mesh one = cube(400);
    const auto first = static_cast<std::uint32_t>(heavy.positions.size());
    heavy.positions.insert(heavy.positions.end(), one.positions.begin(), one.positions.end());
    for (const auto index : one.indices) heavy.indices.push_back(first + index);
  }
  EXPECT_NE(error_of([&] { voxelise(std::vector{heavy}, 1); }).find("tests"), std::string::npos);
}

void expect_cover(const SolidCells& cells, int largest) {
  SolidBits covered(cells.solid.size);
  std::int64_t volume = 0;
  for (const BlockBox& b : merge_cells(cells, largest)) {
    EXPECT_GE(b.size, 1);
    EXPECT_LE(b.size, largest);
    const IVec3 lo = b.cell - cells.origin, hi = lo + b.blocks * IVec3(b.size);
    for (int z = lo.z; z < hi.z; ++z) {
      for (int y = lo.y; y < hi.y; ++y) {
        for (int x = lo.x; x < hi.x; ++x) {
          covered.words[covered.row(y, z) + static_cast<std::size_t>(x / 64)] |= std::uint64_t{1}
                                                                                 << (x % 64);
          ++volume;
        }
      }
    }
  }
  EXPECT_EQ(covered, cells.solid);
  EXPECT_EQ(volume, cells.solid.count());
}

TEST(MergeCells, CoversEveryCellOnce) {
  for (const int largest : {1, 2, 5, 16}) {
    expect_cover(voxelise(std::vector{torus(9, 3)}, 0.5), largest);
    expect_cover(voxelise(std::vector{ball(7)}, 0.5), largest);
    std::mt19937 random(5);
    SolidCells noise{IVec3(-3), SolidBits({70, 9, 11})};
    for (int z = 0; z < 11; ++z) {
      for (int y = 0; y < 9; ++y) {
        for (int x = 0; x < 70; ++x) {
          const auto word = noise.solid.row(y, z) + static_cast<std::size_t>(x / 64);
          noise.solid.words[word] |= std::uint64_t{random() % 4 > 0} << (x % 64);
        }
      }
    }
    expect_cover(noise, largest);
  }
}

TEST(MergeCells, ABoxIsFewBoxes) {
  const auto boxes = merge_cells(voxelise(std::vector{box({16, 8, 24})}, 0.5));
  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_EQ(boxes[0].size, 16);
  EXPECT_EQ(boxes[0].blocks, IVec3(2, 1, 3));
}

}  // namespace
}  // namespace talus
