// The tree over many triangles that stay: a whole region's mesh, or a mesh file. Asked as LooseKd
// is.
//
// A bounding volume hierarchy of sixteen children a node, their boxes rounded outward to 8 bits a
// plane within the node's box (after Ylitie, Karras and Laine, "Efficient incoherent ray traversal
// on GPUs through compressed wide BVHs", 2017), quads in the leaves. Built from the top: the
// longest axis, parted at the mean of the middles; the largest of a node's parts is split until
// there are sixteen. Vertices stay floats as the mesh has them, so hits are those of the mesh
// itself. About 3 bytes a triangle for the tree and 16 for quads and vertices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/quads.h"
#include "collision/ray.h"
#include "collision/triangle.h"
#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

class WideBvh {
 public:
  static constexpr int kWidth = 16;
  static constexpr std::uint32_t kQuadsPerLeaf = 4;

  /// Children 0 to count - 1; those with their bit in `inner` are the nodes from first_node on, in
  /// order, the others the leaves whose quads start at first_quad + (leaf >> 2), 1 + (leaf & 3) of
  /// them.
  struct Node {
    std::array<float, 3> origin;
    std::array<std::int8_t, 3> exponent;  // a plane p stands at origin + p * 2^exponent
    std::uint8_t count;
    std::uint16_t inner;
    std::uint32_t first_node, first_quad;
    std::array<std::uint8_t, kWidth> leaf;
    std::array<std::array<std::array<std::uint8_t, kWidth>, 3>, 2> plane;  // low, high; axis; child
  };
  /// The quads of a child that is a leaf.
  struct Leaf {
    std::uint32_t first, count;
  };
  static Leaf leaf_of(const Node& node, std::uint32_t child) {
    return {node.first_quad + (node.leaf[child] >> 2), 1 + (node.leaf[child] & 3u)};
  }
  static_assert(sizeof(Node) == 140);
  using Vertex = std::array<float, 3>;
  /// Corners as Quad orders them: corner k is vertex first_vertex + corner[k]. Every node has its
  /// own vertices for the quads of its leaves, side by side in memory: a leaf is met with few lines
  /// of cache.
  struct LeafQuad {
    std::uint32_t first_vertex;
    std::array<std::uint8_t, 4> corner;
  };

  WideBvh() = default;
  /// Any mesh of finite vertices and at most 2^30 triangles. About 70 ns a triangle.
  explicit WideBvh(const Mesh& mesh);

  bool empty() const { return quads_.empty(); }
  /// Triangles are numbered 0 to 2 * quads() - 1; of a quad without a second triangle that number
  /// is left out.
  std::size_t quads() const { return quads_.size(); }
  bool has_triangle(std::uint32_t triangle) const;
  /// A triangle's corners relative to a point, metres.
  Triangle triangle(std::uint32_t triangle, Vec3 relative_to = Vec3(0)) const;
  Box bounds() const;
  std::size_t bytes() const;
  std::size_t tree_bytes() const { return nodes_.size() * sizeof(Node); }

  std::optional<TriangleHit> first_hit(const RayFrame& ray) const;
  /// Every hit within reach, nearest first, added to `hits`.
  void all_hits(const RayFrame& ray, std::vector<TriangleHit>& hits) const;
  /// The triangles whose own box touches the box, added to `triangles` in the tree's order.
  void touched(const Box& box, std::vector<std::uint32_t>& triangles) const;
  std::optional<NearestPoint> nearest(Vec3 point, double reach) const;

  const Vertex* vertex_data() const { return vertices_.data(); }
  const LeafQuad* quad_data() const { return quads_.data(); }
  const Node* node_data() const { return nodes_.data(); }

 private:
  const Vertex& corner(const LeafQuad& quad, std::size_t k) const {
    return vertices_[quad.first_vertex + quad.corner[k]];
  }
  struct PlacedRay place(const RayFrame& ray) const;
  TriangleHit exact(const RayFrame& ray, const NearHit& hit) const;

  Vec3 origin_{0};
  std::array<float, 3> lo_{}, hi_{};  // of all vertices that triangles use
  std::vector<Node> nodes_;
  std::vector<LeafQuad> quads_;   // in the leaves' order
  std::vector<Vertex> vertices_;  // and one more: loads read four floats
};

}  // namespace talus
