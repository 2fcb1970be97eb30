#include "collision/hull_contact.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "voxel/shape.h"

namespace talus {

namespace {

/// Facets along a quarter of a circle.
constexpr int kSegments = 4;
/// Cosine of the angle between two faces over which their edge is none.
constexpr float kSmooth = 0.85F;
constexpr float kParallel = 1e-3F;  // sin^2 of two edges that count as parallel
constexpr float kFaceGain = 0.0005F, kEdgeGain = 0.001F;

void add_edge(Hull& hull, Vec3f direction) {
  direction = glm::normalize(direction);
  for (const Vec3f& known : hull.edges) {
    if (std::abs(glm::dot(known, direction)) > 0.9999F) return;
  }
  hull.edges.push_back(direction);
}

/// The sharp edges: those whose two faces look different ways.
void find_edges(Hull& hull) {
  for (std::size_t i = 0; i < hull.faces.size(); ++i) {
    const auto& loop = hull.faces[i].loop;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const std::uint16_t from = loop[k], to = loop[k + 1 == loop.size() ? 0 : k + 1];
      for (std::size_t j = i + 1; j < hull.faces.size(); ++j) {
        const auto& other = hull.faces[j].loop;
        for (std::size_t n = 0; n < other.size(); ++n) {
          if (other[n] != to || other[n + 1 == other.size() ? 0 : n + 1] != from) continue;
          if (glm::dot(hull.faces[i].normal, hull.faces[j].normal) > kSmooth) continue;
          add_edge(hull, hull.vertices[to] - hull.vertices[from]);
        }
      }
    }
  }
}

struct Range {
  float least = HUGE_VALF, most = -HUGE_VALF;
};

/// A hull where it is: vertices and normals in the common frame.
struct Placed {
  const Hull& hull;
  Vec3f center;
  std::vector<Vec3f> vertices, normals, edges;

  explicit Placed(const PosedHull& posed) : hull(*posed.hull), center(posed.center) {
    for (const Vec3f& v : hull.vertices) vertices.push_back(posed.center + posed.axes * v);
    for (const Hull::Face& f : hull.faces) normals.push_back(posed.axes * f.normal);
    for (const Vec3f& e : hull.edges) edges.push_back(posed.axes * e);
  }
  Range along(Vec3f axis) const {
    Range range;
    for (const Vec3f& v : vertices) {
      const float at = glm::dot(v, axis);
      range.least = std::min(range.least, at);
      range.most = std::max(range.most, at);
    }
    return range;
  }
  std::size_t face_along(Vec3f d) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < normals.size(); ++i) {
      if (glm::dot(normals[i], d) > glm::dot(normals[best], d)) best = i;
    }
    return best;
  }
};

struct Axis {
  float gap = -HUGE_VALF;
  Vec3f normal{0};  // from A to B
};

/// Gap between A and B along a direction from A to B.
float gap_along(const Placed& a, const Placed& b, Vec3f normal) {
  return b.along(normal).least - a.along(normal).most;
}

/// The best axis; stops early, with a gap over it, where one separates by more than `enough`.
Axis best_axis(const Placed& a, const Placed& b, float enough) {
  Axis best;
  const auto offer = [&](Vec3f normal, float gain) {
    const float gap = gap_along(a, b, normal);
    if (gap > best.gap + gain) best = {gap, normal};
    return gap > enough;
  };
  for (const Vec3f& n : a.normals) {
    if (offer(n, 0)) return best;
  }
  bool first = true;
  for (const Vec3f& n : b.normals) {
    if (offer(-n, first ? kFaceGain : 0)) return best;
    first = false;
  }
  const float bar = best.gap + kEdgeGain;
  Axis edge{bar, Vec3f(0)};
  for (const Vec3f& ea : a.edges) {
    for (const Vec3f& eb : b.edges) {
      Vec3f n = glm::cross(ea, eb);
      const float sine2 = glm::dot(n, n);
      if (sine2 < kParallel) continue;
      n /= std::sqrt(sine2);
      if (glm::dot(n, b.center - a.center) < 0) n = -n;
      const float gap = gap_along(a, b, n);
      if (gap > edge.gap) edge = {gap, n};
      if (gap > enough) return edge;
    }
  }
  return edge.gap > bar ? edge : best;
}

struct Corner {
  Vec3f on;  // projected onto the reference face's plane
  float gap;
};

/// Keeps what lies on the inner side of the plane through p.
void clip(std::vector<Corner>& polygon, Vec3f p, Vec3f inward, std::vector<Corner>& scratch) {
  scratch.clear();
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner& from = polygon[i];
    const Corner& to = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const float a = glm::dot(from.on - p, inward), b = glm::dot(to.on - p, inward);
    if (a >= 0) scratch.push_back(from);
    if ((a >= 0) == (b >= 0)) continue;
    const float t = a / (a - b);
    scratch.push_back({from.on + (to.on - from.on) * t, from.gap + (to.gap - from.gap) * t});
  }
  polygon.swap(scratch);
}

