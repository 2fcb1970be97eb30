// Lattice points as keys of hash tables that are only looked up, never gone through.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/vec.h"

namespace talus {

struct PointHash {
  std::size_t operator()(IVec3 p) const {
    std::uint64_t h = static_cast<std::uint32_t>(p.x) * 0x9E3779B97F4A7C15u;
    h = (h ^ static_cast<std::uint32_t>(p.y)) * 0xC2B2AE3D27D4EB4Fu;
    h = (h ^ static_cast<std::uint32_t>(p.z)) * 0x165667B19E3779F9u;
    return h ^ (h >> 29);
  }
};

}  // namespace talus
