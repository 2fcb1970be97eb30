// A ball on the move against everything that stands: blocks, the ground, a mesh.
//
// Of blocks only what air reaches is there: a face against a filled cell does not exist, nor does
// the edge between two faces of one plane, so a ball rolls over a row of blocks as over one board.
// Cuts are swept as their plane facets, 16 to a quarter circle.
//
// Paths are followed a metre or so at a time and left at the first hit: the cost grows with the way
// to it and not with how much there is elsewhere.
#pragma once

#include <optional>

#include "collision/sweep_sphere.h"
#include "collision/terrain_triangles.h"
#include "collision/wide_bvh.h"
#include "core/rotation.h"
#include "voxel/blocks.h"

namespace talus {

struct BlockSweepHit {
  SweepHit hit;
  BlockId block = kNoBlock;
};
std::optional<BlockSweepHit> sweep_blocks(const Blocks& blocks, const SphereSweep& sweep,
                                          double before = 2);
/// Triangles are hit from either side.
std::optional<SweepHit> sweep_ground(TerrainTriangles& ground, const SphereSweep& sweep,
                                     double before = 2);
std::optional<SweepHit> sweep_mesh(const WideBvh& mesh, const SphereSweep& sweep,
                                   double before = 2);

/// A frame somewhere in the world: world = position + rotate(orientation, local - center). Pieces
/// are swept in their own: hits come back with to_world.
struct SweepFrame {
  Vec3 position{0}, center{0};
  Quat orientation = kNoRotation;
};
SphereSweep to_local(const SweepFrame& frame, const SphereSweep& sweep);
SweepHit to_world(const SweepFrame& frame, SweepHit hit);

}  // namespace talus
