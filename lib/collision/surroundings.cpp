#include "collision/surroundings.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

namespace talus {

namespace {

/// How far beyond what is asked for is fetched, metres: the farther, the rarer, the dearer.
constexpr double kRoom = 0.6;

bool contains(const Box& outer, const Box& inner) {
  return glm::all(glm::lessThanEqual(outer.lo, inner.lo)) &&
         glm::all(glm::lessThanEqual(inner.hi, outer.hi));
}

IVec3 floored(Vec3 p) {
  return IVec3(glm::floor(p));
}

}  // namespace

void Surroundings::cover(Solids& solids, const Box& box, std::uint64_t version) {
  if (!empty_ && version == version_ && contains(covered_, box)) return;
  empty_ = false;
  version_ = version;
  covered_ = {box.lo - Vec3(kRoom), box.hi + Vec3(kRoom)};
  samples_box_ = {floored(covered_.lo), floored(covered_.hi) + IVec3(2)};
  samples_.resize(static_cast<std::size_t>(samples_box_.count()));
  solids.ground.read(samples_box_, samples_);
  all_air_ = std::all_of(samples_.begin(), samples_.end(), [](double s) { return s <= 0; });
  parts_ = {};
  if (solids.blocks.count() > 0) {
    parts_ = convex_parts(solids.blocks, {floored(covered_.lo / kCell),
                                          floored(covered_.hi / kCell) + IVec3(1)});
  }
}

NearestSurface Surroundings::ground(Vec3 point) const {
  const IVec3 size = samples_box_.size();
  const IVec3 at = glm::clamp(floored(point), samples_box_.lo, samples_box_.hi - IVec3(2));
  const Vec3 f = point - Vec3(at);
  const IVec3 p = at - samples_box_.lo;
  const auto row = static_cast<std::size_t>(size.x), slice = row * static_cast<std::size_t>(size.y);
  const double* s = samples_.data() + static_cast<std::size_t>(p.x) +
                    row * static_cast<std::size_t>(p.y) + slice * static_cast<std::size_t>(p.z);
  return nearest_surface(blend({s[0], s[1], s[row], s[row + 1], s[slice], s[slice + 1],
                                s[slice + row], s[slice + row + 1]},
                               f));
}

}  // namespace talus
