#include "collision/solids.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "voxel/block_distance.h"

namespace talus {

namespace {

int cell_of(double coordinate) {
  return static_cast<int>(
      std::clamp(std::floor(coordinate / kCell), -double{kFarthestCell}, double{kFarthestCell}));
}

void offer(const Blocks& blocks, BlockId id, Vec3 point, double reach,
           std::optional<NearestSolid>& best) {
  const Block& block = blocks[id];
  BlockDistance found = signed_distance(block, kAllSidesOpen, point);
  // Which sides are open only matters to a point inside.
  if (found.distance <= 0) found = signed_distance(block, open_sides(blocks, block), point);
  if (found.distance < (best ? best->distance : reach)) {
    best = NearestSolid{found.distance, found.normal, id};
  }
}

void offer_blocks(const Blocks& blocks, Vec3 point, double reach,
                  std::optional<NearestSolid>& best) {
  const IVec3 lo(cell_of(point.x - reach), cell_of(point.y - reach), cell_of(point.z - reach));
  const IVec3 hi(cell_of(point.x + reach), cell_of(point.y + reach), cell_of(point.z + reach));
  // Asking a block twice changes nothing, so only the last one is remembered.
  BlockId last = kNoBlock;
  for (int z = lo.z; z <= hi.z; ++z) {
    for (int y = lo.y; y <= hi.y; ++y) {
      for (int x = lo.x; x <= hi.x; ++x) {
        const BlockId id = blocks.at({x, y, z});
        if (id == kNoBlock || id == last) continue;
        last = id;
        offer(blocks, id, point, reach, best);
      }
    }
  }
}

}  // namespace

std::optional<NearestSolid> nearest(Solids& solids, Vec3 point, double reach) {
  std::optional<NearestSolid> best;
  const NearestSurface ground = solids.ground.nearest(point);
  if (ground.distance < reach) best = NearestSolid{ground.distance, ground.normal, kNoBlock};
  if (solids.blocks.count() > 0) offer_blocks(solids.blocks, point, reach, best);
  return best;
}

std::optional<NearestSolid> nearest_block(const Blocks& blocks, Vec3 point, double reach) {
  std::optional<NearestSolid> best;
  offer_blocks(blocks, point, reach, best);
  return best;
}

bool ground_holds(Field& ground, const Block& block) {
  // Lowest corners first: that is where blocks stand.
  for (int y = 0; y <= block.size; ++y) {
    for (int z = 0; z <= block.size; ++z) {
      for (int x = 0; x <= block.size; ++x) {
        const Vec3 corner = kCell * Vec3(block.cell + IVec3(x, y, z));
        if (ground.nearest(corner).distance <= kAnchorReach) return true;
      }
    }
  }
  return false;
}

}  // namespace talus
