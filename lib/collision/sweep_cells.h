// The ground around many balls, each of which sweeps a little way at a time.
//
// Space is cut into cells of a metre. The first sweep in a cell lists the triangles about it; from
// then on a sweep whose box is small runs through that list, eight boxes at a time. Balls that lie
// in one place share it. All lists are dropped when the ground is edited, or they take too much
// memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/chunk_table.h"
#include "collision/sweep_sphere.h"
#include "collision/terrain_triangles.h"

namespace talus {

class SweepCells {
 public:
  /// The cell that a ball was in last.
  struct Place {
    IVec3 at{0};
    std::uint32_t first = 0, end = 0;  // of its triangles' boxes
    std::uint32_t age = 0;             // of the lists; 0: none yet
  };

  /// What sweep_ground gives, to the bit. Always to be asked about the same ground. `last` only
  /// makes it quicker.
  std::optional<SweepHit> sweep(TerrainTriangles& ground, const SphereSweep& sweep, Place& last,
                                double before = 2);

  /// Larger sweeps go to sweep_ground, metres each way from the middle of their box.
  static constexpr double kLargest = 0.5;

 private:
  /// Boxes of a few triangles, axis by axis, in units of kGrain from the cell's low corner, rounded
  /// outward.
  static constexpr std::size_t kLanes = 8;
  using Grains = std::array<std::int16_t, 3>;
  struct Boxes {
    std::array<std::array<std::int16_t, kLanes>, 3> lo, hi;
    std::array<std::uint32_t, kLanes> triangle;  // in triangles_
  };
  struct Cell {
    std::uint32_t first = 0, end = 0;  // of boxes_
  };

  /// The cell's list, in `last`.
  void find(TerrainTriangles& ground, IVec3 at, Place& last);
  /// Which of the boxes meet [lo, hi]: 0 or -1.
  static std::array<std::int16_t, kLanes> meets(const Boxes& boxes, const Grains& lo,
                                                const Grains& hi);
  Cell make(TerrainTriangles& ground, IVec3 at);
  void add(std::uint32_t triangle, Vec3 origin, std::size_t lane);
  std::uint32_t first_of(TerrainTriangles& ground, IVec3 chunk);
  void forget_all();

  ChunkTable table_;  // place in cells_ + 1; 0: not known
  std::vector<Cell> cells_;
  std::vector<Boxes> boxes_;
  ChunkTable chunks_;                // place of a chunk's first triangle + 1
  std::vector<Triangle> triangles_;  // of chunks, by their numbers there
  std::uint32_t age_ = 1;
  std::size_t edits_ = 0;  // that the ground had when the lists were made
  std::vector<GroundTriangle> near_;
};

}  // namespace talus
