#include "voxel/shape_merge.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <glm/geometric.hpp>

namespace talus {

namespace {

/// Sine of the turn below which two edges go straight on.
constexpr double kStraight = 1e-9;
/// Normals that round to the same multiple of this are one plane's.
constexpr double kSameNormal = 1e-6;

using Corners = std::vector<std::uint32_t>;
using PlaneKey = std::array<long long, 5>;

PlaneKey plane_of(const Facet& facet) {
  const auto rounded = [](double x) { return std::llround(x / kSameNormal); };
  return {static_cast<long long>(facet.on), facet.index, rounded(facet.normal.x),
          rounded(facet.normal.y), rounded(facet.normal.z)};
}

/// The outline of polygons that share edges; none where it is not a single loop.
std::optional<Corners> outline(const std::vector<const Facet*>& facets) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> edges;
  for (const Facet* facet : facets) {
    for (std::size_t i = 0; i < facet->corners.size(); ++i) {
      const std::uint32_t a = facet->corners[i];
      const std::uint32_t b = facet->corners[(i + 1) % facet->corners.size()];
      if (edges.erase({b, a}) == 0) edges[{a, b}] = true;
    }
  }
  std::map<std::uint32_t, std::uint32_t> next;
  for (const auto& [edge, outer] : edges) {
    if (!next.emplace(edge.first, edge.second).second) return std::nullopt;
  }
  Corners loop;
  std::uint32_t at = next.begin()->first;
  do {
    loop.push_back(at);
    const auto found = next.find(at);
    if (found == next.end() || loop.size() > next.size()) return std::nullopt;
    at = found->second;
  } while (at != loop.front());
  return loop.size() == next.size() ? std::optional(loop) : std::nullopt;
}

bool goes_straight(const Shape& shape, const Corners& corners, std::size_t i) {
  const Vec3 before = shape.vertices[corners[(i + corners.size() - 1) % corners.size()]];
  const Vec3 at = shape.vertices[corners[i]];
  const Vec3 after = shape.vertices[corners[(i + 1) % corners.size()]];
  return glm::length(glm::cross(at - before, after - at)) <
         kStraight * glm::distance(at, before) * glm::distance(after, at);
}

void drop_straight_corners(Shape& shape) {
  std::vector<std::uint8_t> turns(shape.vertices.size(), 0);
  for (const Facet& facet : shape.facets) {
    for (std::size_t i = 0; i < facet.corners.size(); ++i) {
      if (!goes_straight(shape, facet.corners, i)) turns[facet.corners[i]] = 1;
    }
  }
  for (Facet& facet : shape.facets) {
    std::erase_if(facet.corners, [&](std::uint32_t v) { return !turns[v]; });
  }
}

}  // namespace

void drop_unused_vertices(Shape& shape) {
  constexpr std::uint32_t kUnused = 0xFFFFFFFF;
  std::vector<std::uint32_t> renamed(shape.vertices.size(), kUnused);
  std::vector<Vec3> used;
  for (Facet& facet : shape.facets) {
    for (std::uint32_t& v : facet.corners) {
      if (renamed[v] == kUnused) {
        renamed[v] = static_cast<std::uint32_t>(used.size());
        used.push_back(shape.vertices[v]);
      }
      v = renamed[v];
    }
  }
  shape.vertices = std::move(used);
}

void merge_coplanar(Shape& shape) {
  std::map<PlaneKey, std::vector<const Facet*>> planes;
  for (const Facet& facet : shape.facets) {
    if (facet.on != Facet::On::Ball) planes[plane_of(facet)].push_back(&facet);
  }
  std::vector<Facet> merged;
  for (const auto& [key, facets] : planes) {
    if (const auto loop = outline(facets)) {
      merged.push_back({facets[0]->on, facets[0]->index, facets[0]->normal, *loop});
    } else {
      for (const Facet* facet : facets) merged.push_back(*facet);
    }
  }
  for (const Facet& facet : shape.facets) {
    if (facet.on == Facet::On::Ball) merged.push_back(facet);
  }
  shape.facets = std::move(merged);
  drop_straight_corners(shape);
}

}  // namespace talus
