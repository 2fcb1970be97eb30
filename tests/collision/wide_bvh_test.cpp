#include "collision/wide_bvh.h"

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

Mesh ground_mesh(IBox own, std::uint32_t seed, double roughness) {
  const IBox box = with_apron(own);
  return mesh_surface_nets(random_ground({box.lo, box.size(), 1}, seed, roughness), own);
}

/// Rays through a box of the world, some along axes and through lattice points.
Ray random_ray(std::mt19937& random, const Box& box) {
  std::uniform_real_distribution<double> unit(-0.2, 1.2);
  const auto point = [&] {
    const Vec3 p = box.lo + (box.hi - box.lo) * Vec3(unit(random), unit(random), unit(random));
    return random() % 4 ? p : glm::round(p);
  };
  Ray ray;
  ray.origin = point();
  ray.direction = point() - ray.origin;
  if (random() % 3 == 0) ray.direction[static_cast<int>(random() % 3)] = random() % 2 ? 0.0 : -0.0;
  if (ray.direction == Vec3(0)) ray.direction = Vec3(0, -1, 0);
  if (random() % 3 == 0) ray.reach = 9;
  return ray;
}

TEST(WideBvh, HitsAreThoseOfBruteForce) {
  std::mt19937 random(1);
  for (std::uint32_t round = 0; round < 8; ++round) {
    const IVec3 lo = round % 2 ? IVec3(-16, -8, -16) : IVec3(800'000, -8, -700'000);
    const IBox own{lo, lo + IVec3(32, 16, 32)};
    const Mesh mesh = ground_mesh(own, round, 0.1 * round);
    const WideBvh tree(mesh);
    GridTriangles triangles;
    triangles.add(mesh);
    for (int i = 0; i < 120; ++i) {
      const auto ray = make_ray_frame(random_ray(random, {Vec3(own.lo), Vec3(own.hi)}));
      ASSERT_TRUE(ray);
      const std::vector<float> expected = brute_force_hits(triangles, *ray);
      std::vector<TriangleHit> all;
      tree.all_hits(*ray, all);
      ASSERT_EQ(all.size(), expected.size());
      const auto first = tree.first_hit(*ray);
      ASSERT_EQ(first.has_value(), !expected.empty());
      for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_NEAR(all[k].distance, expected[k] * kVertexGrid, 1e-4 * (1 + all[k].distance));
      }
      if (first) {
        EXPECT_NEAR(first->distance, all.front().distance, 1e-5);
      }
    }
  }
}

TEST(WideBvh, EveryInstructionSetFindsTheSame) {
  const Mesh mesh = ground_mesh({IVec3(-16), IVec3(16)}, 5, 0.3);
  std::vector<std::vector<TriangleHit>> hits;
  std::vector<std::vector<std::uint32_t>> touched;
  for (const std::string& level : simd_levels()) {
    ASSERT_TRUE(use_simd_level(level));
    const WideBvh tree(mesh);
    std::mt19937 random(3);
    hits.emplace_back();
    touched.emplace_back();
    for (int i = 0; i < 2000; ++i) {
      const Ray ray = random_ray(random, {Vec3(-16), Vec3(16)});
      const RayFrame frame = *make_ray_frame(ray);
      tree.all_hits(frame, hits.back());
      if (const auto first = tree.first_hit(frame)) hits.back().push_back(*first);
      tree.touched({ray.origin, ray.origin + Vec3(2)}, touched.back());
    }
  }
  use_simd_level("");
  EXPECT_GT(hits.front().size(), 500u);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    EXPECT_EQ(hits[i], hits.front());
    EXPECT_EQ(touched[i], touched.front());
  }
}

