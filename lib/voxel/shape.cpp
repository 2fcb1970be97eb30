#include "voxel/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>
#include <utility>

#include <glm/geometric.hpp>

#include "voxel/shape_merge.h"

namespace talus {

namespace {

/// Points closer to a cutting plane than this lie on it.
constexpr double kOnPlane = 1e-12;
/// Facets along a quarter circle where masses are worked out: 0.15 % below a ball's volume.
constexpr int kMassSegments = 24;

/// sin(i / n * 90 degrees) by its series: the same bits on every machine, which a library's sine
/// does not promise, and masses come from it. i <= n.
double quarter_sine(int i, int n) {
  const bool upper = 2 * i > n;  // there by the cosine of the rest, where the series is shorter
  const double x = (upper ? n - i : i) * (std::numbers::pi / 2) / n;
  double term = upper ? 1 : x, sum = term;
  for (int k = upper ? 1 : 2; k < 24; k += 2) {
    term *= -x * x / (k * (k + 1));
    sum += term;
  }
  return sum;
}

/// The mesh under construction: vertices that agree to the bit are one.
class Builder {
 public:
  explicit Builder(int segments) : n_(segments) {
    for (int i = 0; i <= n_; ++i) sine_.push_back(quarter_sine(i, n_));
  }

  /// The eighth of the shape at the corner with these signs, before plane cuts.
  void add_octant(Cuts cuts, IVec3 signs);
  Shape take() { return std::move(shape_); }

 private:
  double sine(int i) const { return sine_[static_cast<std::size_t>(i)]; }
  double cosine(int i) const { return sine(n_ - i); }

  void add_corner_sides();
  void add_cylinder(int axis);
  void add_two_cylinders(int square_axis);
  void add_ball();

  /// Adds a polygon given in the octant of positive coordinates.
  void add(Facet::On on, int index, std::vector<Vec3> points);
  int edge_along(int axis) const { return edge_index(axis, signs_); }
  std::uint32_t vertex(Vec3 p);

