// Samples of the ground (on the whole metres), picked one by one.
#pragma once

#include "core/box.h"
#include "voxel/samples.h"

namespace talus {

struct SampleSet {
  IVec3 origin{0};  // the sample of bit (0, 0, 0)
  SolidBits bits;

  IBox box() const { return {origin, origin + bits.size}; }
  bool has(IVec3 at) const {
    const IVec3 p = at - origin;
    for (int axis = 0; axis < 3; ++axis) {
      if (p[axis] < 0 || p[axis] >= bits.size[axis]) return false;
    }
    return bits.at(p.x, p.y, p.z);
  }
};

}  // namespace talus
