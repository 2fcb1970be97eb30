#include "physics/ball_grid.h"

#include <algorithm>
#include <bit>

namespace talus {

namespace {

constexpr double kCellsPerBall = 4;  // radii of the largest ball along a cell

}  // namespace

void BallGrid::prepare(std::span<const Vec3> centers, double widest) {
  const double width = kCellsPerBall * widest;
  const std::size_t slots = std::bit_ceil(2 * centers.size() + 16);
  if (width > width_ || slots > first_.size() || links_.size() > centers.size()) {
    width_ = std::max(width, width_);
    per_width_ = 1 / width_;
    first_.assign(std::max(slots, first_.size()), kNone);
    links_.clear();
  }
  while (links_.size() < centers.size()) {
    const auto ball = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back();
    link(ball, slot(cell(centers[ball])));
  }
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

}  // namespace talus
