#include "collision/loose_kd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "core/simd.h"
#include "meshing/mesher.h"
#include "support/closed_meshes.h"
#include "support/plain_kd.h"
#include "support/random_ground.h"

namespace talus {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RayFrame frame(Vec3 origin, Vec3 direction, double reach = kInfinity) {
  const auto made = make_ray_frame({origin, direction, reach});
  EXPECT_TRUE(made);
  return *made;
}

Mesh ground_mesh(IBox own, std::uint32_t seed, double roughness,
                 MeshFunction mesher = mesh_surface_nets) {
  const IBox box = with_apron(own);
  return mesher(random_ground({box.lo, box.size(), 1}, seed, roughness), own, {});
}

/// A flat square at y = 0 of cells x cells quads of 1 m from the origin on, facing up.
Mesh flat_square(int cells) {
  Mesh mesh;
  for (int z = 0; z <= cells; ++z) {
    for (int x = 0; x <= cells; ++x) mesh.positions.emplace_back(x, 0, z);
  }
  const auto at = [&](int x, int z) { return static_cast<std::uint32_t>(x + (cells + 1) * z); };
  for (int z = 0; z < cells; ++z) {
    for (int x = 0; x < cells; ++x) {
      mesh.indices.insert(mesh.indices.end(), {at(x, z), at(x, z + 1), at(x + 1, z + 1), at(x, z),
                                               at(x + 1, z + 1), at(x + 1, z)});
    }
  }
  return mesh;
}

Vec3 random_point(std::mt19937& random, const Box& box) {
  std::uniform_real_distribution<double> unit(0, 1);
  return box.lo + (box.hi - box.lo) * Vec3(unit(random), unit(random), unit(random));
}

/// A ray through the box: from anywhere around it to anywhere in it; now and then along an axis or
/// in an axis plane, or through lattice points.
Ray random_ray(std::mt19937& random, const Box& box) {
  const Box around{box.lo - Vec3(4), box.hi + Vec3(4)};
  Ray ray;
  ray.origin = random_point(random, around);
  Vec3 to = random_point(random, box);
  if (random() % 4 == 0) ray.origin = glm::round(ray.origin);
  if (random() % 4 == 0) to = glm::round(to);
  ray.direction = to - ray.origin;
  if (random() % 4 == 0) ray.direction[static_cast<int>(random() % 3)] = random() % 2 ? 0.0 : -0.0;
  if (random() % 4 == 0) ray.direction[static_cast<int>(random() % 3)] = random() % 2 ? 0.0 : -0.0;
  if (ray.direction == Vec3(0)) ray.direction = Vec3(0, -1, 0);
  if (random() % 3 == 0) ray.reach = 6;
  return ray;
}

void expect_hits_of_brute_force(const LooseKd& tree, const GridTriangles& triangles,
                                const PlainKd& plain, const RayFrame& ray) {
  const std::vector<float> expected = brute_force_hits(triangles, ray);
  EXPECT_EQ(plain.hits(ray), expected);
  std::vector<TriangleHit> all;
  tree.all_hits(ray, all);
  ASSERT_EQ(all.size(), expected.size());
  NearHit best;
  best.t = static_cast<float>(ray.reach / kVertexGrid);
  const auto first = tree.first_hit(ray);
  ASSERT_EQ(first.has_value(), !expected.empty());
  if (expected.empty()) return;
  ASSERT_TRUE(tree.trace(ray, best));
  // The trees may start a triangle at another corner: sums differ in their last bits.
  EXPECT_NEAR(best.t, expected.front(), 1e-5 * (1 + best.t));
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(all[i].distance, expected[i] * kVertexGrid, 1e-4 * (1 + all[i].distance));
    EXPECT_TRUE(std::isfinite(all[i].distance));
    EXPECT_NEAR(glm::length(all[i].normal), 1, 1e-12);
  }
}

TEST(LooseKd, HitsAreThoseOfThePlainTreeAndOfBruteForce) {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < 24; ++round) {
    const IVec3 lo = round % 3 == 0 ? IVec3(100'000 * 8, 0, -70'000 * 8) : IVec3(-8, -4, 0);
    const Mesh mesh = ground_mesh({lo, lo + IVec3(8)}, round, 0.12 * (round % 8),
                                  round % 2 ? mesh_marching_cubes : mesh_surface_nets);
    const LooseKd tree(mesh);
    GridTriangles triangles;
    triangles.add(mesh);
    const PlainKd plain(triangles);
    const Box box{Vec3(lo), Vec3(lo + IVec3(8))};
    for (int i = 0; i < 300; ++i) {
      const Ray ray = random_ray(random, box);
      expect_hits_of_brute_force(tree, triangles, plain, *make_ray_frame(ray));
      if (HasFatalFailure()) return;
    }
  }
}