/// Nearest point of a face's polygon to a point.
Vec3f nearest_on_face(const Placed& hull, std::size_t face, Vec3f point) {
  const auto& loop = hull.hull.faces[face].loop;
  const Vec3f n = hull.normals[face];
  const Vec3f flat = point - n * glm::dot(point - hull.vertices[loop[0]], n);
  Vec3f best = flat;
  float least = HUGE_VALF;
  bool within = true;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3f p = hull.vertices[loop[k]];
    const Vec3f d = hull.vertices[loop[k + 1 == loop.size() ? 0 : k + 1]] - p;
    within = within && glm::dot(glm::cross(n, d), flat - p) >= 0;
    const float t = std::clamp(glm::dot(flat - p, d) / glm::dot(d, d), 0.0F, 1.0F);
    const Vec3f on = p + d * t;
    const float distance = glm::dot(point - on, point - on);
    if (distance < least) {
      least = distance;
      best = on;
    }
  }
  return within ? flat : best;
}

}  // namespace

Hull box_hull(Vec3f half) {
  Hull hull;
  for (int i = 0; i < 8; ++i) {
    hull.vertices.push_back(half * Vec3f(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
  }
  hull.faces = {{{-1, 0, 0}, {0, 4, 6, 2}}, {{1, 0, 0}, {1, 3, 7, 5}},  {{0, -1, 0}, {0, 1, 5, 4}},
                {{0, 1, 0}, {2, 6, 7, 3}},  {{0, 0, -1}, {0, 2, 3, 1}}, {{0, 0, 1}, {4, 5, 7, 6}}};
  hull.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return hull;
}

Hull cut_hull(const Block& block) {
  const Shape shape = make_shape(block.cuts, kSegments);
  const auto half = static_cast<float>(block.half());
  Hull hull;
  for (const Vec3& v : shape.vertices) hull.vertices.push_back(Vec3f(v) * half);
  for (const Facet& facet : shape.facets) {
    Hull::Face face{Vec3f(facet.normal), {}};
    for (const std::uint32_t c : facet.corners) face.loop.push_back(static_cast<std::uint16_t>(c));
    hull.faces.push_back(face);
  }
  find_edges(hull);
  return hull;
}

bool is_ball(const Block& block) {
  for (int edge = 0; edge < kEdges; ++edge) {
    if (block.cuts.at(edge) != Cut::Round) return false;
  }
  return true;
}

CutPart make_cut_part(const Block& block) {
  CutPart part;
  part.middle = block.middle();
  part.hull = cut_hull(block);
  if (is_ball(block)) part.ball = static_cast<float>(block.half());
  const float depth = -distance_to({&part.hull, Vec3f(0), Mat3f(1)}, Vec3f(0)).distance;
  part.core = part.ball > 0 ? part.ball : std::max(0.0F, depth);
  return part;
}

bool touch(const PosedHull& pa, const PosedHull& pb, float margin, HullTouch& out) {
  out.points.clear();
  const Placed a(pa), b(pb);
  const Axis axis = best_axis(a, b, margin);
  if (axis.gap > margin) return false;
  const Vec3f n = axis.normal;
  out.normal = n;
  const std::size_t fa = a.face_along(n), fb = b.face_along(-n);
  const Vec3f na = a.normals[fa];
  const auto& loop_a = a.hull.faces[fa].loop;
  const Vec3f origin = a.vertices[loop_a[0]];
  const float slant = glm::dot(na, n);
  std::vector<Corner> polygon, scratch;
  if (slant > 0.1F) {
    for (const std::uint16_t v : b.hull.faces[fb].loop) {
      const float gap = glm::dot(b.vertices[v] - origin, na) / slant;
      polygon.push_back({b.vertices[v] - n * gap, gap});
    }
    for (std::size_t k = 0; k < loop_a.size() && !polygon.empty(); ++k) {
      const Vec3f p = a.vertices[loop_a[k]];
      const Vec3f q = a.vertices[loop_a[k + 1 == loop_a.size() ? 0 : k + 1]];
      clip(polygon, p, glm::cross(na, q - p), scratch);
    }
  }
  for (const Corner& c : polygon) {
    if (c.gap <= margin) out.points.push_back({c.on + n * (0.5F * c.gap), c.gap});
  }
  if (out.points.empty()) {
    // Two round sides that meet between their facets: where each reaches farthest.
    const auto farthest = [](const Placed& hull, Vec3f d) {
      return *std::max_element(hull.vertices.begin(), hull.vertices.end(),
                               [&](Vec3f x, Vec3f y) { return glm::dot(x, d) < glm::dot(y, d); });
    };
    out.points.push_back({0.5F * (farthest(a, n) + farthest(b, -n)), axis.gap});
  }
  return true;
}

float separation(const PosedHull& a, const PosedHull& b) {
  return best_axis(Placed(a), Placed(b), HUGE_VALF).gap;
}

HullDistance distance_to(const PosedHull& posed, Vec3f point) {
  const Placed hull(posed);
  float deepest = -HUGE_VALF;
  std::size_t side = 0;
  for (std::size_t i = 0; i < hull.normals.size(); ++i) {
    const float out = glm::dot(point - hull.vertices[hull.hull.faces[i].loop[0]], hull.normals[i]);
    if (out <= deepest) continue;
    deepest = out;
    side = i;
  }
  if (deepest <= 0) return {deepest, hull.normals[side]};
  HullDistance best{HUGE_VALF, hull.normals[side]};
  for (std::size_t i = 0; i < hull.normals.size(); ++i) {
    const Vec3f p = hull.vertices[hull.hull.faces[i].loop[0]];
    if (glm::dot(point - p, hull.normals[i]) <= 0) continue;
    const Vec3f away = point - nearest_on_face(hull, i, point);
    const float distance = glm::length(away);
    if (distance < best.distance && distance > 0) best = {distance, away / distance};
  }
  return best;
}

}  // namespace talus
