#include "physics/heap.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace talus {

namespace {

/// A heap of four times so many manifolds is cut in two, one of sixteen times so many in four, and
/// so on: parts that grow with the heap have short cuts between them.
constexpr double kUncut = 256;

}  // namespace

void Heap::gather(std::span<const Body> bodies, std::span<const PairContact> pairs) {
  list(bodies, pairs);
  const double across = std::sqrt(static_cast<double>(manifold_count_) / kUncut);
  const auto parts = std::bit_floor(static_cast<std::size_t>(std::max(1.0, across)));
  places_.clear();
  if (parts > 1) {
    for (const std::uint32_t i : touching_) places_.push_back({bodies[i].position, manifolds_[i]});
  }
  slabs_.divide(places_, parts);
}

void Heap::list(std::span<const Body> bodies, std::span<const PairContact> pairs) {
  touching_.clear();
  manifolds_.assign(bodies.size(), 0);
  manifold_count_ = 0;
  const auto count = [&](std::uint32_t i, std::uint32_t manifolds) {
    if (!is_body(i) || !bodies[i].moving()) return false;
    if (manifolds_[i] == 0) touching_.push_back(i);
    manifolds_[i] += manifolds;
    return true;
  };
  for (const PairContact& pair : pairs) {
    const bool a = count(pair.a, pair.count), b = count(pair.b, pair.count);
    if (a || b) manifold_count_ += pair.count;
  }
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].moving() || !(bodies[i].submerged_m3 > 0)) continue;
    if (manifolds_[i] == 0) touching_.push_back(i);
  }
}

}  // namespace talus
