#include "physics/ball_order.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double kTile = 2, kLayer = 0.25;  // metres
constexpr std::size_t kFewMoves = 16;       // a ball: beyond, they are sorted from scratch

/// Of a coordinate; far away it starts again, which only costs time.
std::uint64_t part(double metres, double size, unsigned bits) {
  const double place = std::floor(std::clamp(metres, -1e9, 1e9) / size);
  const auto whole = static_cast<std::uint64_t>(static_cast<std::int64_t>(place));
  return (whole + (1ull << (bits - 1))) & ((1ull << bits) - 1);
}

std::uint64_t key_of(const Ball& ball) {
  const Vec3 p = ball.position;
  return part(p.z, kTile, 20) << 40 | part(p.x, kTile, 20) << 20 | part(p.y, kLayer, 20);
}

}  // namespace

/// True where little enough had to be moved.
bool BallOrder::sort_by_moving_few() {
  std::size_t moves = 0;
  for (std::size_t i = 1; i < items_.size(); ++i) {
    const Item item = items_[i];
    std::size_t to = i;
    for (; to > 0 && item < items_[to - 1]; --to) items_[to] = items_[to - 1];
    items_[to] = item;
    moves += i - to;
    if (moves > kFewMoves * items_.size()) return false;
  }
  return true;
}

std::span<const std::uint32_t> BallOrder::sorted(std::span<const Ball> balls) {
  if (items_.size() > balls.size()) items_.clear();
  for (std::size_t i = items_.size(); i < balls.size(); ++i) {
    items_.push_back({0, static_cast<std::uint32_t>(i)});
  }
  for (Item& item : items_) item.key = key_of(balls[item.ball]);
  if (!sort_by_moving_few()) std::sort(items_.begin(), items_.end());
  order_.clear();
  for (const Item& item : items_) order_.push_back(item.ball);
  return order_;
}

}  // namespace talus
