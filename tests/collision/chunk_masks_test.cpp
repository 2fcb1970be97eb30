#include "collision/chunk_masks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include <glm/common.hpp>
#include <gtest/gtest.h>

#include "core/simd.h"
#include "meshing/mesher.h"
#include "support/plain_masks.h"
#include "support/random_ground.h"

namespace talus {
namespace {

std::array<std::uint8_t, kNeighbourhoodCount> read_neighbourhood(IVec3 chunk, const VoxelAt& at) {
  std::array<std::uint8_t, kNeighbourhoodCount> voxels;
  for (int i = 0; i < 1000; ++i) {
    voxels[static_cast<std::size_t>(i)] =
        at(neighbourhood_origin(chunk) + IVec3(i % 10, i / 10 % 10, i / 100));
  }
  return voxels;
}

VoxelSource source_of(const VoxelAt& at) {
  return [at](IVec3 first, std::span<std::uint8_t, kNeighbourhoodCount> voxels) {
    for (int i = 0; i < 1000; ++i) {
      voxels[static_cast<std::size_t>(i)] = at(first + IVec3(i % 10, i / 10 % 10, i / 100));
    }
  };
}

/// Every instruction set that is there.
class ChunkMasksAtLevel : public testing::TestWithParam<std::string> {
  void SetUp() override { ASSERT_TRUE(use_simd_level(GetParam())); }
  void TearDown() override { use_simd_level(""); }
};
INSTANTIATE_TEST_SUITE_P(Levels, ChunkMasksAtLevel, testing::ValuesIn(simd_levels()),
                         [](const auto& info) { return info.param; });

TEST_P(ChunkMasksAtLevel, EqualThePlainLoopsBitForBit) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const unsigned rarity = 1u << (round % 12);
    std::map<std::tuple<int, int, int>, std::uint8_t> voxels;
    const VoxelAt at = [&](IVec3 p) {
      const auto [entry, fresh] = voxels.try_emplace({p.x, p.y, p.z});
      if (fresh && random() % rarity == 0) entry->second = static_cast<std::uint8_t>(random() % 4);
      return entry->second;
    };
    const IVec3 chunk(round % 5 - 2, round % 3 - 1, round % 7 - 3);
    EXPECT_EQ(chunk_masks(read_neighbourhood(chunk, at)), plain_masks(chunk, at)) << round;
  }
}

TEST_P(ChunkMasksAtLevel, OneVoxelSetsItsNeighboursWhereverItIs) {
  for (int place = 0; place < 1000; ++place) {
    std::array<std::uint8_t, kNeighbourhoodCount> voxels{};
    voxels[static_cast<std::size_t>(place)] = kWater;
    const IVec3 p(place % 10 - 1, place / 10 % 10 - 1, place / 100 - 1);
    const VoxelAt at = [&](IVec3 q) { return static_cast<std::uint8_t>(q == p ? kWater : kAir); };
    EXPECT_EQ(chunk_masks(voxels), plain_masks(IVec3(0), at)) << place;
  }
}

/// A map of random ground over chunks, its samples reaching past them.
struct World {
  Samples samples;
  IBox chunks;
  MaskMap map;
  VoxelAt voxel = [this](IVec3 p) {
    const IVec3 at = p - samples.lattice.origin;
    if (samples.solid.at(at.x, at.y, at.z)) return kSolid;
    return p.y < -2 ? kWater : kAir;
  };

  World(IBox chunk_box, std::uint32_t seed, double roughness) : chunks(chunk_box) {
    const IBox box{kChunkSide * chunks.lo - IVec3(3), kChunkSide * chunks.hi + IVec3(3)};
    samples = random_ground({box.lo, box.size(), 1}, seed, roughness);
    refresh(map, chunks, source_of(voxel));
  }
  World(const World&) = delete;