  int n_;
  std::vector<double> sine_;
  IVec3 signs_{1};
  Shape shape_;
  std::map<std::array<double, 3>, std::uint32_t> where_;
};

/// The point with coordinate a along `axis`, u and v along the next two.
Vec3 along(int axis, double a, double u, double v) {
  Vec3 p(0);
  p[axis] = a;
  p[(axis + 1) % 3] = u;
  p[(axis + 2) % 3] = v;
  return p;
}

Vec3 polygon_normal(const Shape& shape, const std::vector<std::uint32_t>& corners) {
  Vec3 sum(0);
  const Vec3 base = shape.vertices[corners[0]];
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    sum += glm::cross(shape.vertices[corners[i]] - base, shape.vertices[corners[i + 1]] - base);
  }
  return sum / glm::length(sum);
}

std::uint32_t Builder::vertex(Vec3 p) {
  p += Vec3(0.0);  // no negative zeros
  const auto [at, fresh] =
      where_.try_emplace({p.x, p.y, p.z}, static_cast<std::uint32_t>(shape_.vertices.size()));
  if (fresh) shape_.vertices.push_back(p);
  return at->second;
}

void Builder::add(Facet::On on, int index, std::vector<Vec3> points) {
  if (signs_.x * signs_.y * signs_.z < 0) std::reverse(points.begin(), points.end());
  Facet facet{on, index, Vec3(0), {}};
  for (const Vec3& p : points) {
    const std::uint32_t v = vertex(p * Vec3(signs_));
    if (facet.corners.empty() || (facet.corners.back() != v && facet.corners.front() != v)) {
      facet.corners.push_back(v);
    }
  }
  facet.normal = polygon_normal(shape_, facet.corners);
  shape_.facets.push_back(std::move(facet));
}

void Builder::add_octant(Cuts cuts, IVec3 signs) {
  signs_ = signs;
  std::array<bool, 3> round{};
  for (int axis = 0; axis < 3; ++axis) {
    round[static_cast<std::size_t>(axis)] = cuts.at(edge_along(axis)) == Cut::Round;
  }
  const auto rounds = std::count(round.begin(), round.end(), true);
  const auto first = [&](bool value) {
    return static_cast<int>(std::find(round.begin(), round.end(), value) - round.begin());
  };
  if (rounds == 0) add_corner_sides();
  if (rounds == 1) add_cylinder(first(true));
  if (rounds == 2) add_two_cylinders(first(false));
  if (rounds == 3) add_ball();
}

void Builder::add_corner_sides() {
  for (int axis = 0; axis < 3; ++axis) {
    add(Facet::On::Side, 2 * axis + (signs_[axis] > 0 ? 1 : 0),
        {along(axis, 1, 0, 0), along(axis, 1, 1, 0), along(axis, 1, 1, 1), along(axis, 1, 0, 1)});
  }
}

/// A quarter of a cylinder along `axis`, and the quarter disc at its end.
void Builder::add_cylinder(int axis) {
  std::vector<Vec3> cap{along(axis, 1, 0, 0)};
  for (int i = 0; i <= n_; ++i) cap.push_back(along(axis, 1, cosine(i), sine(i)));
  add(Facet::On::Side, 2 * axis + (signs_[axis] > 0 ? 1 : 0), std::move(cap));
  for (int i = 0; i < n_; ++i) {
    const double u0 = cosine(i), v0 = sine(i), u1 = cosine(i + 1), v1 = sine(i + 1);
    add(Facet::On::Cylinder, edge_along(axis),
        {along(axis, 0, u0, v0), along(axis, 0, u1, v1), along(axis, 1, u1, v1),
         along(axis, 1, u0, v0)});
  }
}

/// Two cylinders that meet in a crease; across `square_axis` the solid is a square.
void Builder::add_two_cylinders(int square_axis) {
  const int w = square_axis;
  for (int i = 0; i < n_; ++i) {
    const double w0 = sine(i), c0 = cosine(i), w1 = sine(i + 1), c1 = cosine(i + 1);
    add(Facet::On::Cylinder, edge_along((w + 1) % 3),
        {along(w, w0, 0, c0), along(w, w1, 0, c1), along(w, w1, c1, c1), along(w, w0, c0, c0)});
    add(Facet::On::Cylinder, edge_along((w + 2) % 3),
        {along(w, w0, c0, 0), along(w, w0, c0, c0), along(w, w1, c1, c1), along(w, w1, c1, 0)});
  }
}

/// An eighth of a ball in rings about y, quads of equal longitude.
void Builder::add_ball() {
  const auto at = [this](int ring, int slice) {
    return Vec3(cosine(ring) * cosine(slice), sine(ring), cosine(ring) * sine(slice));
  };
  const int corner = (signs_.x > 0 ? 1 : 0) + (signs_.y > 0 ? 2 : 0) + (signs_.z > 0 ? 4 : 0);
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < n_; ++j) {
      add(Facet::On::Ball, corner, {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
}

/// One convex mesh cut by one plane.
class Cutter {
 public:
  Cutter(Shape& shape, Vec3 normal, double offset) : shape_(shape) {
    for (const Vec3& v : shape.vertices) height_.push_back(glm::dot(normal, v) - offset);
  }
  /// Keeps what lies below the plane and closes it with a facet of edge `edge`.
  void cut(int edge, Vec3 normal);

 private:
  int sign(std::uint32_t v) const {
    return height_[v] > kOnPlane ? 1 : height_[v] < -kOnPlane ? -1 : 0;
  }
  std::uint32_t crossing(std::uint32_t a, std::uint32_t b);
  std::vector<std::uint32_t> below(const std::vector<std::uint32_t>& corners);

  Shape& shape_;
  std::vector<double> height_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> crossings_;
};

std::uint32_t Cutter::crossing(std::uint32_t a, std::uint32_t b) {
  if (a > b) std::swap(a, b);  // both facets of the edge get the same point
  const auto [at, fresh] = crossings_.try_emplace({a, b}, 0);
  if (fresh) {
    const double t = height_[a] / (height_[a] - height_[b]);
    at->second = static_cast<std::uint32_t>(shape_.vertices.size());
    shape_.vertices.push_back(shape_.vertices[a] * (1 - t) + shape_.vertices[b] * t);
    height_.push_back(0);
  }
  return at->second;
}

std::vector<std::uint32_t> Cutter::below(const std::vector<std::uint32_t>& corners) {
  std::vector<std::uint32_t> kept;
  if (std::none_of(corners.begin(), corners.end(), [this](auto v) { return sign(v) < 0; })) {
    return kept;
  }
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::uint32_t a = corners[i], b = corners[(i + 1) % corners.size()];
    if (sign(a) <= 0) kept.push_back(a);
    if (sign(a) * sign(b) < 0) kept.push_back(crossing(a, b));
  }
  return kept;
}

void Cutter::cut(int edge, Vec3 normal) {
  const auto count = static_cast<std::uint32_t>(shape_.vertices.size());
  bool above = false;
  for (std::uint32_t v = 0; v < count; ++v) above |= sign(v) > 0;
  if (!above) return;
  std::vector<Facet> kept;
  std::map<std::uint32_t, std::uint32_t> rim;  // the new facet's edges, from and to
  for (Facet& facet : shape_.facets) {
    facet.corners = below(facet.corners);
    if (facet.corners.size() < 3) continue;
    for (std::size_t i = 0; i < facet.corners.size(); ++i) {
      const std::uint32_t a = facet.corners[i];
      const std::uint32_t b = facet.corners[(i + 1) % facet.corners.size()];
      if (sign(a) == 0 && sign(b) == 0) rim[b] = a;
    }
    kept.push_back(std::move(facet));
  }
  if (rim.size() >= 3) {
    Facet lid{Facet::On::Plane, edge, normal, {}};
    for (std::uint32_t v = rim.begin()->first; lid.corners.size() < rim.size(); v = rim.at(v)) {
      lid.corners.push_back(v);
    }
    kept.push_back(std::move(lid));
  }
  shape_.facets = std::move(kept);
}

Mat3 outer(Vec3 a, Vec3 b) {
  return Mat3(a * b.x, a * b.y, a * b.z);
}

}  // namespace

Shape make_shape(Cuts cuts, int segments) {
  Builder builder(segments);
  for (int corner = 0; corner < 8; ++corner) {
    builder.add_octant(cuts, IVec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
  }
  Shape shape = builder.take();
  for (int edge = 0; edge < kEdges; ++edge) {
    const Cut cut = cuts.at(edge);
    if (cut != Cut::Bevel && cut != Cut::Ramp) continue;
    const Vec3 out(edge_outward(edge));
    Cutter(shape, out, cut == Cut::Bevel ? 1 : 0).cut(edge, out / std::sqrt(2.0));
  }
  merge_coplanar(shape);
  drop_unused_vertices(shape);
  return shape;
}

Vec3 surface_normal(const Facet& facet, Vec3 vertex) {
  if (facet.on == Facet::On::Cylinder) vertex[edge_axis(facet.index)] = 0;
  if (facet.on == Facet::On::Cylinder || facet.on == Facet::On::Ball) {
    return vertex / glm::length(vertex);
  }
  return facet.normal;
}

MassProperties mass_properties(const Shape& shape) {
  // Signed tetrahedra from the origin to every triangle.
  double volume = 0;
  Vec3 first(0);
  Mat3 second(0);
  for (const Facet& facet : shape.facets) {
    const Vec3 a = shape.vertices[facet.corners[0]];
    for (std::size_t i = 1; i + 1 < facet.corners.size(); ++i) {
      const Vec3 b = shape.vertices[facet.corners[i]], c = shape.vertices[facet.corners[i + 1]];
      const double tetrahedron = glm::dot(a, glm::cross(b, c)) / 6;
      const Vec3 sum = a + b + c;
      volume += tetrahedron;
      first += sum * (tetrahedron / 4);
      second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (tetrahedron / 20);
    }
  }
  if (!(volume > 0)) return {};
  const Vec3 center = first / volume;
  second -= outer(center, center) * volume;
  const double trace = second[0][0] + second[1][1] + second[2][2];
  return {volume, center, Mat3(trace) - second};
}

const MassProperties& shape_mass(Cuts cuts) {
  static std::mutex mutex;
  static std::map<std::uint32_t, MassProperties> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(cuts.bits);
  if (found != known.end()) return found->second;
  return known.emplace(cuts.bits, mass_properties(make_shape(cuts, kMassSegments))).first->second;
}

double remaining_share(Cuts cuts) {
  return shape_mass(cuts).volume / 8;
}

MassProperties block_mass(const Block& block, double density_kg_m3) {
  const double h = block.half();
  if (block.cuts.none()) {
    const double edge = 2 * h, mass = density_kg_m3 * edge * edge * edge;
    return {mass, block.middle(), Mat3(mass * edge * edge / 6)};
  }
  const MassProperties& unit = shape_mass(block.cuts);
  const double scale = density_kg_m3 * h * h * h;
  return {unit.volume * scale, block.middle() + unit.center * h, unit.inertia * (scale * h * h)};
}

}  // namespace talus
