// The solid that a block's cuts leave of its cube, as a closed mesh, and what follows from it.
//
// All in units of half the block's edge, about its middle: the uncut shape is [-1, 1]^3. Every
// shape is convex. Round surfaces are inscribed: vertices lie on the cylinder or ball, facets are
// plane.
#pragma once

#include <cstdint>
#include <vector>

#include "core/rotation.h"
#include "voxel/block.h"

namespace talus {

/// A plane convex polygon of a shape's surface, counter-clockwise seen from outside.
struct Facet {
  enum class On : std::uint8_t { Side, Plane, Cylinder, Ball };
  On on = On::Side;
  /// Side: which; Plane and Cylinder: the edge whose cut it is; Ball: the corner, one bit an axis.
  int index = 0;
  Vec3 normal{0};
  std::vector<std::uint32_t> corners;
};

struct Shape {
  std::vector<Vec3> vertices;
  std::vector<Facet> facets;  // none where the cuts leave nothing
};

/// The shape with `segments` facets along each quarter of a circle. Cost: segments^2 a ball corner.
Shape make_shape(Cuts cuts, int segments);

/// The outward unit normal of the smooth surface at a vertex of a facet.
Vec3 surface_normal(const Facet& facet, Vec3 vertex);

/// Of a solid of density one.
struct MassProperties {
  double volume = 0;
  Vec3 center{0};
  Mat3 inertia{0};  // about the centre
};

/// By the divergence theorem over the mesh (after Mirtich, "Fast and accurate computation of
/// polyhedral mass properties", 1996).
MassProperties mass_properties(const Shape& shape);

/// The same for a block's cuts: exact where they are plane, within 0.5 % of the smooth shape where
/// they are round. Worked out once for each kind of cuts; any thread may ask.
const MassProperties& shape_mass(Cuts cuts);

/// The least share of the cube that cuts may leave.
inline constexpr double kLeastShare = 0.02;
/// The share of the cube that the cuts leave.
double remaining_share(Cuts cuts);

/// Mass, centre and inertia of a block in the world (kg, metres, kg m2).
MassProperties block_mass(const Block& block, double density_kg_m3);

}  // namespace talus