  /// The meshes of the chunks, each chunk for itself.
  std::int64_t count_uncovered(std::int64_t& checked) const {
    std::int64_t uncovered = 0;
    for (int i = 0; i < chunks.count(); ++i) {
      const IVec3 size = chunks.size();
      const IVec3 chunk = chunks.lo + IVec3(i % size.x, i / size.x % size.y, i / size.x / size.y);
      for (const auto mesher : {mesh_surface_nets, mesh_marching_cubes, mesh_blocks}) {
        uncovered += uncovered_cells(mesh_chunk(mesher, chunk), checked);
      }
    }
    return uncovered;
  }

 private:
  Mesh mesh_chunk(MeshFunction mesher, IVec3 chunk) const {
    const IBox own{kChunkSide * chunk, kChunkSide * (chunk + IVec3(1))};
    const IBox box = with_apron(own);
    const Lattice part{box.lo, box.size(), 1};
    std::vector<float> density;
    for (int k = 0; k < part.size.z; ++k) {
      for (int j = 0; j < part.size.y; ++j) {
        for (int x = 0; x < part.size.x; ++x) {
          const IVec3 at = part.origin + IVec3(x, j, k) - samples.lattice.origin;
          density.push_back(samples.density[samples.lattice.index(at.x, at.y, at.z)]);
        }
      }
    }
    return mesher(make_samples(part, std::move(density)), own, {.merge = false});
  }
  /// Voxels that the box of a triangle touches but whose bit is clear; voxels outside are left out.
  std::int64_t uncovered_cells(const Mesh& mesh, std::int64_t& checked) const {
    std::int64_t uncovered = 0;
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      Vec3 lo(1e9), hi(-1e9);
      for (std::size_t corner = 0; corner < 3; ++corner) {
        const Vec3 p = mesh.origin + Vec3(mesh.positions[mesh.indices[3 * t + corner]]);
        lo = glm::min(lo, p);
        hi = glm::max(hi, p);
      }
      const IVec3 first(glm::floor(lo)), last(glm::floor(hi));
      for (int z = first.z; z <= last.z; ++z) {
        for (int y = first.y; y <= last.y; ++y) {
          for (int x = first.x; x <= last.x; ++x) {
            const IVec3 chunk(x >> 3, y >> 3, z >> 3);
            if (!chunks.contains(chunk)) continue;
            ++checked;
            const ChunkMasks masks = map.get(chunk);
            uncovered +=
                !(masks.solid[static_cast<std::size_t>(y & 7)] >> ((x & 7) + 8 * (z & 7)) & 1);
          }
        }
      }
    }
    return uncovered;
  }
};

TEST(MaskMap, NoTriangleLiesInAClearCell) {
  std::int64_t checked = 0;
  for (std::uint32_t seed = 1; checked < 3'000'000; ++seed) {
    const World world({{-2, -2, -2}, {2, 2, 2}}, seed, 0.1 * (seed % 8));
    ASSERT_EQ(world.count_uncovered(checked), 0) << "seed " << seed;
  }
}

