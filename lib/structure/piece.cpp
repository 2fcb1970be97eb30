#include "structure/piece.h"

#include <algorithm>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/error.h"
#include "mesh/measure.h"
#include "voxel/block_distance.h"
#include "voxel/shape.h"

namespace talus {

namespace {

constexpr int kHalvings = 16;
/// The least that a crumb of rock weighs, as a share of its cells.
constexpr double kLeastRock = 0.05;

/// What lies around a cell corner.
struct Around {
  BlockId first = kNoBlock;  // the least id
  bool full = true;          // all eight cells are filled
  bool air = true;           // no block around holds the corner itself
};

Around look_around(const Blocks& blocks, IVec3 corner) {
  Around around;
  BlockId last = kNoBlock;
  for (int i = 0; i < 8; ++i) {
    const BlockId id = blocks.at(corner - IVec3(i & 1, i >> 1 & 1, i >> 2));
    around.full &= id != kNoBlock;
    if (id == kNoBlock || id == last) continue;
    last = id;
    around.first = std::min(around.first, id);
    const Block& block = blocks[id];
    if (block.cuts.none() || inside(block, kCell * Vec3(corner))) around.air = false;
  }
  return around;
}

/// The point on the way from a corner in the air to the shape's centre where the shape begins.
Vec3 pulled_to_shape(const Block& block, Vec3 corner) {
  Vec3 out = corner, in = block.middle() + shape_mass(block.cuts).center * block.half();
  for (int i = 0; i < kHalvings; ++i) {
    const Vec3 middle = (out + in) * 0.5;
    (inside(block, middle) ? in : out) = middle;
  }
  return in;
}

void add_points_of(const Blocks& blocks, BlockId id, std::vector<Vec3>& points) {
  const Block& block = blocks[id];
  for (int z = 0; z <= block.size; ++z) {
    for (int y = 0; y <= block.size; ++y) {
      for (int x = 0; x <= block.size; ++x) {
        const IVec3 corner = block.cell + IVec3(x, y, z);
        const Around around = look_around(blocks, corner);
        if (around.full || around.first != id) continue;
        const Vec3 at = kCell * Vec3(corner);
        points.push_back(around.air ? pulled_to_shape(block, at) : at);
      }
    }
  }
}

}  // namespace

std::vector<Vec3> contact_points(const Blocks& blocks) {
  std::vector<Vec3> points;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (blocks.stands(id)) add_points_of(blocks, id, points);
  }
  return points;
}

namespace {

void set_contact_points(Piece& piece, std::vector<Vec3> points) {
  piece.contact_points = std::move(points);
  piece.radius = 0;
  for (const Vec3& p : piece.contact_points) {
    piece.radius = std::max(piece.radius, glm::distance(p, piece.center));
  }
}

}  // namespace

std::optional<std::string> too_wide(std::span<const Block> blocks) {
  if (blocks.empty()) return std::nullopt;
  IBox box = blocks.front().cells();
  for (const Block& block : blocks) {
    const IBox own = block.cells();
    box = {glm::min(box.lo, own.lo), glm::max(box.hi, own.hi)};
  }
  if (box.count() <= kMostPieceCells) return std::nullopt;
  const Vec3 size = kCell * Vec3(box.size());
  return fmt::format(
      "a piece is {} x {} x {} m: the box around one may hold {} m3; build it in "
      "parts",
      size.x, size.y, size.z, kMostPieceCells / 8);
}

Piece make_piece(std::span<const Block> blocks, std::span<const Material> materials,
                 InertiaRule rule) {
  if (const auto wide = too_wide(blocks)) throw Error(*wide, Trouble::Simulation);
  Piece piece;
  std::vector<MassProperties> parts;
  for (const Block& block : blocks) {
    piece.blocks.place(block);
    MassProperties part = block_mass(block, materials[block.material].density_kg_m3);
    if (rule == InertiaRule::Cube) {
      const double edge = 2 * block.half();
      part.inertia = Mat3(part.volume * edge * edge / 6);
    }
    piece.mass += part.volume;
    piece.center += part.center * part.volume;
    parts.push_back(part);
  }
  piece.center /= piece.mass;
  for (const MassProperties& part : parts) {
    const Vec3 d = part.center - piece.center;
    // The parallel-axis term.
    piece.inertia +=
        part.inertia + (Mat3(glm::dot(d, d)) - Mat3(d * d.x, d * d.y, d * d.z)) * part.volume;
  }
  set_contact_points(piece, contact_points(piece.blocks));
  return piece;
}

Piece make_rock(std::span<const Block> blocks, std::span<const Material> materials,
                InertiaRule rule, Mesh surface) {
  Piece piece = make_piece(blocks, materials, rule);
  // Cells are in or out; the surface knows better how much there is of it.
  const double volume = std::max(0.0, measure(std::span(&surface, 1)).volume_m3);
  const double share =
      std::max(volume * materials[blocks.front().material].density_kg_m3 / piece.mass, kLeastRock);
  piece.mass *= share;
  piece.inertia *= share;
  std::vector<Vec3> points;
  for (const Vec3f& p : surface.positions) points.push_back(surface.origin + Vec3(p));
  set_contact_points(piece, std::move(points));
  piece.rock = std::make_shared<const Mesh>(std::move(surface));
  return piece;
}

}  // namespace talus
