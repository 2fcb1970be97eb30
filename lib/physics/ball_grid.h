// Balls by where they are, kept from step to step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/box.h"

namespace talus {

/// Cells that share a slot of the table are only looked at in vain.
class BallGrid {
 public:
  /// Makes sure that `centers` many balls are known; cells are about as wide as `widest` asks for:
  /// the largest radius. Starts anew where that grew.
  void prepare(std::span<const Vec3> centers, double widest);
  /// The ball's centre is somewhere else.
  void move(std::uint32_t ball, Vec3 to);
  /// Those whose centre may be in the box, by rising number.
  void near(const Box& box, std::vector<std::uint32_t>& out) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  IVec3 cell(Vec3 p) const;
  std::size_t slot(IVec3 cell) const;
  void link(std::uint32_t ball, std::size_t slot);
  void unlink(std::uint32_t ball);

  double width_ = 0;                  // of a cell, metres
  std::vector<std::uint32_t> first_;  // by slot
  struct Link {
    std::uint32_t before = kNone, after = kNone, slot = kNone;
  };
  std::vector<Link> links_;  // by ball
};

}  // namespace talus