TEST(MaskMap, EditsReachEveryChunkThatSeesThem) {
  World world({{-2, -2, -2}, {2, 2, 2}}, 3, 0.2);
  std::mt19937 random(11);
  const auto within = [&](int lo, int hi) {
    return lo + static_cast<int>(random() % static_cast<unsigned>(hi - lo));
  };
  for (int round = 0; round < 200; ++round) {
    IBox edit;
    for (int axis = 0; axis < 3; ++axis) {
      edit.lo[axis] = within(-17, 17);
      edit.hi[axis] = std::min(18, edit.lo[axis] + within(1, 6));
    }
    const float value = random() % 2 ? 1.5f : -0.5f;
    const IVec3 shift = world.samples.lattice.origin;
    for (int z = edit.lo.z; z < edit.hi.z; ++z) {
      for (int y = edit.lo.y; y < edit.hi.y; ++y) {
        for (int x = edit.lo.x; x < edit.hi.x; ++x) {
          world.samples
              .density[world.samples.lattice.index(x - shift.x, y - shift.y, z - shift.z)] = value;
        }
      }
    }
    world.samples.solid = solid_bits(world.samples.lattice.size, world.samples.density);
    IBox seen = chunks_seeing(edit);
    seen = {glm::max(seen.lo, world.chunks.lo), glm::min(seen.hi, world.chunks.hi)};
    refresh(world.map, seen, source_of(world.voxel));
  }
  for (int i = 0; i < 64; ++i) {
    const IVec3 chunk(i % 4 - 2, i / 4 % 4 - 2, i / 16 - 2);
    EXPECT_EQ(world.map.get(chunk), plain_masks(chunk, world.voxel));
  }
  std::int64_t checked = 0;
  EXPECT_EQ(world.count_uncovered(checked), 0);
  EXPECT_GT(checked, 10'000);
}

TEST(MaskMap, BoxesFindWhatThePlainLoopsFind) {
  const World world({{-2, -2, -2}, {2, 2, 2}}, 5, 0.3);
  std::mt19937 random(13);
  std::uniform_real_distribution<double> place(-18, 18), size(0, 1);
  for (int round = 0; round < 3000; ++round) {
    const double edge = round % 4 == 0 ? 20 : round % 4;
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lo[axis] = round % 5 == 0 ? std::floor(place(random)) : place(random);
      box.hi[axis] = box.lo[axis] + (round % 5 == 0 ? edge : edge * size(random));
    }
    std::vector<std::tuple<int, int, int, int>> found, expected;
    world.map.for_each_touched(
        box, [&](IVec3 c, std::uint8_t matter) { found.emplace_back(c.z, c.y, c.x, matter); });
    for (int i = 0; i < 64; ++i) {
      const IVec3 c(i % 4 - 2, i / 4 % 4 - 2, i / 16 - 2);
      const std::uint8_t matter = plain_touched(world.map.get(c), c, box);
      if (matter) expected.emplace_back(c.z, c.y, c.x, matter);
    }
    ASSERT_EQ(found, expected) << round;
  }
}

TEST(MaskMap, BoxesThatEndOnAVoxelTouchIt) {
  MaskMap map;
  ChunkMasks masks;
  masks.solid[3] = 1ull << (4 + 8 * 5);  // voxel (4, 3, 5)
  map.set(IVec3(0), masks);
  EXPECT_EQ(map.touched({{3, 2, 4}, {4, 3, 5}}), kSolid);
  EXPECT_EQ(map.touched({{3, 2, 4}, {std::nextafter(4.0, 0.0), 3, 5}}), kAir);
  EXPECT_EQ(map.touched({{4.9, 3.9, 5.9}, {9, 9, 9}}), kSolid);
  EXPECT_EQ(map.touched({{5, 3, 5}, {9, 9, 9}}), kAir);
  EXPECT_EQ(map.touched({{6, 6, 6}, {4, 3, 5}}), kAir) << "an inverted box holds nothing";
}

TEST(MaskMap, EmptyAndFullChunksKeepNoMaskAndTheRestTwoBitsAVoxel) {
  MaskMap map;
  ChunkMasks full;
  full.solid.fill(~0ull);
  ChunkMasks some;
  some.water[2] = 5;
  map.set({0, 0, 0}, full);
  map.set({1, 0, 0}, ChunkMasks{});
  EXPECT_EQ(map.stored(), 0u);
  EXPECT_EQ(map.get({0, 0, 0}), full);
  map.set({-1, 0, 0}, some);
  EXPECT_EQ(map.stored(), 1u);
  map.set({-1, 0, 0}, full);
  EXPECT_EQ(map.stored(), 0u);
  EXPECT_EQ(map.get({-1, 0, 0}), full);
  EXPECT_EQ(8 * sizeof(ChunkMasks), 2 * 512u);

  const World world({{-8, -8, -8}, {8, 8, 8}}, 2, 0);
  EXPECT_LE(8.0 * static_cast<double>(world.map.bytes()), 2.0 * 512 * 16 * 16 * 16);
}

}  // namespace
}  // namespace talus
