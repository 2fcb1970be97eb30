#include "collision/ground_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

namespace talus {

namespace {

/// Triangles that turn by less across an edge are one plane (sine): vertices are rounded to 1/1024
/// m, so that planes are bumpy by as much.
constexpr float kFlat = 3e-3F;

/// What is the nearest of a triangle: a corner, an edge (from its corner on), or the inside.
struct Nearest {
  Vec3f point;
  int corner = -1, edge = -1;
};

/// As closest_point() in triangle.h, and which feature it is on.
Nearest nearest_of(const std::array<Vec3f, 3>& t, Vec3f p) {
  const Vec3f ab = t[1] - t[0], ac = t[2] - t[0], ap = p - t[0];
  const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {t[0], 0, -1};
  const Vec3f bp = p - t[1];
  const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {t[1], 1, -1};
  const float vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {t[0] + ab * (d1 / (d1 - d3)), -1, 0};
  const Vec3f cp = p - t[2];
  const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {t[2], 2, -1};
  const float vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {t[0] + ac * (d2 / (d2 - d6)), -1, 2};
  const float va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    return {t[1] + (t[2] - t[1]) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), -1, 1};
  }
  const float sum = 1 / (va + vb + vc);
  return {t[0] + ab * (vb * sum) + ac * (vc * sum), -1, -1};
}

auto key(Vec3f p) {
  return std::tuple(p.x, p.y, p.z);
}

float square_to_bounds(Vec3f p, Vec3f lo, Vec3f hi) {
  const Vec3f out = glm::max(glm::max(lo - p, p - hi), Vec3f(0));
  return glm::dot(out, out);
}

/// The angle at a corner, within 1e-4 (Hastings, "Approximations for digital computers", 1955): the
/// library's arc cosine differs between machines in its last bit.
float angle_at(Vec3f corner, Vec3f a, Vec3f b) {
  const Vec3f u = a - corner, v = b - corner;
  const float lengths = std::sqrt(glm::dot(u, u) * glm::dot(v, v));
  if (!(lengths > 0)) return 0;
  const float cosine = std::clamp(glm::dot(u, v) / lengths, -1.0F, 1.0F), x = std::abs(cosine);
  const float angle =
      std::sqrt(1 - x) * (1.5707288F + x * (-0.2121144F + x * (0.0742610F - 0.0187293F * x)));
  return cosine < 0 ? std::numbers::pi_v<float> - angle : angle;
}

}  // namespace

void GroundPatch::fetch(TerrainTriangles& ground, const Box& box) {
  facets_.clear();
  ridges_.clear();
  triangles_.clear();
  ground.touched(box, triangles_);
  origin_ = glm::floor((box.lo + box.hi) * 0.5);
  for (const GroundTriangle& t : triangles_) add(t.corners);
  join_edges();
  join_corners();
}

void GroundPatch::add(const Triangle& triangle) {
  Facet f;
  // Exact: corners stand on a grid of 1/1024 m, not far from the origin.
  for (std::size_t i = 0; i < 3; ++i) f.corners[i] = Vec3f(triangle[i] - origin_);
  const Vec3f across = glm::cross(f.corners[1] - f.corners[0], f.corners[2] - f.corners[0]);
  const float length = glm::length(across);
  if (!(length > 0)) return;
  f.normal = across / length;
  f.lo = glm::min(glm::min(f.corners[0], f.corners[1]), f.corners[2]);
  f.hi = glm::max(glm::max(f.corners[0], f.corners[1]), f.corners[2]);
  f.edge_normals.fill(f.normal);
  f.corner_normals.fill(f.normal);
  facets_.push_back(f);
}

