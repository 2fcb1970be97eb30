// Everything that stands still and can be touched: the ground and the blocks on it. Bodies, the
// walker and placement all ask it the same question: how far is the nearest surface, which way is
// out?
#pragma once

#include <memory>
#include <optional>

#include "collision/terrain_triangles.h"
#include "collision/water.h"
#include "terrain/field.h"
#include "voxel/blocks.h"

namespace talus {

/// Belongs to one thread, as its Field does.
struct Solids {
  Field ground;
  Blocks blocks;
  Water water{};
  /// The same ground as triangles, where bodies are to meet those; null: they meet the field.
  std::shared_ptr<TerrainTriangles> triangles{};
};

struct NearestSolid {
  double distance;  // metres, negative inside
  Vec3 normal;      // unit, out of the solid
  BlockId block;    // kNoBlock: the ground
};

/// The surface of least signed distance, if that is below `reach` (metres). The ground comes first,
/// then the blocks in the cells within reach in order of z, y, x; of equals the first. Cost: the
/// cells within reach.
std::optional<NearestSolid> nearest(Solids& solids, Vec3 point, double reach);

/// The same of blocks alone.
std::optional<NearestSolid> nearest_block(const Blocks& blocks, Vec3 point, double reach);

/// How near to the ground a block's cell corner must be for the ground to hold the block, metres.
inline constexpr double kAnchorReach = 0.05;
/// True where a cell corner of the block lies that near to the ground's surface, or inside.
bool ground_holds(Field& ground, const Block& block);

}  // namespace talus
