// Cells to boxes of blocks.
#include <algorithm>

#include "structure/voxelise.h"

namespace talus {

namespace {

class Merger {
 public:
  Merger(const SolidCells& cells, int largest)
      : origin_(cells.origin), free_(cells.solid), largest_(largest) {}

  std::vector<BlockBox> run() {
    std::vector<BlockBox> boxes;
    for (int y = 0; y < free_.size.y; ++y) {
      for (int z = 0; z < free_.size.z; ++z) {
        for (int x = 0; x < free_.size.x; ++x) {
          if (!free_.at(x, y, z)) continue;
          boxes.push_back(take({x, y, z}));
        }
      }
    }
    return boxes;
  }

 private:
  bool all_free(IVec3 lo, IVec3 size) const {
    const IVec3 hi = lo + size;
    if (hi.x > free_.size.x || hi.y > free_.size.y || hi.z > free_.size.z) return false;
    for (int z = lo.z; z < hi.z; ++z) {
      for (int y = lo.y; y < hi.y; ++y) {
        for (int x = lo.x; x < hi.x; ++x) {
          if (!free_.at(x, y, z)) return false;
        }
      }
    }
    return true;
  }

  /// The cube one larger than `size` cells, of which all but the new sides is known to be free.
  bool grows(IVec3 at, int size) const {
    return all_free(at + IVec3(size, 0, 0), {1, size + 1, size + 1}) &&
           all_free(at + IVec3(0, size, 0), {size, 1, size + 1}) &&
           all_free(at + IVec3(0, 0, size), {size, size, 1});
  }

  BlockBox take(IVec3 at) {
    BlockBox box{origin_ + at, 1, IVec3(1)};
    while (box.size < largest_ && grows(at, box.size)) ++box.size;
    const IVec3 cube(box.size);
    for (const int axis : {0, 2, 1}) {
      IVec3 layer = box.blocks * cube, beyond = at;
      layer[axis] = box.size;
      for (beyond[axis] += box.size; all_free(beyond, layer); beyond[axis] += box.size) {
        ++box.blocks[axis];
      }
    }
    use(at, box.blocks * cube);
    return box;
  }

  void use(IVec3 lo, IVec3 size) {
    for (int z = lo.z; z < lo.z + size.z; ++z) {
      for (int y = lo.y; y < lo.y + size.y; ++y) {
        for (int x = lo.x; x < lo.x + size.x; ++x) {
          free_.words[free_.row(y, z) + static_cast<std::size_t>(x / 64)] &=
              ~(std::uint64_t{1} << (x % 64));
        }
      }
    }
  }

  IVec3 origin_;
  SolidBits free_;  // solid and in no box yet
  int largest_;
};

}  // namespace

std::vector<BlockBox> merge_cells(const SolidCells& cells, int largest) {
  return Merger(cells, std::clamp(largest, 1, kMaxBlockSize)).run();
}

}  // namespace talus