TEST(LooseKd, EveryInstructionSetFindsTheSame) {
  const Mesh mesh = ground_mesh({IVec3(-4), IVec3(4)}, 5, 0.4);
  std::vector<std::vector<TriangleHit>> found;
  for (const std::string& level : simd_levels()) {
    ASSERT_TRUE(use_simd_level(level));
    const LooseKd tree(mesh);
    auto& hits = found.emplace_back();
    std::mt19937 random(3);
    for (int i = 0; i < 2000; ++i) {
      tree.all_hits(*make_ray_frame(random_ray(random, {Vec3(-4), Vec3(4)})), hits);
    }
  }
  use_simd_level("");
  EXPECT_GT(found.front().size(), 500u);
  for (const auto& hits : found) EXPECT_EQ(hits, found.front());
}

TEST(LooseKd, BoxesTouchTheTrianglesOfThePlainTree) {
  std::mt19937 random(2);
  for (std::uint32_t round = 0; round < 12; ++round) {
    const Mesh mesh = ground_mesh({IVec3(-8), IVec3(0)}, round, 0.1 * round);
    const LooseKd tree(mesh);
    GridTriangles triangles;
    triangles.add(mesh);
    const PlainKd plain(triangles);
    for (int i = 0; i < 200; ++i) {
      Vec3 lo = random_point(random, {Vec3(-10), Vec3(1)});
      if (i % 3 == 0) lo = glm::round(lo * 1024.0) / 1024.0;
      const Box box{lo, lo + (i % 2 ? Vec3(1) : Vec3(0.25))};
      std::vector<std::uint32_t> found;
      tree.touched(box, found);
      std::vector<Triangle> mine, expected;
      for (const std::uint32_t t : found) mine.push_back(tree.triangle(t));
      for (const std::size_t t : plain.touched(box)) expected.push_back(triangles.metres(t));
      const auto order = [](const Triangle& a, const Triangle& b) {
        for (std::size_t k = 0; k < 3; ++k) {
          for (int axis = 0; axis < 3; ++axis) {
            if (a[k][axis] != b[k][axis]) return a[k][axis] < b[k][axis];
          }
        }
        return false;
      };
      // Quads turn their triangles' corners: compare from the least corner on.
      for (auto* list : {&mine, &expected}) {
        for (Triangle& t : *list) {
          Triangle best = t;
          for (int turn = 0; turn < 2; ++turn) {
            t = {t[1], t[2], t[0]};
            if (order(t, best)) best = t;
          }
          t = best;
        }
        std::sort(list->begin(), list->end(), order);
      }
      ASSERT_EQ(mine, expected);
    }
  }
}

TEST(LooseKd, NearestIsNearestOfAll) {
  std::mt19937 random(4);
  for (std::uint32_t round = 0; round < 8; ++round) {
    const Mesh mesh = ground_mesh({IVec3(0), IVec3(8)}, round, 0.1 * round);
    const LooseKd tree(mesh);
    GridTriangles triangles;
    triangles.add(mesh);
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random_point(random, {Vec3(-6), Vec3(14)});
      double least = 1e300;
      for (std::size_t t = 0; t < triangles.corners.size(); ++t) {
        least = std::min(least, glm::length(closest_point(triangles.metres(t, p), Vec3(0))));
      }
      const double reach = i % 2 ? 1e9 : 2;
      const auto found = tree.nearest(p, reach);
      ASSERT_EQ(found.has_value(), least <= reach);
      if (!found) continue;
      EXPECT_NEAR(found->distance, least, 1e-12);
      EXPECT_NEAR(glm::length(found->point - p), least, 1e-12);
    }
  }
}

/// Rays from near the middle at points of edges and at vertices; how many miss.
int misses_at_edges_and_vertices(const Mesh& mesh, const LooseKd& tree, int rays) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(0, 1);
  int missed = 0;
  for (int i = 0; i < rays; ++i) {
    const std::size_t triangle = random() % mesh.triangle_count(), k = random() % 3;
    const auto corner = [&](std::size_t c) {
      return mesh.origin + Vec3(mesh.positions[mesh.indices[3 * triangle + c % 3]]);
    };
    const Vec3 target = i % 2 ? corner(k) : glm::mix(corner(k), corner(k + 1), unit(random));
    const Vec3 origin = mesh.origin + Vec3(unit(random), unit(random), unit(random)) * 3.0;
    missed += !tree.first_hit(frame(origin, target - origin));
  }
  return missed;
}

