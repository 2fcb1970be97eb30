#include "meshing/mesher.h"

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "core/random.h"
#include "core/simd.h"
#include "support/plain_meshers.h"
#include "support/surface_check.h"
#include "terrain/preset.h"

namespace talus {
namespace {

using Density = std::function<double(IVec3)>;

Samples sample(const IBox& own, double step, const Density& density) {
  const IBox box = with_apron(own);
  std::vector<float> values;
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x)
        values.push_back(density_to_float(density({x, y, z})));
    }
  }
  return make_samples(Lattice{box.lo, box.size(), step}, std::move(values));
}

/// A number in [0, 1) for every place.
double random_at(std::uint32_t seed, IVec3 p) {
  Mulberry32 random(seed * 73856093u ^ static_cast<std::uint32_t>(p.x) * 19349663u ^
                    static_cast<std::uint32_t>(p.y) * 83492791u ^
                    static_cast<std::uint32_t>(p.z) * 2654435761u);
  random.next();
  return random.next();
}

/// Noise of several kinds inside a box, air around it: every corner mask, at once and side by side.
Density white_noise(std::uint32_t seed, int kind, const IBox& inside) {
  return [=](IVec3 p) -> double {
    if (!inside.contains(p)) return -1;
    const double r = random_at(seed, p);
    switch (kind) {
      case 0:
        return 2 * r - 1;
      case 1:
        return r < 0.5 ? -1 : 1;
      case 2:
        return std::floor(3 * r) - 1;  // zero counts as air
      case 3:
        return r < 0.5 ? -1e-30 : 2 * r;  // crossings at the very ends of edges
      default:
        return r < 0.7 ? r : -1e-7;  // mostly rock
    }
  };
}

std::vector<IBox> chunks_of(const IBox& region, int side) {
  std::vector<IBox> chunks;
  for (int z = region.lo.z; z < region.hi.z; z += side) {
    for (int y = region.lo.y; y < region.hi.y; y += side) {
      for (int x = region.lo.x; x < region.hi.x; x += side) {
        chunks.push_back({{x, y, z},
                          {std::min(x + side, region.hi.x), std::min(y + side, region.hi.y),
                           std::min(z + side, region.hi.z)}});
      }
    }
  }
  return chunks;
}

class EveryMesher : public testing::TestWithParam<Mesher> {
 protected:
  Mesh mesh(const Samples& samples, const IBox& own) const {
    return mesh_function(GetParam())(samples, own, {.merge = false});
  }
  Mesh mesh(const IBox& own, double step, const Density& density) const {
    return mesh(sample(own, step, density), own);
  }
  bool blocks() const { return GetParam() == Mesher::Blocks; }
};

