// Balls by where they are in a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <glm/common.hpp>

#include "core/box.h"
#include "physics/balls.h"

namespace talus {

struct NearBall {
  Vec3 center;
  double radius;
  std::uint32_t ball;
};

/// Cells that share a slot of the table are only looked at in vain.
class BallGrid {
 public:
  /// All balls as they are now, in memory in the given order; `widest` is the largest radius.
  void fill(std::span<const Ball> balls, std::span<const std::uint32_t> order, double widest);
  /// The ball's centre is somewhere else.
  void move(std::uint32_t ball, Vec3 to);
  /// Those whose centre may be in the box, by rising number. Cost: the cells of the box, or all
  /// balls.
  void near(const Box& box, std::vector<std::uint32_t>& out) const;
  /// Those but `self` that reach nearer than `reach` to the point, by rising number.
  void near(Vec3 point, double reach, std::uint32_t self, std::vector<NearBall>& out) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Link {
    std::uint32_t before, after, slot, ball;
    Vec3 center;
    double radius;
  };

  template <class Visit>
  void visit(const Box& box, const Visit& visit) const;
  IVec3 cell(Vec3 p) const { return IVec3(glm::floor(glm::clamp(p * per_width_, -1e9, 1e9))); }
  /// Cells side by side along x are so in the table.
  std::size_t slot(IVec3 c) const {
    const auto x = static_cast<std::uint32_t>(c.x), y = static_cast<std::uint32_t>(c.y),
               z = static_cast<std::uint32_t>(c.z);
    return (x + y * 0xD8163841u + z * 0xCB1AB31Fu) & (first_.size() - 1);
  }
  void link(std::uint32_t place, std::size_t slot);
  void unlink(std::uint32_t place);

  double per_width_ = 1, widest_ = 0;  // cells a metre; metres
  std::vector<std::uint32_t> first_;   // by slot: a place in links_
  std::vector<Link> links_;            // in the order
  std::vector<std::uint32_t> place_;   // by ball
};

}  // namespace talus
