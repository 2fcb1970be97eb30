#include "voxel/shape.h"

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>

#include <glm/geometric.hpp>
#include <gtest/gtest.h>

#include "voxel/block_distance.h"

namespace talus {
namespace {

constexpr double kPi = std::numbers::pi;

Cuts random_cuts(std::mt19937& random, int kinds) {
  Cuts cuts;
  for (int edge = 0; edge < kEdges; ++edge) {
    if (random() % 3 == 0) cuts.set(edge, static_cast<Cut>(1 + random() % kinds));
  }
  return cuts;
}

/// The definition, point by point: the cube and the cuts of block.h.
bool in_shape(Cuts cuts, Vec3 p) {
  if (std::abs(p.x) > 1 || std::abs(p.y) > 1 || std::abs(p.z) > 1) return false;
  for (int edge = 0; edge < kEdges; ++edge) {
    const Vec3 out(edge_outward(edge));
    const int u = (edge_axis(edge) + 1) % 3, v = (edge_axis(edge) + 2) % 3;
    const bool in_quarter = p[u] * out[u] > 0 && p[v] * out[v] > 0;
    if (cuts.at(edge) == Cut::Bevel && glm::dot(p, out) > 1) return false;
    if (cuts.at(edge) == Cut::Ramp && glm::dot(p, out) > 0) return false;
    if (cuts.at(edge) == Cut::Round && in_quarter && p[u] * p[u] + p[v] * p[v] > 1) return false;
  }
  const IVec3 signs(p.x < 0 ? -1 : 1, p.y < 0 ? -1 : 1, p.z < 0 ? -1 : 1);
  bool ball = true;
  for (int axis = 0; axis < 3; ++axis) ball &= cuts.at(edge_index(axis, signs)) == Cut::Round;
  return !ball || glm::dot(p, p) <= 1;
}

bool closed(const Shape& shape) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const Facet& facet : shape.facets) {
    for (std::size_t i = 0; i < facet.corners.size(); ++i) {
      ++edges[{facet.corners[i], facet.corners[(i + 1) % facet.corners.size()]}];
    }
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end()) return false;
  }
  return !edges.empty();
}

TEST(Shape, EveryShapeIsClosedAndConvex) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    const Cuts cuts = random_cuts(random, 3);
    const Shape shape = make_shape(cuts, 5);
    if (shape.facets.empty()) continue;
    EXPECT_TRUE(closed(shape)) << "cuts " << cuts.bits;
    for (const Facet& facet : shape.facets) {
      EXPECT_NEAR(glm::length(facet.normal), 1, 1e-12);
      for (const Vec3& v : shape.vertices) {
        EXPECT_LE(glm::dot(facet.normal, v - shape.vertices[facet.corners[0]]), 1e-9);
      }
    }
  }
}

TEST(Shape, NoTriangleOfAFacetIsDegenerate) {
  std::mt19937 random(6);
  for (int i = 0; i < 300; ++i) {
    const Cuts cuts = random_cuts(random, 3);
    if (remaining_share(cuts) < kLeastShare) continue;
    const Shape shape = make_shape(cuts, 8);
    for (const Facet& facet : shape.facets) {
      for (std::size_t k = 1; k + 1 < facet.corners.size(); ++k) {
        const Vec3 a = shape.vertices[facet.corners[0]], b = shape.vertices[facet.corners[k]],
                   c = shape.vertices[facet.corners[k + 1]];
        EXPECT_GT(glm::length(glm::cross(b - a, c - a)), 1e-9) << "cuts " << cuts.bits;
      }
    }
  }
  EXPECT_EQ(make_shape({}, 8).facets.size(), 6u);
  EXPECT_EQ(make_shape(*named_cuts("ramp"), 8).facets.size(), 5u);
}

TEST(Shape, VolumesMatchClosedForms) {
  const auto volume = [](const char* name) { return shape_mass(*named_cuts(name)).volume; };
  EXPECT_NEAR(volume("cube"), 8, 1e-12);
  EXPECT_NEAR(volume("ramp"), 4, 1e-12);
  EXPECT_NEAR(volume("wedge roof"), 2, 1e-12);
  EXPECT_NEAR(shape_mass(Cuts{}.set(3, Cut::Bevel)).volume, 7, 1e-12);
  EXPECT_NEAR(volume("ball") / (4 * kPi / 3), 1, 0.005);
  EXPECT_NEAR(volume("pillar") / (2 * kPi), 1, 0.005);
  EXPECT_NEAR(volume("dome") / (kPi + 2 * kPi / 3), 1, 0.005);
}

TEST(Shape, InertiaMatchesClosedForms) {
  EXPECT_NEAR(shape_mass(Cuts{}).inertia[0][0], 8 * 4 / 6.0, 1e-12);
  const MassProperties ball = shape_mass(*named_cuts("ball"));
  const double solid = 0.4 * 4 * kPi / 3;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(ball.inertia[i][i] / solid, 1, 0.005);
  const MassProperties pillar = shape_mass(*named_cuts("pillar"));
  EXPECT_NEAR(pillar.inertia[1][1] / kPi, 1, 0.005);
  EXPECT_NEAR(pillar.inertia[0][0] / (2 * kPi * (3 + 4) / 12), 1, 0.005);
  // A right triangle of legs 2, drawn out by 2: I about z = m (a^2 + b^2) / 18.
  EXPECT_NEAR(shape_mass(*named_cuts("ramp")).inertia[2][2], 4 * 8 / 18.0, 1e-12);
}