TEST(WideBvh, BoxesAndNearestPointsAreThoseOfAllTriangles) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> place(-14, 14);
  for (std::uint32_t round = 0; round < 6; ++round) {
    const Mesh mesh = ground_mesh({IVec3(-12), IVec3(12)}, round, 0.1 * round);
    const WideBvh tree(mesh);
    GridTriangles triangles;
    triangles.add(mesh);
    for (int i = 0; i < 60; ++i) {
      Vec3 lo(place(random), place(random), place(random));
      if (i % 3 == 0) lo = glm::round(lo * 1024.0) / 1024.0;
      const Box box{lo, lo + Vec3(1 + i % 3)};
      std::size_t expected = 0;
      double least = 1e300;
      for (std::size_t t = 0; t < triangles.corners.size(); ++t) {
        const Triangle c = triangles.metres(t);
        const Vec3 low = glm::min(glm::min(c[0], c[1]), c[2]);
        const Vec3 high = glm::max(glm::max(c[0], c[1]), c[2]);
        expected += low.x <= box.hi.x && low.y <= box.hi.y && low.z <= box.hi.z &&
                    high.x >= box.lo.x && high.y >= box.lo.y && high.z >= box.lo.z;
        least = std::min(least, glm::length(closest_point(triangles.metres(t, lo), Vec3(0))));
      }
      std::vector<std::uint32_t> touched;
      tree.touched(box, touched);
      EXPECT_EQ(touched.size(), expected);
      const double reach = i % 2 ? kInfinity : 2;
      const auto nearest = tree.nearest(lo, reach);
      ASSERT_EQ(nearest.has_value(), least <= reach);
      if (nearest) {
        EXPECT_NEAR(nearest->distance, least, 1e-12);
      }
    }
  }
}

TEST(WideBvh, NoRayFromInsideEscapesAtEdgesAndVertices) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> unit(0, 1);
  for (const double offset : {0.0, 1e4, 1e5, 1e6}) {
    const Mesh mesh = jittered_sphere(20, 10, Vec3(offset, -offset / 2, offset), 9);
    const WideBvh tree(mesh);
    int missed = 0;
    for (int i = 0; i < 100'000; ++i) {
      const std::size_t triangle = random() % mesh.triangle_count(), k = random() % 3;
      const auto corner = [&](std::size_t c) {
        return mesh.origin + Vec3(mesh.positions[mesh.indices[3 * triangle + c % 3]]);
      };
      const Vec3 target = i % 2 ? corner(k) : glm::mix(corner(k), corner(k + 1), unit(random));
      const Vec3 origin = mesh.origin + Vec3(unit(random), unit(random), unit(random)) * 3.0;
      missed += !tree.first_hit(*make_ray_frame({origin, target - origin, kInfinity}));
    }
    EXPECT_EQ(missed, 0) << offset;
  }
}

TEST(WideBvh, RaysFromAfarMeetOnlyChildrenThatAre) {
  // What rounding may move there is more than a node's size: every child counts as met.
  const Mesh mesh = ground_mesh({IVec3(-16, -8, -16), IVec3(16, 8, 16)}, 3, 0.2);
  const WideBvh tree(mesh);
  for (const double height : {1e6, 1e9, 1e12}) {
    const auto hit = tree.first_hit(*make_ray_frame({{0.3, height, 0.2}, {0, -1, 0}, kInfinity}));
    ASSERT_TRUE(hit) << height;
    EXPECT_NEAR(hit->distance / height, 1, 1e-5);
    EXPECT_FALSE(tree.first_hit(*make_ray_frame({{0.3, height, 0.2}, {0, 1, 0}, kInfinity})));
  }
}

TEST(WideBvh, EmptyDegenerateAndHugeMeshesAreTaken) {
  const RayFrame down = *make_ray_frame({{0.5, 5, 0.25}, {0, -1, 0}, kInfinity});
  EXPECT_FALSE(WideBvh().first_hit(down));
  EXPECT_FALSE(WideBvh(Mesh{}).nearest(Vec3(0), kInfinity));
  Mesh line;
  line.positions = {{0, 0, 0}, {1, 0, 0.5f}, {0.5f, 0, 0.25f}};
  line.indices = {0, 1, 2, 0, 0, 0, 0, 1, 1};
  EXPECT_FALSE(WideBvh(line).first_hit(down));
  EXPECT_NEAR(WideBvh(line).nearest({0.5, 2, 0.25}, 10)->distance, 2, 1e-12);
  Mesh huge;
  huge.positions = {{-1e9f, 0, -1e9f}, {1e9f, 0, -1e9f}, {0, 0, 1e9f}};
  huge.indices = {0, 2, 1};
  const auto hit = WideBvh(huge).first_hit(down);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 5, 1e-9);
  EXPECT_EQ(hit->normal, Vec3(0, 1, 0));
  Mesh equal;
  equal.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
  for (int i = 0; i < 100'000; ++i) equal.indices.insert(equal.indices.end(), {0, 1, 2});
  std::vector<TriangleHit> all;
  WideBvh(equal).all_hits(down, all);
  EXPECT_EQ(all.size(), 100'000u);
}

}  // namespace
}  // namespace talus
