// A piece: a component that broke off, as a rigid body sees it.
//
// The piece's own frame is the building's grid: blocks keep their cells, and all lengths here are
// metres in that frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rotation.h"
#include "mesh/mesh.h"
#include "voxel/blocks.h"

namespace talus {

/// How a block's own inertia is counted.
enum class InertiaRule {
  Shape,  // of its exact shape
  Cube,   // mass edge^2 / 6 whatever its shape, about the shape's centre: preset `classic`
};

struct Piece {
  Blocks blocks;    // ids 0, 1, 2, ... in the piece's order; all stand
  double mass = 0;  // kg
  Vec3 center{0};   // of mass
  Mat3 inertia{0};  // kg m2, about the centre, along the grid's axes
  std::vector<Vec3> contact_points;
  /// Greatest distance of a contact point from the centre.
  double radius = 0;
  /// Rock from the ground: its surface. Its blocks are only what it is made of inside; none of them
  /// was ever built.
  std::shared_ptr<const Mesh> rock;
};

/// The box around a piece may hold so many cells (200 m on a side): however few of them are filled,
/// all are looked through to find its shape.
inline constexpr std::int64_t kMostPieceCells = 64'000'000;
/// In words where the box around these blocks holds more.
std::optional<std::string> too_wide(std::span<const Block> blocks);

/// Requires blocks that do not overlap, in the order that fixes the order of the contact points,
/// and materials of the table. Throws Error for what is too wide.
Piece make_piece(std::span<const Block> blocks, std::span<const Material> materials,
                 InertiaRule rule);

/// A piece of rock with this closed surface, of blocks of one material (at least one): its vertices
/// are the contact points, its volume says what it weighs.
Piece make_rock(std::span<const Block> blocks, std::span<const Material> materials,
                InertiaRule rule, Mesh surface);

/// The cell corners on the outside of a structure, each once: blocks by id, then z, y, x of each
/// block's (size + 1)^3 corners; a corner belongs to the first block that has it. Corners with all
/// eight cells around them filled are left out. A corner that lies in the air, cut away from every
/// block around it, is pulled to its block's surface along the line to the shape's centre.
std::vector<Vec3> contact_points(const Blocks& blocks);

}  // namespace talus