TEST(Shape, MassMatchesNumericIntegration) {
  std::mt19937 random(2);
  // Different counts along the axes, so that no plane of a ramp goes through rows of points.
  constexpr int kX = 61, kY = 67, kZ = 71;
  for (int i = 0; i < 12; ++i) {
    const Cuts cuts = random_cuts(random, 3);
    const MassProperties mass = shape_mass(cuts);
    if (mass.volume < 0.5) continue;
    double volume = 0, second = 0;
    Vec3 first(0);
    constexpr double kCellVolume = 8.0 / (kX * kY * kZ);
    for (int n = 0; n < kX * kY * kZ; ++n) {
      const IVec3 at(n % kX, n / kX % kY, n / kX / kY);
      const Vec3 p = (Vec3(at) + Vec3(0.5)) * 2.0 / Vec3(kX, kY, kZ) - Vec3(1);
      if (!in_shape(cuts, p)) continue;
      volume += kCellVolume;
      first += p * kCellVolume;
      second += (p.x * p.x + p.y * p.y) * kCellVolume;
    }
    const Vec3 center = first / volume;
    EXPECT_NEAR(mass.volume / volume, 1, 0.02) << "cuts " << cuts.bits;
    EXPECT_NEAR(glm::distance(mass.center, center), 0, 0.01);
    const double about = second - volume * (center.x * center.x + center.y * center.y);
    EXPECT_NEAR(mass.inertia[2][2] / about, 1, 0.03);
  }
}

TEST(Shape, CutsThatLeaveLittleAreSeen) {
  Cuts all;
  for (int edge = 0; edge < kEdges; ++edge) all.set(edge, Cut::Ramp);
  EXPECT_LT(remaining_share(all), kLeastShare);
  EXPECT_GT(remaining_share(*named_cuts("ball")), kLeastShare);
}

TEST(Shape, MirroredCutsGiveTheMirroredShape) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    const Cuts cuts = random_cuts(random, 3);
    const Cuts mirror = mirrored(cuts, 0);
    EXPECT_EQ(mirrored(mirror, 0), cuts);
    EXPECT_NEAR(shape_mass(mirror).volume, shape_mass(cuts).volume, 1e-9);
    EXPECT_NEAR(shape_mass(mirror).center.x, -shape_mass(cuts).center.x, 1e-9);
    EXPECT_EQ(turned(turned(cuts, 1), 3), cuts);
    EXPECT_NEAR(shape_mass(turned(cuts, 1)).center.z, -shape_mass(cuts).center.x, 1e-9);
  }
}

TEST(BlockDistance, SignAgreesWithTheDefinition) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> at(-1.5, 1.5);
  for (int i = 0; i < 60; ++i) {
    const Block block{IVec3(-2), 4, 0, random_cuts(random, i % 2 ? 1 : 3)};
    if (remaining_share(block.cuts) < kLeastShare) continue;
    for (int n = 0; n < 300; ++n) {
      const Vec3 p(at(random), at(random), at(random));
      const BlockDistance d = signed_distance(block, kAllSidesOpen, p);
      if (std::abs(d.distance) > 0.01) {
        EXPECT_EQ(d.distance < 0, in_shape(block.cuts, p)) << "cuts " << block.cuts.bits;
      }
      EXPECT_NEAR(glm::length(d.normal), 1, 1e-9);
    }
  }
}

TEST(BlockDistance, MovingBackByTheDistanceMeetsTheSurface) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> at(-3, 3);
  for (int i = 0; i < 60; ++i) {
    const Block block{IVec3(-2), 4, 0, random_cuts(random, i % 2 ? 1 : 3)};
    if (remaining_share(block.cuts) < kLeastShare) continue;
    for (int n = 0; n < 100; ++n) {
      const Vec3 p(at(random), at(random), at(random));
      const BlockDistance d = signed_distance(block, kAllSidesOpen, p);
      if (d.distance <= 0) continue;
      const Vec3 q = p - d.normal * d.distance;
      EXPECT_NEAR(signed_distance(block, kAllSidesOpen, q).distance, 0, 1e-7);
      // The tangent plane there is beyond all of the shape: no nearer point exists.
      for (const Vec3& v : make_shape(block.cuts, 4).vertices) {
        EXPECT_LE(glm::dot(d.normal, v - q), 1e-6) << "cuts " << block.cuts.bits;
      }
    }
  }
}

TEST(BlockDistance, TheWayOutIsThroughAnOpenSide) {
  const Block block{IVec3(0), 2, 0, {}};
  const Vec3 p(0.1, 0.5, 0.4);
  EXPECT_EQ(signed_distance(block, kAllSidesOpen, p).normal, Vec3(-1, 0, 0));
  EXPECT_NEAR(signed_distance(block, kAllSidesOpen, p).distance, -0.1, 1e-15);
  EXPECT_EQ(signed_distance(block, 1u << 4, p).normal, Vec3(0, 0, -1));
  EXPECT_EQ(signed_distance(block, 0, p).normal, Vec3(0, 1, 0));
  // The middle is as far from every side: the first of equals.
  EXPECT_EQ(signed_distance(block, kAllSidesOpen, Vec3(0.5)).normal, Vec3(-1, 0, 0));
}

}  // namespace
}  // namespace talus
