// Which of a terrain's many edits reach a place.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/point_hash.h"
#include "terrain/brush.h"

namespace talus {

/// Edits by cubes of 64 m; those over more than a few cubes are in a list of their own, always
/// looked at.
class EditIndex {
 public:
  /// Edits are numbered from 0 on as they are added.
  void add(const Brush& brush);
  /// The numbers of the edits whose reach meets the box, rising. Cost: the edits in its cubes, and
  /// the wide ones.
  void near(const Box& box, std::vector<std::uint32_t>& edits) const;

 private:
  std::unordered_map<IVec3, std::vector<std::uint32_t>, PointHash> cubes_;
  std::vector<std::uint32_t> wide_;
  std::vector<Box> reaches_;
};

}  // namespace talus
