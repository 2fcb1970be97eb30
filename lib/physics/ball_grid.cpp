#include "physics/ball_grid.h"

#include <algorithm>
#include <bit>

#include <glm/common.hpp>

namespace talus {

namespace {

constexpr double kCellsPerBall = 4;  // radii of the largest ball along a cell

}  // namespace

void BallGrid::prepare(std::span<const Vec3> centers, double widest) {
  const double width = kCellsPerBall * widest;
  const std::size_t slots = std::bit_ceil(2 * centers.size() + 16);
  if (width > width_ || slots > first_.size() || links_.size() > centers.size()) {
    width_ = std::max(width, width_);
    first_.assign(std::max(slots, first_.size()), kNone);
    links_.clear();
  }
  while (links_.size() < centers.size()) {
    const auto ball = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back();
    link(ball, slot(cell(centers[ball])));
  }
}

IVec3 BallGrid::cell(Vec3 p) const {
  return IVec3(glm::floor(glm::clamp(p / width_, -1e9, 1e9)));
}

std::size_t BallGrid::slot(IVec3 c) const {
  const auto x = static_cast<std::uint32_t>(c.x), y = static_cast<std::uint32_t>(c.y),
             z = static_cast<std::uint32_t>(c.z);
  return (x * 0x8DA6B343u ^ y * 0xD8163841u ^ z * 0xCB1AB31Fu) & (first_.size() - 1);
}

void BallGrid::link(std::uint32_t ball, std::size_t slot) {
  Link& own = links_[ball];
  own = {kNone, first_[slot], static_cast<std::uint32_t>(slot)};
  if (own.after != kNone) links_[own.after].before = ball;
  first_[slot] = ball;
}

void BallGrid::unlink(std::uint32_t ball) {
  const Link& own = links_[ball];
  (own.before == kNone ? first_[own.slot] : links_[own.before].after) = own.after;
  if (own.after != kNone) links_[own.after].before = own.before;
}

void BallGrid::move(std::uint32_t ball, Vec3 to) {
  const std::size_t now = slot(cell(to));
  if (links_[ball].slot == now) return;
  unlink(ball);
  link(ball, now);
}

void BallGrid::near(const Box& box, std::vector<std::uint32_t>& out) const {
  out.clear();
  const IVec3 lo = cell(box.lo), hi = cell(box.hi);
  const Vec3 size = Vec3(hi) - Vec3(lo) + 1.0;
  if (size.x * size.y * size.z > static_cast<double>(links_.size())) {
    for (std::uint32_t i = 0; i < links_.size(); ++i) out.push_back(i);
    return;
  }
  for (int z = lo.z; z <= hi.z; ++z) {
    for (int y = lo.y; y <= hi.y; ++y) {
      for (int x = lo.x; x <= hi.x; ++x) {
        for (std::uint32_t i = first_[slot({x, y, z})]; i != kNone; i = links_[i].after) {
          out.push_back(i);
        }
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace talus
