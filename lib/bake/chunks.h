// A region cut into chunks of the world's lattice.
//
// Chunk c owns the lattice points [c * side, (c + 1) * side), whatever the region, so that two
// bakes that overlap agree on where their tiles stand; at the region's faces it owns what is
// inside.
#pragma once

#include <cstdint>
#include <string>

#include "core/box.h"

namespace talus {

/// Chunks in order: y fastest, then x, then z: a terrain works out the columns of chunks that stand
/// on one another once. Takes no memory, however many there are.
class ChunkGrid {
 public:
  /// `side` in points, 4 to 128. Throws Error when the region is empty, reaches past
  /// +-kMostLatticePoint, or has more than 2^31 chunks.
  ChunkGrid(const IBox& region, int side);

  std::uint64_t count() const;
  IVec3 counts() const { return chunks_.size(); }
  IVec3 first() const { return chunks_.lo; }
  /// The chunk's coordinate.
  IVec3 coordinate(std::uint64_t item) const;
  /// The lattice points it owns; never empty.
  IBox own(IVec3 coordinate) const;

 private:
  IBox region_;
  IBox chunks_;
  int side_;
};

/// Lattice coordinates of a region are at most this, either way: aprons and sizes fit 32 bits.
inline constexpr int kMostLatticePoint = (1 << 30) - 1;

/// "tile", (1, 0, -2) -> "tile_1_0_-2"
std::string chunk_name(const char* prefix, IVec3 coordinate);

}  // namespace talus
