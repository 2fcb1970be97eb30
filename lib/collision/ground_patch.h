// The triangles of the ground around one body, made ready for contacts.
//
// Edges are matched by their corners' places, which chunks have to the bit in common, so seams
// between chunks are edges like any other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/near_places.h"
#include "collision/ridges.h"
#include "collision/terrain_triangles.h"
#include "terrain/field.h"

namespace talus {

class GroundPatch {
 public:
  /// Takes over the triangles that touch the box.
  void fetch(TerrainTriangles& ground, const Box& box);

  bool empty() const { return facets_.empty(); }
  Vec3 origin() const { return origin_; }
  std::span<const RidgeEdge> ridges() const { return ridges_; }

  /// The signed distance to the surface, negative under it, and the way out: the nearest
  /// triangle's normal where the point is over or under it, else the direction from the nearest
  /// edge or corner. Nothing where that is `reach` or more away above, or both kDeepest and `reach`
  /// below. Cost: the triangles' bounds, and those nearer than the best so far.
  std::optional<NearestSurface> nearest(Vec3 point, double reach) const;
  static constexpr double kDeepest = 1;  // metres
  /// Adds the nearest place of each triangle that the point is in front of and nearer to than
  /// `reach`.
  void near_places(Vec3 point, double reach, std::vector<NearPlace>& out) const;

 private:
  struct Facet {
    std::array<Vec3f, 3> corners;
    Vec3f normal;
    Vec3f lo, hi;
    /// Outward sums of unit normals around: of each edge (from its corner on), and each corner by
    /// angle (Baerentzen and Aanaes, "Signed distance computation using the angle weighted
    /// pseudonormal", 2005).
    std::array<Vec3f, 3> edge_normals, corner_normals;
  };
  void add(const Triangle& triangle);
  void join_edges();
  void join_corners();

  Vec3 origin_{0};
  std::vector<Facet> facets_;
  std::vector<RidgeEdge> ridges_;
  // Scratch of fetch().
  std::vector<GroundTriangle> triangles_;
};

}  // namespace talus
