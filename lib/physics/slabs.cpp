#include "physics/slabs.h"

#include <algorithm>

#include <glm/common.hpp>

namespace talus {

namespace {

constexpr std::size_t kBins = 1024;

int longest_axis(Vec3 size) {
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.z >= size.y ? 2 : 1;
}

}  // namespace

void Slabs::divide(std::span<const Body> bodies, std::size_t slabs) {
  count_ = slabs;
  slab_of_.assign(slabs > 1 ? kBins : 1, 0);
  if (slabs <= 1 || bodies.empty()) return;
  Vec3 lo = bodies[0].position, hi = lo;
  for (const Body& body : bodies) {
    lo = glm::min(lo, body.position);
    hi = glm::max(hi, body.position);
  }
  axis_ = longest_axis(hi - lo);
  lo_ = lo[axis_];
  const double length = hi[axis_] - lo_;
  bins_per_m_ = length > 0 ? static_cast<double>(kBins) / length : 0;
  weights_.assign(kBins, 0);
  std::uint64_t all = 0;
  for (const Body& body : bodies) {
    weights_[bin(body.position)] += body.weight;
    all += body.weight;
  }
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < kBins; ++i) {
    const std::uint64_t middle = before + weights_[i] / 2;
    slab_of_[i] = static_cast<std::uint32_t>(std::min(slabs - 1, slabs * middle / (all + 1)));
    before += weights_[i];
  }
}

std::size_t Slabs::bin(Vec3 position) const {
  const double at = (position[axis_] - lo_) * bins_per_m_;
  return at > 0 ? std::min(kBins - 1, static_cast<std::size_t>(std::min(at, double{kBins}))) : 0;
}

std::uint32_t Slabs::of(Vec3 position) const {
  return slab_of_.size() == 1 ? 0 : slab_of_[bin(position)];
}

}  // namespace talus
