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

/// Sides of a box that a direction, in the box's own axes, leads into.
unsigned sides_into(Vec3f d) {
  unsigned sides = 0;
  for (int k = 0; k < 3; ++k) {
    if (d[k] < -kInto) sides |= 1U << (2 * k);
    if (d[k] > kInto) sides |= 1U << (2 * k + 1);
  }
  return sides;
}

/// Three numbers side by side, worked on at once; the fourth counts for nothing.
using Three = float __attribute__((vector_size(16)));
Three three(float x, float y, float z) {
  return Three{x, y, z, 0};
}
Three three(Vec3f v) {
  return three(v.x, v.y, v.z);
}
Three absolute(Three v) {
  using Bits = std::int32_t __attribute__((vector_size(16)));
  return reinterpret_cast<Three>(reinterpret_cast<Bits>(v) & 0x7FFFFFFF);
}
/// By k: v[next(k)], and v[after_next(k)].
Three nexts(Three v) {
  return __builtin_shufflevector(v, v, 1, 2, 0, 3);
}
Three after_nexts(Three v) {
  return __builtin_shufflevector(v, v, 2, 0, 1, 3);
}
/// The products of a vector with each column.
Three dots(Vec3f v, const Mat3f& m) {
  return v.x * three(m[0].x, m[1].x, m[2].x) + v.y * three(m[0].y, m[1].y, m[2].y) +
         v.z * three(m[0].z, m[1].z, m[2].z);
}

/// The relative pose, once for all fifteen axes.
struct Pair {
  const PosedBox& a;
  const PosedBox& b;
  Vec3f offset;                // centre of B from A's, in the common frame
  Three t;                     // the same in A's axes
  Three rows[3], abs_rows[3];  // [i][j]: A_i . B_j

  Pair(const PosedBox& first, const PosedBox& second)
      : a(first), b(second), offset(second.center - first.center), t(dots(offset, a.axes)) {
    for (int i = 0; i < 3; ++i) {
      rows[i] = dots(a.axes[i], b.axes);
      abs_rows[i] = absolute(rows[i]);
    }
  }

  bool open(Vec3f normal) const {
    if (!(a.closed | b.closed)) return true;
    const auto in = [&](const PosedBox& box, Vec3f d) {
      return sides_into(
                 {glm::dot(d, box.axes[0]), glm::dot(d, box.axes[1]), glm::dot(d, box.axes[2])}) &
             box.closed;
    };
    return !in(a, normal) && !in(b, -normal);
  }
};

/// Along three axes: the centres' distance, from A to B, and what the half sizes leave of it.
struct Along {
  Three way, gap;
};
Along along_faces_of_a(const Pair& p) {
  const Three(&r)[3] = p.abs_rows;
  const Three reach = three(p.a.half) + p.b.half.x * three(r[0][0], r[1][0], r[2][0]) +
                      p.b.half.y * three(r[0][1], r[1][1], r[2][1]) +
                      p.b.half.z * three(r[0][2], r[1][2], r[2][2]);
  return {p.t, absolute(p.t) - reach};
}
Along along_faces_of_b(const Pair& p) {
  const Three way = dots(p.offset, p.b.axes);
  const Three reach = three(p.b.half) + p.a.half.x * p.abs_rows[0] + p.a.half.y * p.abs_rows[1] +
                      p.a.half.z * p.abs_rows[2];
  return {way, absolute(way) - reach};
}
/// Along the cross products of axis i of A with those of B. `sine`: their lengths; `crossing`: a
/// bit for each axis of B that is not parallel to A's, of which alone something is said.
Along along_edges(const Pair& p, int i, Three& sine, unsigned& crossing) {
  const int i1 = next(i), i2 = after_next(i);
  const Three half = three(p.b.half), r = p.abs_rows[i];
  const Three way = p.t[i2] * p.rows[i1] - p.t[i1] * p.rows[i2];
  const Three reach = p.a.half[i1] * p.abs_rows[i2] + p.a.half[i2] * p.abs_rows[i1] +
                      nexts(half) * after_nexts(r) + after_nexts(half) * nexts(r);
  const Three sine2 = 1 - p.rows[i] * p.rows[i];
  crossing = 0;
  sine = Three{1, 1, 1, 1};
  for (int j = 0; j < 3; ++j) {
    if (sine2[j] < kParallelSine2) continue;
    sine[j] = std::sqrt(sine2[j]);
    crossing |= 1U << j;
  }
  return {way, (absolute(way) - reach) / sine};
}

