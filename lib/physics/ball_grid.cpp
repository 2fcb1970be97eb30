#include "physics/ball_grid.h"

#include <algorithm>
#include <bit>

#include <glm/geometric.hpp>

namespace talus {

namespace {

constexpr double kCellsPerBall = 4;  // radii of the largest ball along a cell

}  // namespace

void BallGrid::fill(std::span<const Ball> balls, std::span<const std::uint32_t> order,
                    double widest) {
  widest_ = widest;
  per_width_ = 1 / (kCellsPerBall * widest);
  first_.assign(std::bit_ceil(2 * balls.size() + 16), kNone);
  links_.resize(balls.size());
  place_.resize(balls.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const std::uint32_t ball = order[place];
    place_[ball] = place;
    links_[place].ball = ball;
    links_[place].center = balls[ball].position;
    links_[place].radius = balls[ball].radius;
    link(place, slot(cell(balls[ball].position)));
  }
}

void BallGrid::link(std::uint32_t place, std::size_t slot) {
  Link& own = links_[place];
  own.before = kNone;
  own.after = first_[slot];
  own.slot = static_cast<std::uint32_t>(slot);
  if (own.after != kNone) links_[own.after].before = place;
  first_[slot] = place;
}

void BallGrid::unlink(std::uint32_t place) {
  const Link& own = links_[place];
  (own.before == kNone ? first_[own.slot] : links_[own.before].after) = own.after;
  if (own.after != kNone) links_[own.after].before = own.before;
}

void BallGrid::move(std::uint32_t ball, Vec3 to) {
  const std::uint32_t place = place_[ball];
  links_[place].center = to;
  const std::size_t now = slot(cell(to));
  if (links_[place].slot == now) return;
  unlink(place);
  link(place, now);
}

/// Some twice, and in any order.
template <class Visit>
void BallGrid::visit(const Box& box, const Visit& visit) const {
  const IVec3 lo = cell(box.lo), hi = cell(box.hi);
  const Vec3 size = Vec3(hi) - Vec3(lo) + 1.0;
  if (size.x * size.y * size.z > static_cast<double>(links_.size())) {
    for (const Link& link : links_) visit(link);
    return;
  }
  for (int z = lo.z; z <= hi.z; ++z) {
    for (int y = lo.y; y <= hi.y; ++y) {
      for (int x = lo.x; x <= hi.x; ++x) {
        for (std::uint32_t i = first_[slot({x, y, z})]; i != kNone; i = links_[i].after) {
          visit(links_[i]);
        }
      }
    }
  }
}

void BallGrid::near(const Box& box, std::vector<std::uint32_t>& out) const {
  out.clear();
  visit(box, [&](const Link& link) { out.push_back(link.ball); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

void BallGrid::near(Vec3 point, double reach, std::uint32_t self,
                    std::vector<NearBall>& out) const {
  out.clear();
  const Vec3 all(reach + widest_);
  visit({point - all, point + all}, [&](const Link& link) {
    const Vec3 away = link.center - point;
    const double touch = reach + link.radius;
    if (link.ball == self || glm::dot(away, away) > touch * touch) return;
    out.push_back({link.center, link.radius, link.ball});
  });
  if (out.size() < 2) return;
  std::sort(out.begin(), out.end(),
            [](const NearBall& a, const NearBall& b) { return a.ball < b.ball; });
  const auto twice = std::unique(out.begin(), out.end(), [](const NearBall& a, const NearBall& b) {
    return a.ball == b.ball;
  });
  out.erase(twice, out.end());
}

}  // namespace talus
