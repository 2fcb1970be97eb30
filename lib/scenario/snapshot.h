// Everything solid at one moment of a run: what queries meet.
//
// Terrain is met as its triangles, structures and pieces as they are drawn (block_mesher.h), each
// piece where it is. Belongs to one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collision/solids.h"
#include "collision/terrain_triangles.h"
#include "collision/wide_bvh.h"
#include "core/rotation.h"
#include "scenario/scenario.h"

namespace talus {

struct SnapshotHit {
  TriangleHit hit;
  std::string what;  // "terrain", "standing", or the piece's name
};
struct SnapshotNearest {
  double distance = 0;  // metres, negative inside
  Vec3 normal{0};       // the way out
  std::string what;
};
/// A thing that a box meets: how many of its triangles, 0 where the box is wholly inside it.
struct SnapshotTouch {
  std::string what;
  std::size_t triangles = 0;
};

class Snapshot {
 public:
  /// A terrain and nothing on it.
  explicit Snapshot(const Terrain& terrain);
  /// A scenario as it is `at_s` seconds after its start. Cost: the run up to there. Throws Error as
  /// run() does, and where the scenario ends before.
  Snapshot(const Scenario& scenario, double at_s);
  /// Meshes, as "mesh".
  explicit Snapshot(const std::vector<Mesh>& meshes);

  std::optional<SnapshotHit> first_hit(const Ray& ray);
  /// Nearest first; on an edge of one plane, once.
  std::vector<SnapshotHit> all_hits(const Ray& ray);
  /// Terrain first, then what stands, then pieces as they broke off.
  std::vector<SnapshotTouch> touched(const Box& box);
  /// The surface of least signed distance below `reach`.
  std::optional<SnapshotNearest> nearest(Vec3 point, double reach);

 private:
  struct Thing {
    std::string what;
    Vec3 position{0};  // of its frame's origin
    Quat orientation = kNoRotation;
    Vec3 center{0};  // its frame's origin in the blocks' grid, metres
    std::vector<WideBvh> trees;
    Blocks blocks;  // none of rock, which is its triangles
  };
  void add_blocks(Thing thing, const std::vector<Block>& blocks);
  static void touch(const Thing& thing, const Box& box, std::vector<SnapshotTouch>& found);

  std::optional<TerrainTriangles> triangles_;
  std::optional<Field> field_;
  std::vector<Thing> things_;
};

}  // namespace talus
