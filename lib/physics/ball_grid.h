// Balls by where they are, kept from step to step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/common.hpp>

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
  void near(const Box& box, std::vector<std::uint32_t>& out) const {
    near(
        box, [](std::uint32_t) { return true; }, out);
  }
  /// The same, of those that `wanted` keeps. Cost: the cells of the box, or all balls.
  template <class Wanted>
  void near(const Box& box, const Wanted& wanted, std::vector<std::uint32_t>& out) const {
    out.clear();
    const IVec3 lo = cell(box.lo), hi = cell(box.hi);
    const Vec3 size = Vec3(hi) - Vec3(lo) + 1.0;
    if (size.x * size.y * size.z > static_cast<double>(links_.size())) {
      for (std::uint32_t i = 0; i < links_.size(); ++i) {
        if (wanted(i)) out.push_back(i);
      }
      return;
    }
    for (int z = lo.z; z <= hi.z; ++z) {
      for (int y = lo.y; y <= hi.y; ++y) {
        for (int x = lo.x; x <= hi.x; ++x) {
          for (std::uint32_t i = first_[slot({x, y, z})]; i != kNone; i = links_[i].after) {
            if (wanted(i)) out.push_back(i);
          }
        }
      }
    }
    if (out.size() < 2) return;
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  IVec3 cell(Vec3 p) const { return IVec3(glm::floor(glm::clamp(p * per_width_, -1e9, 1e9))); }
  std::size_t slot(IVec3 c) const {
    const auto x = static_cast<std::uint32_t>(c.x), y = static_cast<std::uint32_t>(c.y),
               z = static_cast<std::uint32_t>(c.z);
    return (x * 0x8DA6B343u ^ y * 0xD8163841u ^ z * 0xCB1AB31Fu) & (first_.size() - 1);
  }
  void link(std::uint32_t ball, std::size_t slot);
  void unlink(std::uint32_t ball);

  double width_ = 0, per_width_ = 0;  // of a cell, metres; cells a metre
  std::vector<std::uint32_t> first_;  // by slot
  struct Link {
    std::uint32_t before = kNone, after = kNone, slot = kNone;
  };
  std::vector<Link> links_;  // by ball
};

}  // namespace talus
