#include "voxel/block_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include <glm/geometric.hpp>

#include "voxel/shape.h"

namespace talus {

namespace {

// Everything here is in units of half the block's edge, about its middle.

constexpr int kMixedSegments = 16;
/// A point less than this above a facet lies on it; facets of one plane then agree about it.
constexpr double kOnFacet = 1e-10;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Exit {
  double depth = kInfinity;
  Vec3 normal{0, 1, 0};

  void offer(double other_depth, Vec3 other_normal) {
    if (other_depth < depth) *this = {other_depth, other_normal};
  }
};

bool edge_open(int edge, unsigned open) {
  const IVec3 out = edge_outward(edge);
  for (int side = 0; side < kSides; ++side) {
    const bool joined = out[side / 2] == side_normal(side)[side / 2];
    if (joined && (open >> side & 1)) return true;
  }
  return false;
}

Exit through_sides(unsigned open, Vec3 p) {
  Exit exit;
  for (int side = 0; side < kSides; ++side) {
    const Vec3 n(side_normal(side));
    if (open >> side & 1) exit.offer(1 - glm::dot(n, p), n);
  }
  return exit;
}

BlockDistance from_exit(const Exit& exit, Vec3 p) {
  if (exit.depth == kInfinity) return {-(1 - p.y), Vec3(0, 1, 0)};
  return {-exit.depth, exit.normal};
}

BlockDistance from_nearest(Vec3 p, Vec3 nearest) {
  const Vec3 away = p - nearest;
  const double distance = glm::length(away);
  return {distance, away / distance};
}

bool in_cube(Vec3 p) {
  return std::abs(p.x) <= 1 && std::abs(p.y) <= 1 && std::abs(p.z) <= 1;
}

BlockDistance cube_distance(unsigned open, Vec3 p) {
  if (in_cube(p)) return from_exit(through_sides(open, p), p);
  return from_nearest(p, glm::clamp(p, Vec3(-1), Vec3(1)));
}

// ---- all cuts round: the nearest point lies in the point's own octant, and there the solid is a
// cube, a cylinder, two cylinders or a ball (see block.h)

struct Octant {
  Vec3 signs{1};
  std::array<bool, 3> round{};  // the edge along each axis
  int rounds = 0;
};

Octant octant_of(Cuts cuts, Vec3 p) {
  Octant octant;
  for (int axis = 0; axis < 3; ++axis) octant.signs[axis] = p[axis] < 0 ? -1 : 1;
  for (int axis = 0; axis < 3; ++axis) {
    const bool round = cuts.at(edge_index(axis, IVec3(octant.signs))) == Cut::Round;
    octant.round[static_cast<std::size_t>(axis)] = round;
    octant.rounds += round ? 1 : 0;
  }
  return octant;
}

double across(Vec3 p, int axis) {
  const double u = p[(axis + 1) % 3], v = p[(axis + 2) % 3];
  return std::sqrt(u * u + v * v);
}

/// The nearest point of the cylinder of radius one along `axis`.
Vec3 onto_cylinder(Vec3 p, int axis) {
  const double radius = across(p, axis);
  if (radius > 1) {
    p[(axis + 1) % 3] /= radius;
    p[(axis + 2) % 3] /= radius;
  }
  return p;
}

/// The nearest point of the crease u = v = sqrt(1 - w^2), by halving the half angle's tangent.
Vec3 onto_crease(Vec3 p, int w_axis) {
  const double sum = p[(w_axis + 1) % 3] + p[(w_axis + 2) % 3];
  double lo = 0, hi = 1, w = 0, c = 1;
  for (int i = 0; i < 60; ++i) {
    const double t = (lo + hi) / 2;
    w = 2 * t / (1 + t * t);
    c = (1 - t * t) / (1 + t * t);
    (w * sum - c * w - c * p[w_axis] < 0 ? lo : hi) = t;
  }
  Vec3 q(c);
  q[w_axis] = w;
  return q;
}

Vec3 onto_two_cylinders(Vec3 p, int w_axis) {
  const int a = (w_axis + 1) % 3, b = (w_axis + 2) % 3;
  const Vec3 first = onto_cylinder(p, a), second = onto_cylinder(p, b);
  if (across(first, b) <= 1) return first;
  if (across(second, a) <= 1) return second;
  return onto_crease(p, w_axis);
}

/// The nearest point of the solid to a point of the positive octant outside it.
Vec3 onto_octant(const Octant& octant, Vec3 p) {
  const auto first = [&](bool value) {
    return static_cast<int>(std::find(octant.round.begin(), octant.round.end(), value) -
                            octant.round.begin());
  };
  if (octant.rounds == 0) return glm::min(p, Vec3(1));
  if (octant.rounds == 1) return glm::min(onto_cylinder(p, first(true)), Vec3(1));
  if (octant.rounds == 2) return onto_two_cylinders(p, first(false));
  return p / glm::length(p);
}

bool in_octant(const Octant& octant, Vec3 p) {
  if (!in_cube(p)) return false;
  if (octant.rounds == 3) return glm::dot(p, p) <= 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (octant.round[static_cast<std::size_t>(axis)] && across(p, axis) > 1) return false;
  }
  return true;
}

Exit through_rounds(const Octant& octant, unsigned open, Vec3 p) {
  Exit exit = through_sides(open, p);
  const auto offer = [&](Vec3 outward) {
    const double radius = glm::length(outward);
    if (radius > 0) exit.offer(1 - radius, outward / radius);
  };
  bool any_open = false;
  for (int axis = 0; axis < 3; ++axis) {
    const bool opens = octant.round[static_cast<std::size_t>(axis)] &&
                       edge_open(edge_index(axis, IVec3(octant.signs)), open);
    any_open |= opens;
    Vec3 outward = p;
    outward[axis] = 0;
    if (opens && octant.rounds < 3) offer(outward);
  }
  if (any_open && octant.rounds == 3) offer(p);
  return exit;
}

BlockDistance round_distance(Cuts cuts, unsigned open, Vec3 p) {
  const Octant octant = octant_of(cuts, p);
  const Vec3 folded = p * octant.signs;
  if (in_octant(octant, folded)) return from_exit(through_rounds(octant, open, p), p);
  const Vec3 nearest = onto_octant(octant, folded) * octant.signs;
  // Outside by less than the last bit: on the surface.
  if (nearest == p) return from_exit(through_rounds(octant, open, p), p);
  return from_nearest(p, nearest);
}

// ---- plane cuts: the mesh

const Shape& distance_shape(Cuts cuts) {
  static std::mutex mutex;
  static std::map<std::uint32_t, Shape> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(cuts.bits);
  if (found != known.end()) return found->second;
  return known.emplace(cuts.bits, make_shape(cuts, kMixedSegments)).first->second;
}

double height_over(const Shape& shape, const Facet& facet, Vec3 p) {
  return glm::dot(facet.normal, p - shape.vertices[facet.corners[0]]);
}

bool facet_open(const Facet& facet, unsigned open) {
  if (facet.on == Facet::On::Side) return open >> facet.index & 1;
  if (facet.on != Facet::On::Ball) return edge_open(facet.index, open);
  for (int axis = 0; axis < 3; ++axis) {
    if (open >> (2 * axis + (facet.index >> axis & 1)) & 1) return true;
  }
  return false;
}

/// The nearest point of a convex polygon to a point above its plane.
Vec3 onto_facet(const Shape& shape, const Facet& facet, Vec3 p) {
  Vec3 best = p - facet.normal * height_over(shape, facet, p);
  double best_distance = kInfinity;
  bool over = true;
  const Vec3 foot = best;
  for (std::size_t i = 0; i < facet.corners.size(); ++i) {
    const Vec3 a = shape.vertices[facet.corners[i]];
    const Vec3 edge = shape.vertices[facet.corners[(i + 1) % facet.corners.size()]] - a;
    if (glm::dot(glm::cross(facet.normal, edge), foot - a) >= 0) continue;
    over = false;
    const double t = std::clamp(glm::dot(p - a, edge) / glm::dot(edge, edge), 0.0, 1.0);
    const Vec3 q = a + edge * t;
    if (const double d = glm::distance(p, q); d < best_distance) {
      best_distance = d;
      best = q;
    }
  }
  return over ? foot : best;
}

BlockDistance mesh_distance(Cuts cuts, unsigned open, Vec3 p) {
  const Shape& shape = distance_shape(cuts);
  bool within = true;
  double nearest_distance = kInfinity;
  Vec3 nearest(0);
  Exit exit;
  for (const Facet& facet : shape.facets) {
    const double height = height_over(shape, facet, p);
    if (height <= kOnFacet) {
      if (facet_open(facet, open)) exit.offer(-height, facet.normal);
      continue;
    }
    within = false;
    const Vec3 q = onto_facet(shape, facet, p);
    if (const double d = glm::distance(p, q); d < nearest_distance) {
      nearest_distance = d;
      nearest = q;
    }
  }
  if (within) return from_exit(exit, p);
  return from_nearest(p, nearest);
}

bool any_plane_cut(Cuts cuts) {
  for (int edge = 0; edge < kEdges; ++edge) {
    if (cuts.at(edge) == Cut::Bevel || cuts.at(edge) == Cut::Ramp) return true;
  }
  return false;
}

BlockDistance unit_distance(Cuts cuts, unsigned open, Vec3 p) {
  if (cuts.none()) return cube_distance(open, p);
  if (any_plane_cut(cuts)) return mesh_distance(cuts, open, p);
  return round_distance(cuts, open, p);
}

}  // namespace

BlockDistance signed_distance(const Block& block, unsigned open, Vec3 point) {
  const double half = block.half();
  const BlockDistance unit = unit_distance(block.cuts, open, (point - block.middle()) / half);
  return {unit.distance * half, unit.normal};
}

bool inside(const Block& block, Vec3 point) {
  return signed_distance(block, kAllSidesOpen, point).distance <= 0;
}

}  // namespace talus
