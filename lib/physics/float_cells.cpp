#include "physics/float_cells.h"

#include "voxel/block_distance.h"
#include "voxel/shape.h"

namespace talus {

namespace {

constexpr double kCellVolume = kCell * kCell * kCell, kCellFace = kCell * kCell;
constexpr int kParts = 4;  // points along a cell's edge that tell what cuts left of it

/// The volume and middle of what cuts leave of one cell, in points.
FloatCell part_of_cell(const Block& block, IVec3 cell) {
  FloatCell part;
  for (int i = 0; i < kParts * kParts * kParts; ++i) {
    const IVec3 at(i % kParts, i / kParts % kParts, i / (kParts * kParts));
    const Vec3 point = kCell * (Vec3(cell) + (Vec3(at) + Vec3(0.5)) / double{kParts});
    if (!inside(block, point)) continue;
    part.middle += point;
    part.volume += 1;
  }
  if (part.volume > 0) part.middle /= part.volume;
  return part;
}

double open_faces(const Blocks& blocks, IVec3 cell) {
  int open = 0;
  for (int side = 0; side < kSides; ++side) open += blocks.at(cell + side_normal(side)) == kNoBlock;
  return open * kCellFace;
}

void add_block(const Piece& piece, const Block& block, std::vector<FloatCell>& cells) {
  const std::size_t first = cells.size();
  double points = 0;
  const IBox box = block.cells();
  for (int z = box.lo.z; z < box.hi.z; ++z) {
    for (int y = box.lo.y; y < box.hi.y; ++y) {
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        const IVec3 cell(x, y, z);
        FloatCell part{kCell * (Vec3(cell) + Vec3(0.5)), kCellVolume, 0};
        if (!block.cuts.none()) part = part_of_cell(block, cell);
        if (!(part.volume > 0)) continue;
        part.middle -= piece.center;
        part.face = open_faces(piece.blocks, cell);
        points += part.volume;
        cells.push_back(part);
      }
    }
  }
  if (block.cuts.none()) return;
  const double volume = block_mass(block, 1).volume;
  if (points == 0) {  // too thin for the points
    const Vec3 center = block_mass(block, 1).center;
    cells.push_back({center - piece.center, volume, kSides * kCellFace});
    return;
  }
  for (std::size_t i = first; i < cells.size(); ++i) cells[i].volume *= volume / points;
}

}  // namespace

std::vector<FloatCell> float_cells(const Piece& piece) {
  std::vector<FloatCell> cells;
  for (BlockId id = 0; id < piece.blocks.id_end(); ++id) add_block(piece, piece.blocks[id], cells);
  return cells;
}

}  // namespace talus