TEST(LooseKd, NoRayFromInsideEscapesAtEdgesAndVertices) {
  for (const double offset : {0.0, 1e4, 1e5, 1e6}) {
    const Mesh mesh = jittered_sphere(20, 10, Vec3(offset, -offset / 2, offset), 9);
    ASSERT_EQ(mesh.triangle_count(), 4800u);
    EXPECT_EQ(misses_at_edges_and_vertices(mesh, LooseKd(mesh), 100'000), 0) << offset;
  }
}

TEST(LooseKd, RaysThroughLatticePointsHitWhicheverWayZeroIsWritten) {
  const LooseKd tree(flat_square(16));
  for (const double zero : {0.0, -0.0}) {
    for (int x = 0; x <= 32; ++x) {
      for (int z = 0; z <= 32; ++z) {
        const auto hit = tree.first_hit(frame({0.5 * x, 3, 0.5 * z}, {zero, -2, zero}));
        ASSERT_TRUE(hit) << x << " " << z;
        EXPECT_EQ(hit->distance, 3);
        EXPECT_EQ(hit->normal, Vec3(0, 1, 0));
      }
    }
  }
  // And sideways, onto an upright wall.
  Mesh wall = flat_square(8);
  for (Vec3f& p : wall.positions) p = {5, p.x, p.z};
  const LooseKd upright(wall);
  for (int y = 0; y <= 8; ++y) {
    for (int z = 0; z <= 8; ++z) {
      const auto hit = upright.first_hit(frame({0, 1.0 * y, 1.0 * z}, {1, -0.0, 0}));
      ASSERT_TRUE(hit);
      EXPECT_EQ(hit->distance, 5);
    }
  }
}

TEST(LooseKd, StartAndEndOnTheSurfaceCount) {
  const LooseKd tree(flat_square(4));
  const auto hit = tree.first_hit(frame({1.3, 0, 2.1}, {0, -1, 0}));
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->distance, 0);
  EXPECT_FALSE(std::signbit(hit->distance));
  EXPECT_TRUE(tree.first_hit(frame({1.3, 0, 2.1}, {0, 1, 0})));
  EXPECT_TRUE(tree.first_hit(frame({1.3, 2.5, 2.1}, {0, -1, 0}, 2.5)));
  EXPECT_FALSE(tree.first_hit(frame({1.3, 2.5, 2.1}, {0, -1, 0}, 2.499)));
  EXPECT_FALSE(tree.first_hit(frame({1.3, -1e-4, 2.1}, {0, -1, 0})));
  EXPECT_TRUE(tree.first_hit(frame({1.3, 2.5, 2.1}, {0, -1, 0}, kInfinity)));
  EXPECT_FALSE(tree.first_hit(frame({-1, 0, 2.1}, {1, 0, 0}))) << "in the plane";
  EXPECT_TRUE(tree.first_hit(frame({1.3, -1, 2.1}, {0, 1, 0}))) << "from below";
}

TEST(LooseKd, EmptyAndDegenerateMeshesAreMissed) {
  const RayFrame down = frame({0.5, 5, 0.25}, {0, -1, 0});
  for (const LooseKd& tree : {LooseKd(), LooseKd(Mesh{})}) {
    EXPECT_FALSE(tree.first_hit(down));
    EXPECT_FALSE(tree.nearest(Vec3(0), kInfinity));
    std::vector<std::uint32_t> touched;
    tree.touched({Vec3(-9), Vec3(9)}, touched);
    EXPECT_TRUE(touched.empty());
  }
  Mesh flat;
  flat.positions = {{0, 0, 0}, {1, 0, 0.5f}, {0.5f, 0, 0.25f}};
  flat.indices = {0, 1, 2, 0, 0, 0, 0, 1, 1};
  const LooseKd tree(flat);
  EXPECT_FALSE(tree.first_hit(down));
  const auto near = tree.nearest({0.5, 2, 0.25}, 10);
  ASSERT_TRUE(near);
  EXPECT_NEAR(near->distance, 2, 1e-12);
  Mesh mixed = flat_square(2);
  mixed.indices.insert(mixed.indices.begin(), {0, 0, 1, 3, 3, 3, 0, 1, 2});
  EXPECT_EQ(LooseKd(mixed).first_hit(down)->distance, 5);
}

TEST(LooseKd, ManyEqualTrianglesMakeAShallowTree) {
  Mesh mesh;
  mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int i = 0; i < 16'000; ++i) mesh.indices.insert(mesh.indices.end(), {0, 1, 2});
  const LooseKd tree(mesh);
  std::vector<TriangleHit> all;
  tree.all_hits(frame({0.25, 1, 0.25}, {0, -1, 0}), all);
  EXPECT_EQ(all.size(), 16'000u);
}

TEST(LooseKd, BoxesThatJustTouchCount) {
  const LooseKd tree(flat_square(4));
  const auto count = [&](Box box) {
    std::vector<std::uint32_t> touched;
    tree.touched(box, touched);
    return touched.size();
  };
  EXPECT_EQ(count({{1.25, 0, 1.25}, {1.75, 1, 1.75}}), 2u) << "from above";
  EXPECT_EQ(count({{1.25, -1, 1.25}, {1.75, 0, 1.75}}), 2u) << "from below";
  EXPECT_EQ(count({{4, -1, 1.25}, {5, 1, 1.75}}), 1u + 1u) << "at the border";
  EXPECT_EQ(count({{1.25, 1e-30, 1.25}, {1.75, 1, 1.75}}), 0u);
  EXPECT_EQ(count({{2, 0, 2}, {2, 0, 2}}), 8u) << "a point at a vertex: the boxes of eight";
  EXPECT_EQ(count({{2, 0, 2}, {1, 0, 1}}), 0u) << "inverted";
}

TEST(LooseKd, QuantisedChunksLoseNoRayThatTheSnappedMeshKeeps) {
  // Four chunks around the origin, far out, meshed apart; rays at the edges that lie at seams.
  const IVec3 base(8 * 12'345, 0, -8 * 54'321);
  GridTriangles whole;
  std::vector<LooseKd> chunks;
  std::vector<std::pair<Vec3, Vec3>> seam_edges;
  for (int i = 0; i < 16; ++i) {
    const IVec3 lo = base + 8 * IVec3(i % 4 - 2, 0, i / 4 - 2) + IVec3(0, -8, 0);
    for (const int lift : {0, 8}) {
      const IVec3 from = lo + IVec3(0, lift, 0);
      const Mesh mesh = ground_mesh({from, from + IVec3(8)}, 3, 0.15);
      whole.add(mesh);
      chunks.emplace_back(mesh);
      for (std::size_t k = 0; k < mesh.indices.size(); ++k) {
        const Vec3 a = mesh.origin + Vec3(mesh.positions[mesh.indices[k]]);
        const Vec3 b = mesh.origin + Vec3(mesh.positions[mesh.indices[k / 3 * 3 + (k + 1) % 3]]);
        const Vec3 middle = 0.5 * (a + b) - Vec3(from);
        if (middle.x < 0.5 || middle.z < 0.5) seam_edges.emplace_back(a, b);
      }
    }
  }
  ASSERT_GT(seam_edges.size(), 500u);
  const PlainKd plain(whole);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> unit(0, 1);
  int hits = 0;
  for (int i = 0; i < 50'000; ++i) {
    const auto& [a, b] = seam_edges[random() % seam_edges.size()];
    const Vec3 target = i % 3 ? glm::mix(a, b, unit(random)) : a;
    const Vec3 origin = target + Vec3(unit(random) - 0.5, 1, unit(random) - 0.5) * 20.0;
    const RayFrame ray = frame(origin, target - origin);
    NearHit best;
    bool hit = false;
    for (const LooseKd& chunk : chunks) hit = chunk.trace(ray, best) || hit;
    const auto expected = plain.first_hit(ray);
    ASSERT_EQ(hit, expected.has_value()) << i;
    if (hit) {
      ASSERT_NEAR(best.t, *expected, 1e-5 * best.t);
    }
    hits += hit;
  }
  EXPECT_GT(hits, 40'000);
}

TEST(LooseKd, AChunkTakesAtMostTenBytesATriangle) {
  std::size_t bytes = 0, triangles = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Mesh mesh = ground_mesh({IVec3(-4), IVec3(4)}, seed, 0.1);
    const LooseKd tree(mesh);
    bytes += tree.bytes();
    triangles += mesh.triangle_count();
  }
  EXPECT_LE(static_cast<double>(bytes), 10.0 * static_cast<double>(triangles));
}

TEST(RayFrame, RaysThatCannotBeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(-0.0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(nan, 1, 0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(0, kInfinity, 0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0, nan, 0), Vec3(0, 1, 0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(kInfinity, 0, 0), Vec3(0, 1, 0), 1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(0, 1, 0), -1}));
  EXPECT_FALSE(make_ray_frame({Vec3(0), Vec3(0, 1, 0), nan}));
  EXPECT_TRUE(make_ray_frame({Vec3(0), Vec3(0, 1e-300, 0), 0}));
  EXPECT_TRUE(make_ray_frame({Vec3(0), Vec3(1e300, 1e300, -1e300), kInfinity}));
}

}  // namespace
}  // namespace talus
