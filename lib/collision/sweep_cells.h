// The ground around many balls, each of which sweeps a little way at a time.
//
// Space is cut into cells of a metre. The first sweep in a cell copies the triangles about it out
// of the trees; from then on a sweep whose box is small runs through that list. Balls that lie in
// one place share it. Lists are dropped when the ground is edited, and all of them when they take
// too much memory.
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
    std::uint32_t first = 0, end = 0;  // of its triangles
    std::uint32_t age = 0;             // of the lists; 0: none yet
  };

  /// What sweep_ground gives, to the bit. Always to be asked about the same ground. `last` only
  /// makes it quicker.
  std::optional<SweepHit> sweep(TerrainTriangles& ground, const SphereSweep& sweep, Place& last,
                                double before = 2);

  /// Larger sweeps go to sweep_ground, metres each way from the middle of their box.
  static constexpr double kLargest = 0.5;

 private:
  using Point = std::array<float, 3>;
  /// Relative to the cell's low corner: vertices of the ground stand on a grid that floats hold.
  struct Face {
    Point lo, hi;
    std::array<Point, 3> corners;
  };
  struct Cell {
    std::uint32_t first = 0, end = 0;  // of faces_
  };

  Cell make(TerrainTriangles& ground, IVec3 at);
  void forget_all();

  ChunkTable table_;  // place in cells_ + 1; 0: not known
  std::vector<Cell> cells_;
  std::vector<Face> faces_;
  std::uint32_t age_ = 1;
  std::size_t edits_ = 0;  // that the ground had when the lists were made
  std::vector<GroundTriangle> near_;
};

}  // namespace talus
