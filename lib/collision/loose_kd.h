// The tree over the triangles of one chunk: small, quick to build, exact.
//
// A loose kD tree: a node has two planes across one axis; all of its left child lies below one, all
// of its right child above the other, both as tight as can be, so the children may overlap or leave
// a gap. The axis is the longest of the node's region (the tree's box as the planes so far cut it),
// the triangles part at the mean of their middles; where that leaves under a quarter on one side
// the list sorted by middles is cut in half. No node has a box. Published as the terrain tree of a
// large game platform; ours has quads in its leaves and nodes of 6 bytes.
//
// Vertices stand on the grid of kVertexGrid metres, rounded as points of the world, so that chunks
// agree on the vertices they share; meshes of chunks lie on it already and are kept exactly. About
// 9 bytes a triangle. Queries need no recursion and allocate nothing but their answers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "collision/quads.h"
#include "collision/ray.h"
#include "collision/triangle.h"
#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

class LooseKd {
 public:
  /// Inner: the planes of the left and the right child, grid units from the tree's corner; the left
  /// child follows, `link` is axis << 14 | the right child's place. Leaf: axis 3, and plane = first
  /// quad and number of quads.
  struct Node {
    std::uint16_t plane[2];
    std::uint16_t link;
  };
  using Vertex = std::array<std::uint16_t, 3>;  // grid units from the tree's corner
  static constexpr std::size_t kQuadsPerLeaf = 4;
  static constexpr std::size_t kMostQuads = (1 << 14) - 1;
  /// The largest edge of a tree's box, metres.
  static constexpr double kLargestEdge = 65535 * kVertexGrid;

  LooseKd() = default;
  /// The mesh must be finite, of at most kMostQuads triangles and 65535 vertices, and not larger
  /// than kLargestEdge on any axis: a chunk is. About 20 ns a triangle.
  explicit LooseKd(const Mesh& mesh);

  bool empty() const { return quad_count_ == 0; }
  /// Triangles are numbered 0 to 2 * quads() - 1; of a quad without a second triangle that number
  /// is left out.
  std::size_t quads() const { return quad_count_; }
  bool has_triangle(std::uint32_t triangle) const;
  /// A triangle's corners relative to a point, metres.
  Triangle triangle(std::uint32_t triangle, Vec3 relative_to = Vec3(0)) const;
  /// The box around all triangles.
  Box bounds() const;
  std::size_t bytes() const;

  /// The nearest hit.
  std::optional<TriangleHit> first_hit(const RayFrame& ray) const;
  /// The nearest hit at most `limit` (grid units) away, in the fast test's words: for a caller who
  /// asks many trees and wants exact_hit of the last only.
  bool trace(const RayFrame& ray, NearHit& best) const;
  TriangleHit exact(const RayFrame& ray, const NearHit& hit) const;
  /// Every hit within reach, nearest first, added to `hits`.
  void all_hits(const RayFrame& ray, std::vector<TriangleHit>& hits) const;
  /// The triangles whose own box touches the box, added to `triangles` in the tree's order.
  void touched(const Box& box, std::vector<std::uint32_t>& triangles) const;
  /// The nearest point at most `reach` metres away.
  std::optional<NearestPoint> nearest(Vec3 point, double reach) const;

  const Vertex* vertex_data() const { return reinterpret_cast<const Vertex*>(data_.get()); }
  const Quad<std::uint16_t>* quad_data() const {
    return reinterpret_cast<const Quad<std::uint16_t>*>(vertex_data() + vertex_count_);
  }
  const Node* node_data() const { return reinterpret_cast<const Node*>(quad_data() + quad_count_); }

 private:
  /// The ray in this tree's grid; false where it is too far away to meet.
  bool place(const RayFrame& ray, struct GridRay& placed) const;

  std::unique_ptr<std::uint16_t[]> data_;  // vertices, quads, nodes
  std::array<std::int64_t, 3> corner_{};   // of the tree's box, grid units
  std::array<std::uint16_t, 3> size_{};    // of the tree's box, grid units
  std::uint16_t vertex_count_ = 0, quad_count_ = 0, node_count_ = 0;
};

}  // namespace talus
