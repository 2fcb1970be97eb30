#include "collision/surroundings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "collision/rough_density.h"
#include "core/error.h"

namespace talus {

namespace {

/// How far beyond what is asked for is fetched, metres: the farther, the rarer, the dearer.
constexpr double kRoom = 0.6;
/// Farther than any triangle around, metres.
constexpr double kAnyReach = 1e4;

bool contains(const Box& outer, const Box& inner) {
  return glm::all(glm::lessThanEqual(outer.lo, inner.lo)) &&
         glm::all(glm::lessThanEqual(inner.hi, outer.hi));
}

IVec3 floored(Vec3 p) {
  return IVec3(glm::floor(p));
}

}  // namespace

bool Surroundings::covers(const Box& box, std::uint64_t version) const {
  return !empty_ && version == version_ && contains(covered_, box);
}

double Surroundings::room(const Box& box) const {
  const Vec3 room = glm::min(box.lo - covered_.lo, covered_.hi - box.hi);
  return std::min({room.x, room.y, room.z});
}

void Surroundings::cover(Solids& solids, const Box& box, std::uint64_t version) {
  if (covers(box, version)) return;
  const Vec3 size = box.hi - box.lo + Vec3(2 * kRoom);
  if (size.x * size.y * size.z > static_cast<double>(kMostAround)) {
    throw Error(fmt::format("a piece takes up, or sweeps over in a step, {:.0f} x {:.0f} x {:.0f} "
                            "m: at most {} m3 around one can be looked at; build it smaller, or "
                            "make it slower",
                            size.x, size.y, size.z, kMostAround),
                Trouble::Simulation);
  }
  empty_ = false;
  version_ = version;
  covered_ = {box.lo - Vec3(kRoom), box.hi + Vec3(kRoom)};
  samples_box_ = {floored(covered_.lo), floored(covered_.hi) + IVec3(2)};
  samples_.resize(static_cast<std::size_t>(samples_box_.count()));
  solids.ground.read(samples_box_, samples_);
  by_triangles_ = solids.triangles != nullptr;
  if (by_triangles_) patch_.fetch(*solids.triangles, covered_);
  all_air_ = std::none_of(samples_.begin(), samples_.end(), [](double s) { return s > 0; });
  ridges_.clear();
  if (!all_air_) measure_ground();
  parts_ = {};
  cuts_.clear();
  if (solids.blocks.count() > 0) {
    parts_ = convex_parts(solids.blocks,
                          {floored(covered_.lo / kCell), floored(covered_.hi / kCell) + IVec3(1)});
    for (const BlockId id : parts_.cut_blocks) cuts_.push_back(make_cut_part(solids.blocks[id]));
  }
}

void Surroundings::measure_ground() {
  rough_samples_.assign(samples_.begin(), samples_.end());
  if (!by_triangles_) find_ridges(samples_, samples_box_.size(), ridges_);
  const IVec3 size = samples_box_.size();
  IVec3 lo = size, hi(-1);
  Vec3 slope(0);
  double largest = 0;
  const double* s = samples_.data();
  for (int z = 0; z < size.z; ++z) {
    for (int y = 0; y < size.y; ++y) {
      for (int x = 0; x < size.x; ++x, ++s) {
        largest = std::max(largest, std::abs(*s));
        if (*s > 0) {
          lo = glm::min(lo, IVec3(x, y, z));
          hi = glm::max(hi, IVec3(x, y, z));
        }
        if (x > 0) slope.x = std::max(slope.x, std::abs(*s - s[-1]));
        if (y > 0) slope.y = std::max(slope.y, std::abs(*s - s[-size.x]));
        if (z > 0) {
          const std::ptrdiff_t slice = std::ptrdiff_t{size.x} * size.y;
          slope.z = std::max(slope.z, std::abs(*s - s[-slice]));
        }
      }
    }
  }
  roughness_ = kRoughness * largest;
  solid_lo_ = Vec3(samples_box_.lo + lo - IVec3(1));
  solid_hi_ = Vec3(samples_box_.lo + hi + IVec3(1));
  steepest_ = std::sqrt(slope.x * slope.x + slope.y * slope.y + slope.z * slope.z);
}

Surroundings::Cell Surroundings::cell_of(Vec3 point) const {
  const IVec3 at = glm::clamp(floored(point), samples_box_.lo, samples_box_.hi - IVec3(2));
  return {corners_of(at), point - Vec3(at)};
}

std::array<double, 8> Surroundings::corners_of(IVec3 cell) const {
  const IVec3 size = samples_box_.size(), p = cell - samples_box_.lo;
  const auto row = static_cast<std::size_t>(size.x), slice = row * static_cast<std::size_t>(size.y);
  const double* s = samples_.data() + static_cast<std::size_t>(p.x) +
                    row * static_cast<std::size_t>(p.y) + slice * static_cast<std::size_t>(p.z);
  return {s[0],     s[1],         s[row],         s[row + 1],
          s[slice], s[slice + 1], s[slice + row], s[slice + row + 1]};
}

std::optional<NearestSurface> Surroundings::ground(Vec3 point, double reach) const {
  if (!by_triangles_) return blended(point, reach);
  if (const auto near = patch_.nearest(point, reach)) return near;
  const auto deep = blended(point, 0);
  return deep && deep->distance < -GroundPatch::kDeepest ? deep : std::nullopt;
}

std::optional<NearestSurface> Surroundings::blended(Vec3 point, double reach) const {
  if (all_air_ || glm::any(glm::lessThan(point, solid_lo_ - Vec3(reach))) ||
      glm::any(glm::greaterThan(point, solid_hi_ + Vec3(reach)))) {
    return std::nullopt;
  }
  const Cell cell = cell_of(point);
  if (blended_density(cell.corners, cell.f) < -reach * steepest_) return std::nullopt;
  const NearestSurface surface = nearest_surface(blend(cell.corners, cell.f));
  if (surface.distance >= reach) return std::nullopt;
  return surface;
}

void Surroundings::near_places(Vec3 point, double reach, std::vector<NearPlace>& out) const {
  out.clear();
  if (all_air_) return;
  if (by_triangles_) {
    patch_.near_places(point, reach, out);
    return keep_separate(out);
  }
  const Cell cell = cell_of(point);
  if (blended_density(cell.corners, cell.f) > 0) return;
  const IVec3 lo = glm::max(floored(point - Vec3(reach)), samples_box_.lo);
  const IVec3 hi = glm::min(floored(point + Vec3(reach)), samples_box_.hi - IVec3(2));
  for (int z = lo.z; z <= hi.z; ++z) {
    for (int y = lo.y; y <= hi.y; ++y) {
      for (int x = lo.x; x <= hi.x; ++x) {
        const Vec3 corner(x, y, z);
        const auto corners = corners_of({x, y, z});
        const auto solid =
            std::count_if(corners.begin(), corners.end(), [](double s) { return s > 0; });
        if (solid == 0 || solid == 8) continue;
        const auto at = nearest_in_cell(corners, point - corner);
        if (!at) continue;
        const Vec3 away = point - corner - *at;
        const double distance = glm::length(away);
        if (distance < reach && distance > 0)
          out.push_back({corner + *at, away / distance, distance});
      }
    }
  }
  keep_separate(out);
}

double Surroundings::clearance(Vec3 point) const {
  if (all_air_) return HUGE_VAL;
  const Vec3 outside = glm::max(solid_lo_ - point, point - solid_hi_);
  const double far = std::max({outside.x, outside.y, outside.z});
  if (far > 0) return far;
  if (by_triangles_) {
    if (const auto near = patch_.nearest(point, kAnyReach)) return near->distance;
  }
  const Cell cell = cell_of(point);
  const double density = blended_density(cell.corners, cell.f);
  if (density < 0) return by_triangles_ ? HUGE_VAL : -density / steepest_;
  return nearest_surface(blend(cell.corners, cell.f)).distance;
}

std::span<const float> Surroundings::rough(const Points& points) const {
  thread_local std::vector<float> densities;
  densities.resize(points.points.size());
  rough_densities({rough_samples_.data(), samples_box_.size()},
                  Vec3f(points.origin - Vec3(samples_box_.lo)), points.axes, points.points,
                  densities);
  return densities;
}

double Surroundings::near_ground(const Points& points, double reach,
                                 std::vector<std::uint32_t>& out) const {
  out.clear();
  if (all_air_) return HUGE_VAL;
  const auto count = static_cast<std::uint32_t>(points.points.size());
  if (by_triangles_) {
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(i);
    return 0;
  }
  const std::span<const float> densities = rough(points);
  const auto least = static_cast<float>(-reach * steepest_ - 2 * roughness_);
  float deepest = -HUGE_VALF;
  for (std::uint32_t i = 0; i < count; ++i) {
    deepest = std::max(deepest, densities[i]);
    if (densities[i] >= least) out.push_back(i);
  }
  return std::max(0.0, (-double{deepest} - 2 * roughness_) / steepest_);
}

double Surroundings::clearance(const Points& points) const {
  double least = HUGE_VAL;
  if (all_air_) return least;
  const std::size_t count = points.points.size();
  if (by_triangles_) {
    for (std::size_t i = 0; i < count; ++i) least = std::min(least, clearance(points[i]));
    return least;
  }
  const std::span<const float> densities = rough(points);
  // The likeliest first: in the air, hardly any other can be nearer.
  const auto deepest = static_cast<std::size_t>(
      std::max_element(densities.begin(), densities.end()) - densities.begin());
  if (deepest < count) least = clearance(points[deepest]);
  for (std::size_t i = 0; i < count; ++i) {
    const double emptiness = -double{densities[i]} - 2 * roughness_;
    if (emptiness > std::max(0.0, least * steepest_)) continue;
    least = std::min(least, clearance(points[i]));
  }
  return least;
}

}  // namespace talus