/// Each search returns the gap of an axis of its own that separates the boxes by more than the
/// margin; otherwise 0.
float search_faces_of_a(const Pair& p, float margin, Axis& best) {
  const Along along = along_faces_of_a(p);
  const float most = std::max({along.gap[0], along.gap[1], along.gap[2]});
  if (most > margin) return most;
  for (int i = 0; i < 3; ++i) {
    if (along.gap[i] <= best.gap) continue;
    const Vec3f normal = along.way[i] < 0 ? -p.a.axes[i] : p.a.axes[i];
    if (p.open(normal)) best = {Axis::Of::FaceA, i, 0, along.gap[i], normal};
  }
  return 0;
}

float search_faces_of_b(const Pair& p, float margin, Axis& best) {
  const Along along = along_faces_of_b(p);
  const float greatest = std::max({along.gap[0], along.gap[1], along.gap[2]});
  if (greatest > margin) return greatest;
  float most = best.of == Axis::Of::None ? -HUGE_VALF : best.gap + kFaceGain;
  for (int j = 0; j < 3; ++j) {
    if (along.gap[j] <= most) continue;
    const Vec3f normal = along.way[j] < 0 ? -p.b.axes[j] : p.b.axes[j];
    if (!p.open(normal)) continue;
    most = along.gap[j];
    best = {Axis::Of::FaceB, 0, j, most, normal};
  }
  return 0;
}

float search_edges(const Pair& p, float margin, float bar, Axis& best) {
  float most = bar;
  for (int i = 0; i < 3; ++i) {
    Three sine;
    unsigned crossing;
    const Along along = along_edges(p, i, sine, crossing);
    for (int j = 0; j < 3; ++j) {
      if (!(crossing >> j & 1)) continue;
      if (along.gap[j] > margin) return along.gap[j];
      if (along.gap[j] <= most) continue;
      const Vec3f cross = glm::cross(p.a.axes[i], p.b.axes[j]) / sine[j];
      const Vec3f normal = along.way[j] < 0 ? -cross : cross;
      if (!p.open(normal)) continue;
      most = along.gap[j];
      best = {Axis::Of::Edges, i, j, most, normal};
    }
  }
  return 0;
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
bool crossing(const Pair& p, const Axis& axis, TouchPoint& out) {
  const Vec3f da = p.a.axes[axis.i], db = p.b.axes[axis.j];
  const Vec3f ma = edge_middle(p.a, axis.i, axis.normal);
  const Vec3f mb = edge_middle(p.b, axis.j, -axis.normal);
  const float c = p.rows[axis.i][axis.j];
  const Vec3f d = mb - ma;
  const float ad = glm::dot(da, d), bd = glm::dot(db, d);
  const float s = (ad - c * bd) / (1 - c * c);
  const float u = (c * ad - bd) / (1 - c * c);
  if (std::abs(s) > p.a.half[axis.i] || std::abs(u) > p.b.half[axis.j]) return false;
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

bool touch(const PosedBox& a, const PosedBox& b, float margin, BoxTouch& out) {
  out.count = 0;
  const Pair pair(a, b);
  Axis face;
  out.apart = search_faces_of_a(pair, margin, face);
  if (out.apart > 0) return false;
  out.apart = search_faces_of_b(pair, margin, face);
  if (out.apart > 0) return false;
  Axis edge;
  const float bar = face.of == Axis::Of::None ? -HUGE_VALF : face.gap + kEdgeGain;
  out.apart = search_edges(pair, margin, bar, edge);
  if (out.apart > 0) return false;

  TouchPoint cross;
  if (edge.of == Axis::Of::Edges && crossing(pair, edge, cross)) {
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
