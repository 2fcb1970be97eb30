#include "physics/ball_grid.h"

#include <algorithm>
#include <bit>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr double kCellsPerBall = 4;  // radii of the largest ball along a cell

}  // namespace

IVec3 BallGrid::cell(Vec3 p) const {
  return IVec3(glm::floor(glm::clamp(p * per_width_, -1e9, 1e9)));
}

void BallGrid::update(std::span<const Ball> balls, double widest) {
  widest_ = widest;
  const double width = kCellsPerBall * widest;
  const std::size_t slots = std::bit_ceil(2 * balls.size() + 16);
  if (width > width_ || slots > first_.size() || links_.size() > balls.size()) {
    width_ = std::max(width, width_);
    per_width_ = 1 / width_;
    first_.assign(std::max(slots, first_.size()), kNone);
    links_.clear();
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i) move(i, balls[i].position);
  while (links_.size() < balls.size()) {
    const auto ball = static_cast<std::uint32_t>(links_.size());
    links_.emplace_back();
    link(ball, slot(cell(balls[ball].position)));
  }
  for (std::uint32_t i = 0; i < links_.size(); ++i) {
    links_[i].center = balls[i].position;
    links_[i].radius = balls[i].radius;
  }
}

void BallGrid::link(std::uint32_t ball, std::size_t slot) {
  Link& own = links_[ball];
  own.before = kNone;
  own.after = first_[slot];
  own.slot = static_cast<std::uint32_t>(slot);
  if (own.after != kNone) links_[own.after].before = ball;
  first_[slot] = ball;
}

void BallGrid::unlink(std::uint32_t ball) {
  const Link& own = links_[ball];
  (own.before == kNone ? first_[own.slot] : links_[own.before].after) = own.after;
  if (own.after != kNone) links_[own.after].before = own.before;
}

void BallGrid::move(std::uint32_t ball, Vec3 to) {
  links_[ball].center = to;
  const std::size_t now = slot(cell(to));
  if (links_[ball].slot == now) return;
  unlink(ball);
  link(ball, now);
}

/// Some twice, and in any order.
template <class Visit>
void BallGrid::visit(const Box& box, const Visit& visit) const {
  const IVec3 lo = cell(box.lo), hi = cell(box.hi);
  const Vec3 size = Vec3(hi) - Vec3(lo) + 1.0;
  if (size.x * size.y * size.z > static_cast<double>(links_.size())) {
    for (std::uint32_t i = 0; i < links_.size(); ++i) visit(i);
    return;
  }
  for (int z = lo.z; z <= hi.z; ++z) {
    for (int y = lo.y; y <= hi.y; ++y) {
      for (int x = lo.x; x <= hi.x; ++x) {
        for (std::uint32_t i = first_[slot({x, y, z})]; i != kNone; i = links_[i].after) visit(i);
      }
    }
  }
}

void BallGrid::near(const Box& box, std::vector<std::uint32_t>& out) const {
  out.clear();
  visit(box, [&](std::uint32_t i) { out.push_back(i); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void BallGrid::near(Vec3 point, double reach, std::uint32_t self,
                    std::vector<NearBall>& out) const {
  out.clear();
  const Vec3 all(reach + widest_);
  visit({point - all, point + all}, [&](std::uint32_t i) {
    const Link& link = links_[i];
    const Vec3 away = link.center - point;
    const double touch = reach + link.radius;
    if (i == self || glm::dot(away, away) > touch * touch) return;
    out.push_back({link.center, link.radius, i});
  });
  if (out.size() < 2) return;
  const auto number = [](const NearBall& n) { return n.ball; };
  std::ranges::sort(out, {}, number);
  const auto twice = std::ranges::unique(out, {}, number);
  out.erase(twice.begin(), twice.end());
}

}  // namespace talus