INSTANTIATE_TEST_SUITE_P(All, EveryMesher,
                         testing::Values(Mesher::SurfaceNets, Mesher::MarchingCubes,
                                         Mesher::Blocks),
                         [](const auto& info) {
                           std::string name = mesher_name(info.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryMesher, MeshIsClosedForAllCornerMasks) {
  const IBox own{{0, 0, 0}, {4, 4, 4}};
  for (int mask = 1; mask < 256; ++mask) {
    const Mesh m = mesh(own, 1, [&](IVec3 p) -> double {
      const IVec3 c = p - IVec3(1);
      if (c.x < 0 || c.x > 1 || c.y < 0 || c.y > 1 || c.z < 0 || c.z > 1) return -1;
      return mask >> (c.x + 2 * c.y + 4 * c.z) & 1 ? 0.7 : -1;
    });
    const SurfaceCheck check = check_surface({m});
    EXPECT_GT(m.triangle_count(), 0u) << mask;
    EXPECT_EQ(check.open_edges, 0) << mask;
    EXPECT_EQ(check.degenerate, 0) << mask;
    EXPECT_EQ(check.bad_normals, 0) << mask;
    EXPECT_GT(check.volume, 0) << mask;
    if (!blocks()) {
      EXPECT_TRUE(check.closed_and_clean()) << mask << ": " << check.text();
      EXPECT_EQ(check.doubled_vertices, 0) << mask;
    }
  }
}

TEST_P(EveryMesher, MeshIsClosedForWhiteNoise) {
  const IBox own{{-3, 5, -40}, {67, 29, -17}};  // rows longer than a 64-bit word
  const IBox inside{own.lo + IVec3(1), own.hi - IVec3(1)};
  for (int kind = 0; kind < 5; ++kind) {
    const Mesh m = mesh(own, 1, white_noise(7, kind, inside));
    const SurfaceCheck check = check_surface({m});
    EXPECT_GT(m.triangle_count(), 10000u);
    EXPECT_EQ(check.open_edges, 0) << kind;
    EXPECT_EQ(check.degenerate, 0) << kind;
    EXPECT_EQ(check.bad_normals, 0) << kind;
    if (!blocks()) {
      EXPECT_TRUE(check.closed_and_clean()) << kind << ": " << check.text();
      EXPECT_EQ(check.doubled_vertices, 0) << kind;
    }
  }
}

TEST_P(EveryMesher, ChunkedEqualsWhole) {
  const IBox region{{-70, -9, 30}, {-1, 13, 61}};
  for (const double step : {1.0, 0.375}) {
    const Density density = white_noise(11, 0, region);
    const Mesh whole = mesh(region, step, density);
    for (const int side : {5, 16, 32}) {
      std::vector<Mesh> parts;
      for (const IBox& chunk : chunks_of(region, side)) parts.push_back(mesh(chunk, step, density));
      EXPECT_EQ(sorted_triangles(parts), sorted_triangles({whole})) << side;
    }
  }
}

TEST_P(EveryMesher, NoVertexIsUnused) {
  const IBox own{{0, 0, 0}, {9, 8, 7}};
  const Mesh m = mesh(own, 1, white_noise(3, 0, with_apron(own)));
  std::vector<bool> used(m.positions.size());
  for (const std::uint32_t v : m.indices) used.at(v) = true;
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0);
}

TEST_P(EveryMesher, FarAwayTheSameShapeHasTheSameBits) {
  const IBox own{{0, 0, 0}, {24, 24, 24}};
  const IBox inside{IVec3(2), IVec3(22)};
  const Density density = white_noise(5, 0, inside);
  const Mesh near = mesh(own, 1, density);
  for (const IVec3 far : {IVec3(-6455808, 0, 17), IVec3(10000000, -40, -10000000)}) {
    const Mesh m =
        mesh(IBox{own.lo + far, own.hi + far}, 1, [&](IVec3 p) { return density(p - far); });
    EXPECT_EQ(m.origin, Vec3(far));
    EXPECT_EQ(m.positions, near.positions);
    EXPECT_EQ(m.normals, near.normals);
    EXPECT_EQ(m.indices, near.indices);
  }
}

TEST_P(EveryMesher, NormalsPointOutOfASphere) {
  const IBox own{IVec3(-12), IVec3(12)};
  const Mesh m =
      mesh(own, 1, [](IVec3 p) { return 9.3 - std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z); });
  ASSERT_FALSE(m.empty());
  for (std::size_t i = 0; i < m.positions.size(); ++i) {
    const Vec3 p = m.origin + Vec3(m.positions[i]);
    const Vec3 n(m.normals[i]);
    const double along =
        (p.x * n.x + p.y * n.y + p.z * n.z) / std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    EXPECT_GT(along, blocks() ? 0.0 : 0.98);
  }
  for (const Triangle& t : sorted_triangles({m})) {
    Vec3 c[3];
    for (std::size_t i = 0; i < 3; ++i)
      c[i] = {t[i].position[0], t[i].position[1], t[i].position[2]};
    const Vec3 a = c[1] - c[0], b = c[2] - c[0];
    const Vec3 normal(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
    EXPECT_GT(normal.x * c[0].x + normal.y * c[0].y + normal.z * c[0].z, 0);
  }
}

TEST_P(EveryMesher, VolumeOfASphereConvergesWithTheStep) {
  constexpr double kRadius = 5.3;
  const double exact = 4.0 / 3 * std::numbers::pi * kRadius * kRadius * kRadius;
  double error = 1;
  for (const double step : {1.0, 0.5, 0.25}) {
    const int n = static_cast<int>(7 / step);
    const Mesh m = mesh({IVec3(-n), IVec3(n)}, step, [&](IVec3 p) {
      const Vec3 at = step * Vec3(p);
      return kRadius - std::sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
    });
    const double now = std::abs(check_surface({m}).volume / exact - 1);
    EXPECT_LT(now, (blocks() ? 0.15 : 0.06) * step) << step;
    if (!blocks()) {
      EXPECT_LT(now, error);
    }
    error = now;
  }
}

TEST_P(EveryMesher, VolumeOfABoxConvergesWithTheStep) {
  const Vec3 half(3.4, 2.6, 4.3);
  const double exact = 8 * half.x * half.y * half.z;
  for (const double step : {1.0, 0.5, 0.25, 0.125}) {
    const int n = static_cast<int>(6 / step);
    const Mesh m = mesh({IVec3(-n), IVec3(n)}, step, [&](IVec3 p) {
      const Vec3 at = step * Vec3(p);
      return std::min({half.x - std::abs(at.x), half.y - std::abs(at.y), half.z - std::abs(at.z)});
    });
    // Blocks are off by up to half a step on every side, the others in edges and corners only.
    const double bound = (blocks() ? 0.5 : 0.08) * step;
    EXPECT_LT(std::abs(check_surface({m}).volume / exact - 1), bound) << step;
  }
}

/// check(samples, own) for noise of every kind on grids narrower and wider than a word, at every
/// instruction set.
template <class Check>
void for_each_noisy_grid(const Check& check) {
  for (const std::string& level : simd_levels()) {
    ASSERT_TRUE(use_simd_level(level));
    for (const IVec3 size : {IVec3(9, 8, 7), IVec3(33, 3, 4), IVec3(70, 5, 4)}) {
      for (int kind = 0; kind < 5; ++kind) {
        const IBox own{{-5, 3, 2}, IVec3(-5, 3, 2) + size};
        SCOPED_TRACE(level + ", kind " + std::to_string(kind));
        check(sample(own, 1, white_noise(13, kind, with_apron(own))), own);
      }
    }
  }
  use_simd_level(simd_levels().front());
}

TEST(SurfaceNets, TrianglesAreThoseOfThePlainForm) {
  for_each_noisy_grid([](const Samples& samples, const IBox& own) {
    const auto expected = plain_surface_nets(samples, own.size());
    ASSERT_GT(expected.size(), 100u);
    EXPECT_TRUE(place_triangles(mesh_surface_nets(samples, own)) == expected);
  });
}

TEST(MarchingCubes, PolygonsAreThoseOfThePlainForm) {
  for_each_noisy_grid([](const Samples& samples, const IBox& own) {
    const auto expected = plain_cell_segments(samples, own.size());
    ASSERT_GT(expected.size(), 100u);
    EXPECT_TRUE(cell_segments(mesh_marching_cubes(samples, own)) == expected);
  });
}

TEST(Blocks, MergingKeepsTheSurface) {
  const IBox own{{-3, 5, -40}, {67, 29, -17}};
  const Samples samples =
      sample(own, 1, white_noise(7, 1, own));  // solid up to its border: still closed
  const Mesh merged = mesh_blocks(samples, own);
  const Mesh faces = mesh_blocks(samples, own, {.merge = false});
  EXPECT_LT(merged.triangle_count(), faces.triangle_count() * 0.9);
  const SurfaceCheck a = check_surface({merged}), b = check_surface({faces});
  EXPECT_EQ(a.area, b.area);
  EXPECT_NEAR(a.volume, b.volume, 1e-6);
  std::int64_t owned = 0;
  for (int z = 0; z < own.size().z; ++z) {
    for (int y = 0; y < own.size().y; ++y) {
      for (int x = 0; x < own.size().x; ++x) {
        owned += samples.solid.at(x + kApron, y + kApron, z + kApron) ? 1 : 0;
      }
    }
  }
  EXPECT_NEAR(b.volume, static_cast<double>(owned), 1e-6);
}

TEST(Blocks, AFlatPlainIsOneRectangle) {
  const IBox own{{0, 0, 0}, {40, 8, 50}};
  const Mesh m = mesh_blocks(sample(own, 1, [](IVec3 p) { return 3.5 - p.y; }), own);
  EXPECT_EQ(m.triangle_count(), 2u);
  EXPECT_EQ(check_surface({m}).area, 40.0 * 50.0);
}

}  // namespace
}  // namespace talus
