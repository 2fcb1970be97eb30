// The loose kD tree in the form in which it was published, and no tree at all: what the fast trees
// must agree with.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collision/ray.h"
#include "collision/triangle.h"
#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

/// The watertight test in plain float, one triangle at a time. Corners are relative to the ray's
/// origin; t has their unit.
bool plain_ray_triangle(const RayFrame& ray, const std::array<Vec3f, 3>& corners, float& t);

/// Triangles of the world that lie on the grid of kVertexGrid, as whole numbers.
struct GridTriangles {
  std::vector<std::array<std::array<std::int64_t, 3>, 3>> corners;
  /// Snapped as chunks snap: as points of the world.
  void add(const Mesh& mesh);
  Triangle metres(std::size_t triangle, Vec3 relative_to = Vec3(0)) const;
  /// t (grid units) of the ray's hit on a triangle, if it hits within reach.
  std::optional<float> hit(const RayFrame& ray, std::size_t triangle) const;
};

/// Every hit's t, least first: all triangles, one after the other.
std::vector<float> brute_force_hits(const GridTriangles& triangles, const RayFrame& ray);

/// As published: float planes, two triangles a leaf, 12 bytes a node, axis by the region.
class PlainKd {
 public:
  explicit PlainKd(const GridTriangles& triangles);
  std::vector<float> hits(const RayFrame& ray) const;
  std::optional<float> first_hit(const RayFrame& ray) const;
  std::vector<std::size_t> touched(const Box& box) const;

 private:
  struct Node {
    float plane[2];      // inner: of the left and the right child, metres, padded outward
    std::uint32_t link;  // axis in the low two bits, 3 a leaf; then the right child, or the first
                         // triangle * 4 + count
  };
  static_assert(sizeof(Node) == 12);
  std::uint32_t build(std::size_t first, std::size_t count, Box region);

  const GridTriangles& triangles_;
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
};

}  // namespace talus