void GroundPatch::join_edges() {
  struct Edge {
    Vec3f low, high;  // its ends, sorted
    std::uint32_t facet;
    std::uint8_t corner;
  };
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < facets_.size(); ++i) {
    for (std::uint8_t k = 0; k < 3; ++k) {
      const Vec3f a = facets_[i].corners[k], b = facets_[i].corners[(k + 1U) % 3];
      const bool rising = key(a) < key(b);
      edges.push_back({rising ? a : b, rising ? b : a, i, k});
    }
  }
  const auto ends = [](const Edge& e) { return std::tuple(key(e.low), key(e.high)); };
  std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
    return std::tuple(ends(a), a.facet) < std::tuple(ends(b), b.facet);
  });
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const Edge &one = edges[i], &other = edges[i + 1];
    if (ends(one) != ends(other)) continue;
    Facet &f = facets_[one.facet], &g = facets_[other.facet];
    const Vec3f sum = f.normal + g.normal;
    if (!(glm::dot(sum, sum) > 1e-6F)) continue;  // folded back on itself: neither side counts
    f.edge_normals[one.corner] = g.edge_normals[other.corner] = sum;
    // Convex where the other triangle's far corner is under this one's plane.
    const Vec3f far = g.corners[(other.corner + 2U) % 3] - f.corners[one.corner];
    const float height = glm::dot(far, f.normal);
    if (height < -kFlat * glm::length(far)) {
      const Vec3f normal = glm::normalize(sum);
      ridges_.push_back({one.low, one.high, normal, glm::dot(normal, f.normal)});
    }
  }
}

void GroundPatch::join_corners() {
  struct Corner {
    Vec3f place;
    std::uint32_t facet;
    std::uint8_t corner;
  };
  std::vector<Corner> corners;
  for (std::uint32_t i = 0; i < facets_.size(); ++i) {
    for (std::uint8_t k = 0; k < 3; ++k) corners.push_back({facets_[i].corners[k], i, k});
  }
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return std::tuple(key(a.place), a.facet) < std::tuple(key(b.place), b.facet);
  });
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t last = first;
    Vec3f sum(0);
    for (; last < corners.size() && corners[last].place == corners[first].place; ++last) {
      const Facet& f = facets_[corners[last].facet];
      const std::size_t k = corners[last].corner;
      sum += f.normal * angle_at(f.corners[k], f.corners[(k + 1) % 3], f.corners[(k + 2) % 3]);
    }
    for (; first < last; ++first) {
      if (glm::dot(sum, sum) > 0) {
        facets_[corners[first].facet].corner_normals[corners[first].corner] = sum;
      }
    }
  }
}

std::optional<NearestSurface> GroundPatch::nearest(Vec3 point, double reach) const {
  const Vec3f p(point - origin_);
  const auto farthest = static_cast<float>(std::max(reach, kDeepest));
  float best = farthest * farthest;
  const Facet* on = nullptr;
  Nearest where{Vec3f(0)};
  for (const Facet& f : facets_) {
    if (square_to_bounds(p, f.lo, f.hi) >= best) continue;
    const Nearest near = nearest_of(f.corners, p);
    const Vec3f d = p - near.point;
    const float square = glm::dot(d, d);
    if (square >= best) continue;
    best = square;
    on = &f;
    where = near;
  }
  if (!on) return std::nullopt;
  const Vec3f out = where.corner >= 0 ? on->corner_normals[static_cast<std::size_t>(where.corner)]
                    : where.edge >= 0 ? on->edge_normals[static_cast<std::size_t>(where.edge)]
                                      : on->normal;
  const Vec3f d = p - where.point;
  const bool inside = glm::dot(d, out) < 0;
  const bool on_face = where.corner < 0 && where.edge < 0;
  const float distance = on_face ? glm::dot(d, on->normal) : (inside ? -1 : 1) * std::sqrt(best);
  if (distance >= reach) return std::nullopt;
  // Next to an edge or corner the direction counts, unless it is too short to tell one.
  const bool tells = !on_face && best > 1e-8F;
  const Vec3f normal = on_face ? on->normal : tells ? d / distance : glm::normalize(out);
  return NearestSurface{distance, Vec3(normal)};
}

void GroundPatch::near_places(Vec3 point, double reach, std::vector<NearPlace>& out) const {
  const Vec3f p(point - origin_);
  const auto farthest = static_cast<float>(reach);
  for (const Facet& f : facets_) {
    if (square_to_bounds(p, f.lo, f.hi) >= farthest * farthest) continue;
    if (glm::dot(p - f.corners[0], f.normal) <= 0) continue;
    const Vec3f at = nearest_of(f.corners, p).point;
    const float distance = glm::distance(p, at);
    if (distance >= farthest || !(distance > 0)) continue;
    out.push_back({origin_ + Vec3(at), Vec3((p - at) / distance), double{distance}});
  }
}

}  // namespace talus
