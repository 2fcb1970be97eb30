// The ground as the triangles that are drawn: what rays and bodies meet.
//
// Chunks of 8^3 m are meshed, and their trees built, when something first touches them; the last
// used are kept, up to a bound. Digging forgets the chunks that see it, so that no answer ever
// comes from the ground of before. The meshes are those that `talus mesh` writes for a step of 1 m,
// vertex by vertex.
//
// Belongs to one thread. Answers depend on the terrain and its edits only, never on what was asked
// before.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collision/chunk_table.h"
#include "collision/edit_index.h"
#include "collision/loose_kd.h"
#include "meshing/mesher.h"
#include "terrain/terrain.h"
#include "voxel/samples.h"

namespace talus {

struct TriangleCacheSettings {
  double cache_mib = 64;  // trees and tables kept, MiB; above 0
  Mesher mesher = Mesher::SurfaceNets;
};

struct TriangleCacheStatistics {
  std::uint64_t hits = 0, misses = 0;  // chunks that were there, and that had to be made
  std::uint64_t evictions = 0;         // chunks that had to go
  std::size_t chunks = 0, bytes = 0;   // kept now
};

/// A triangle of the ground: its chunk, and its number in the chunk's tree. Good until the next
/// edit.
struct GroundTriangle {
  IVec3 chunk{0};
  std::uint32_t triangle = 0;
  Triangle corners{};  // metres, world
};
struct GroundHit {
  TriangleHit hit;
  IVec3 chunk{0};
};

class TerrainTriangles {
 public:
  explicit TerrainTriangles(Terrain terrain, TriangleCacheSettings settings = {});

  const Terrain& terrain() const { return terrain_; }
  /// Digs or fills, from now on.
  void edit(const Brush& brush);
  TriangleCacheStatistics statistics() const;

  /// Rays reach no farther than this, metres.
  static constexpr double kFarthestReach = 100'000;

  /// The tree of a chunk, empty where it has no surface; good until the next call of any kind.
  const LooseKd& chunk(IVec3 chunk);
  std::optional<GroundHit> first_hit(const RayFrame& ray);
  /// Every hit within reach, nearest first, added to `hits`.
  void all_hits(const RayFrame& ray, std::vector<GroundHit>& hits);
  /// The triangles whose own box touches the box, added to `triangles`, chunks in order of z, y, x.
  /// Cost: the chunks that the box meets.
  void touched(const Box& box, std::vector<GroundTriangle>& triangles);
  /// The nearest point of the surface, at most `reach` metres away. Cost: the chunks within reach.
  std::optional<NearestPoint> nearest(Vec3 point, double reach);

 private:
  struct Entry {
    LooseKd tree;
    IVec3 chunk{0};
    std::uint64_t last_used = 0;
  };
  /// A chunk's place: not known, known to hold no surface, or place + kFirstPlace of entries_.
  static constexpr std::uint32_t kUnknown = 0, kEmpty = 1, kFirstPlace = 2;

  const LooseKd& use(IVec3 chunk, std::uint32_t place);
  const LooseKd& make(IVec3 chunk);
  void read_samples(const IBox& box);
  void make_room();
  void forget(IVec3 chunk);
  void forget_all();

  Terrain terrain_;
  EditIndex edits_;
  TriangleCacheSettings settings_;
  TriangleCacheStatistics statistics_;
  ChunkTable table_;
  std::vector<Entry> entries_;
  std::size_t bytes_ = 0;  // of the trees
  std::uint64_t clock_ = 0;
  LooseKd none_;
  Samples samples_;
};

}  // namespace talus
