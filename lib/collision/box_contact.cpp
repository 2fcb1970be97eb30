#include "collision/box_contact.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <glm/geometric.hpp>

namespace talus {

namespace {

// A face is preferred to another, and faces to edges, unless the gain is more than rounding.
constexpr float kFaceGain = 0.0005F, kEdgeGain = 0.001F;

constexpr int next(int axis) {
  return axis == 2 ? 0 : axis + 1;
}
constexpr int after_next(int axis) {
  return axis == 0 ? 2 : axis - 1;
}

/// A direction along which the boxes were projected.
struct Axis {
  enum class Of : std::uint8_t { FaceA, FaceB, Edges, None };
  Of of = Of::None;
  int i = 0, j = 0;  // the axis of A or B; of both for Edges
  float gap = -HUGE_VALF;
  Vec3f normal{0};  // unit, from A to B
};

/// True where a direction leads into a closed side of the box.
bool is_closed(const PosedBox& box, Vec3f direction) {
  if (box.closed == 0) return false;
  unsigned sides = 0;
  for (int k = 0; k < 3; ++k) {
    const float along = glm::dot(direction, box.axes[k]);
    if (along < -kInto) sides |= 1U << (2 * k);
    if (along > kInto) sides |= 1U << (2 * k + 1);
  }
  return sides & box.closed;
}

/// True where a direction from A to B leads through no closed side of either.
bool is_open(const PosedBox& a, const PosedBox& b, Vec3f normal) {
  return !is_closed(a, normal) && !is_closed(b, -normal);
}

/// The direction, or its opposite, that leads from A to B.
Vec3f from_a_to_b(const PosedBox& a, const PosedBox& b, Vec3f direction) {
  return glm::dot(direction, b.center - a.center) < 0 ? -direction : direction;
}

/// The face along whose normal the boxes overlap least, or are farthest apart.
Axis best_face(const PosedBox& a, const PosedBox& b, const BoxGaps& gaps) {
  Axis best;
  for (int i = 0; i < 3; ++i) {
    if (gaps.along_a[i] <= best.gap) continue;
    const Vec3f normal = from_a_to_b(a, b, a.axes[i]);
    if (is_open(a, b, normal)) best = {Axis::Of::FaceA, i, 0, gaps.along_a[i], normal};
  }
  float most = best.of == Axis::Of::None ? -HUGE_VALF : best.gap + kFaceGain;
  for (int j = 0; j < 3; ++j) {
    if (gaps.along_b[j] <= most) continue;
    const Vec3f normal = from_a_to_b(a, b, b.axes[j]);
    if (!is_open(a, b, normal)) continue;
    most = gaps.along_b[j];
    best = {Axis::Of::FaceB, 0, j, most, normal};
  }
  return best;
}

/// The edges that are better than that, if any.
Axis best_edges(const PosedBox& a, const PosedBox& b, const BoxGaps& gaps, const Axis& face) {
  Axis best;
  float most = face.of == Axis::Of::None ? 0.5F * kNoGap : face.gap + kEdgeGain;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if (gaps.along_edges[i][j] <= most) continue;
      const Vec3f normal = from_a_to_b(a, b, glm::normalize(glm::cross(a.axes[i], b.axes[j])));
      if (!is_open(a, b, normal)) continue;
      most = gaps.along_edges[i][j];
      best = {Axis::Of::Edges, i, j, most, normal};
    }
  }
  return best;
}

/// The middle of the edge along `axis` that lies farthest along d.
Vec3f edge_middle(const PosedBox& box, int axis, Vec3f d) {
  Vec3f middle = box.center;
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    const float side = glm::dot(box.axes[k], d) < 0 ? -box.half[k] : box.half[k];
    middle += box.axes[k] * side;
  }
  return middle;
}

/// Where the two edges pass each other; false where that lies past the end of one.
bool crossing(const PosedBox& a, const PosedBox& b, const Axis& axis, TouchPoint& out) {
  const Vec3f da = a.axes[axis.i], db = b.axes[axis.j];
  const Vec3f ma = edge_middle(a, axis.i, axis.normal);
  const Vec3f mb = edge_middle(b, axis.j, -axis.normal);
  const float c = glm::dot(da, db);
  const Vec3f d = mb - ma;
  const float ad = glm::dot(da, d), bd = glm::dot(db, d);
  const float s = (ad - c * bd) / (1 - c * c);
  const float u = (c * ad - bd) / (1 - c * c);
  if (std::abs(s) > a.half[axis.i] || std::abs(u) > b.half[axis.j]) return false;
  out = {0.5F * (ma + da * s + mb + db * u), axis.gap};
  return true;
}

