#include "io/mesh_part_check.h"

#include <algorithm>
#include <cassert>
#include <span>

#include <fmt/format.h>

#include "core/error.h"

namespace talus {
namespace {

// Zero times a number is zero unless the number is infinite or none; sums keep that.
bool all_finite(std::span<const Vec3f> vectors) {
  Vec3f zero(0);
  for (const Vec3f& v : vectors) zero += v * 0.0f;
  return zero == Vec3f(0);
}

}  // namespace

void check_mesh_part(const Mesh& part, std::uint64_t vertices, const std::string& path,
                     const std::string& node) {
  assert(part.normals.empty() || part.normals.size() == part.positions.size());
  assert(part.colors.empty() || part.colors.size() == part.positions.size());
  assert(part.indices.size() % 3 == 0);
  assert(part.indices.empty() ||
         *std::max_element(part.indices.begin(), part.indices.end()) < vertices);
  if (all_finite(part.positions) && all_finite(part.normals) && all_finite(part.colors)) return;
  throw Error(fmt::format("cannot write {}: node {} has a number that is not finite", path, node),
              Trouble::Simulation);
}

}  // namespace talus
