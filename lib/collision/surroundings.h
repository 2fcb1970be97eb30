// What stands still around one body: the ground's samples and the standing blocks near it, fetched
// once and kept while the body stays within them.
//
// The ground is that of Field, or, where the solids have some, its triangles; blocks are merged to
// boxes (convex_parts.h). All in the world's frame, metres.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/mat3x3.hpp>

#include "collision/convex_parts.h"
#include "collision/ground_patch.h"
#include "collision/hull_contact.h"
#include "collision/near_places.h"
#include "collision/solids.h"

namespace talus {

class Surroundings {
 public:
  static constexpr std::int64_t kMostAround = 8'000'000;

  /// Makes sure that everything within `box` is at hand. `version` counts the changes to ground and
  /// blocks: another one than last time means to fetch anew. Throws Error where the box holds over
  /// kMostAround m3.
  void cover(Solids& solids, const Box& box, std::uint64_t version);
  /// True where cover() would do nothing.
  bool covers(const Box& box, std::uint64_t version) const;
  /// How far what lies in a covered box may go and still be covered, metres.
  double room(const Box& box) const;

  /// The convex edges of the ground around, metres from an origin.
  std::span<const RidgeEdge> ridges() const {
    return by_triangles_ ? patch_.ridges() : std::span<const RidgeEdge>(ridges_);
  }
  Vec3 ridge_origin() const { return by_triangles_ ? patch_.origin() : Vec3(samples_box_.lo); }

  /// True where no sample around is solid: nothing in the covered box touches the ground.
  bool all_air() const { return all_air_; }
  /// As Field::nearest, or GroundPatch::nearest with the field's answer where rock is deeper than
  /// that knows, for a point in the covered box, where the distance is below `reach`. Of a field,
  /// most points are far, and cost seven blends.
  std::optional<NearestSurface> ground(Vec3 point, double reach) const;

  /// Where the ground comes nearest to a point in the open within the covered box, on each of its
  /// sides, nearer than `reach`; nearest first. Nothing where the point is under the ground. Cost:
  /// the cells, or triangles, in reach.
  void near_places(Vec3 point, double reach, std::vector<NearPlace>& out) const;

  /// No more than the distance of a point in the covered box from the ground; below it, the
  /// (negative) distance itself. Where nothing is near, infinite.
  double clearance(Vec3 point) const;

  /// The same for many points, origin + axes * points[i].
  struct Points {
    Vec3 origin;
    const glm::mat3& axes;
    std::span<const Vec3f> points;
    Vec3f arm(std::size_t i) const { return axes * points[i]; }
    Vec3 operator[](std::size_t i) const { return origin + Vec3(arm(i)); }
  };
  /// Those for which ground() may find something: their numbers, rising. Returns how far from the
  /// ground that is covered all of them are, at least; 0 where that is not known. About 3 ns a
  /// point.
  double near_ground(const Points& points, double reach, std::vector<std::uint32_t>& out) const;
  /// The clearance of whichever is nearest to the ground: no less than the least of theirs.
  double clearance(const Points& points) const;

  bool any_standing() const { return !parts_.boxes.empty() || !cuts_.empty(); }
  const std::vector<BoxPart>& boxes() const { return parts_.boxes; }
  const std::vector<CutPart>& cuts() const { return cuts_; }

 private:
  /// The samples around a point, and where it is among them.
  struct Cell {
    std::array<double, 8> corners;
    Vec3 f;
  };
  Cell cell_of(Vec3 point) const;
  std::array<double, 8> corners_of(IVec3 cell) const;
  void measure_ground();
  std::optional<NearestSurface> blended(Vec3 point, double reach) const;
  /// rough_densities() of the points, in memory that the thread keeps.
  std::span<const float> rough(const Points& points) const;

  Box covered_;
  std::uint64_t version_ = 0;
  bool empty_ = true;  // nothing fetched yet
  IBox samples_box_;
  std::vector<double> samples_;
  std::vector<float> rough_samples_;  // the same, for many points at once
  double roughness_ = 0;              // how far densities from those can be off
  bool all_air_ = true;
  Vec3 solid_lo_{0}, solid_hi_{0};  // bounds of all cells with a solid corner
  double steepest_ = 0;             // no gradient around is longer
  std::vector<RidgeEdge> ridges_;
  bool by_triangles_ = false;
  GroundPatch patch_;
  ConvexParts parts_;
  std::vector<CutPart> cuts_;
};

}  // namespace talus