/// The axis of the box most along d.
int axis_along(const PosedBox& box, Vec3f d) {
  const float x = std::abs(glm::dot(box.axes[0], d)), y = std::abs(glm::dot(box.axes[1], d)),
              z = std::abs(glm::dot(box.axes[2], d));
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/// A corner of a polygon on the reference face: its coordinates there, and how far the other box
/// is above it along the normal.
struct Corner {
  float at[2];
  float gap;
};
/// Four corners, and one more a clip; rounding may cut a sliver's side more than once.
constexpr int kMostCorners = 16;
struct Polygon {
  int count;
  Corner corners[kMostCorners];  // the first `count`
};

/// Keeps what lies at sign * coordinate <= limit.
void clip(Polygon& polygon, int coordinate, float sign, float limit) {
  const std::span<const Corner> corners(polygon.corners, static_cast<std::size_t>(polygon.count));
  const auto outside = [&](const Corner& c) { return sign * c.at[coordinate] > limit; };
  if (std::none_of(corners.begin(), corners.end(), outside)) return;
  Polygon result;
  result.count = 0;
  for (int i = 0; i < polygon.count && result.count + 2 <= kMostCorners; ++i) {
    const Corner& p = polygon.corners[i];
    const Corner& q = polygon.corners[i + 1 == polygon.count ? 0 : i + 1];
    const float out_p = sign * p.at[coordinate] - limit, out_q = sign * q.at[coordinate] - limit;
    if (out_p <= 0) result.corners[result.count++] = p;
    if ((out_p <= 0) == (out_q <= 0)) continue;
    const float t = out_p / (out_p - out_q);
    result.corners[result.count++] = {
        {p.at[0] + (q.at[0] - p.at[0]) * t, p.at[1] + (q.at[1] - p.at[1]) * t},
        p.gap + (q.gap - p.gap) * t};
  }
  polygon = result;
}

/// Projects the other box's face along the normal onto the reference box's, and clips it there.
/// `normal` leads out of the reference box.
void add_face_points(const PosedBox& reference, const PosedBox& other, Vec3f normal, float margin,
                     BoxTouch& out) {
  const int f = axis_along(reference, normal), fu = next(f), fv = after_next(f);
  const float along = glm::dot(reference.axes[f], normal);
  const Vec3f out_f = along < 0 ? -reference.axes[f] : reference.axes[f];
  const float slant = std::abs(along);
  const int g = axis_along(other, normal), gu = next(g), gv = after_next(g);
  const float back = glm::dot(other.axes[g], normal) < 0 ? other.half[g] : -other.half[g];
  const Vec3f middle = other.center + other.axes[g] * back;
  const Vec3f side_u = other.axes[gu] * other.half[gu], side_v = other.axes[gv] * other.half[gv];

  Polygon polygon;
  polygon.count = 4;
  constexpr float kSigns[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  bool within = true;
  for (int k = 0; k < 4; ++k) {
    const Vec3f p = middle + side_u * kSigns[k][0] + side_v * kSigns[k][1] - reference.center;
    const float gap = (glm::dot(p, out_f) - reference.half[f]) / slant;
    const Vec3f on = p - normal * gap;
    polygon.corners[k] = {{glm::dot(on, reference.axes[fu]), glm::dot(on, reference.axes[fv])},
                          gap};
    within = within && std::abs(polygon.corners[k].at[0]) <= reference.half[fu] &&
             std::abs(polygon.corners[k].at[1]) <= reference.half[fv];
  }
  if (!within) {
    for (const int c : {0, 1}) {
      const float limit = reference.half[c == 0 ? fu : fv];
      clip(polygon, c, 1, limit);
      clip(polygon, c, -1, limit);
    }
  }
  const Vec3f face = reference.center + out_f * reference.half[f];
  for (int k = 0; k < polygon.count && out.count < static_cast<int>(out.points.size()); ++k) {
    const Corner& c = polygon.corners[k];
    if (c.gap > margin) continue;
    out.points[static_cast<std::size_t>(out.count++)] = {face + reference.axes[fu] * c.at[0] +
                                                             reference.axes[fv] * c.at[1] +
                                                             normal * (0.5F * c.gap),
                                                         c.gap};
  }
}

}  // namespace

bool touch(const PosedBox& a, const PosedBox& b, const BoxGaps& gaps, float margin, BoxTouch& out) {
  out.count = 0;
  const Axis face = best_face(a, b, gaps);
  const Axis edge = best_edges(a, b, gaps, face);

  TouchPoint cross;
  if (edge.of == Axis::Of::Edges && crossing(a, b, edge, cross)) {
    out.normal = edge.normal;
    out.points[static_cast<std::size_t>(out.count++)] = cross;
    add_face_points(a, b, edge.normal, margin, out);
    return true;
  }
  if (face.of == Axis::Of::None) return false;
  out.normal = face.normal;
  if (face.of == Axis::Of::FaceA) {
    add_face_points(a, b, face.normal, margin, out);
  } else {
    add_face_points(b, a, -face.normal, margin, out);
  }
  return out.count > 0;
}

}  // namespace talus
