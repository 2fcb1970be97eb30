// A ball's way past something: what sweeps of boxes, balls and polygons (sweep_sphere.h) share.
#pragma once

#include <array>

#include "collision/sweep_polynomial.h"
#include "collision/sweep_sphere.h"

namespace talus {

// ---- exact

using Path = std::array<Polynomial, 3>;

/// The centre relative to a point.
Path path_from(const SphereSweep& sweep, Vec3 origin);
Polynomial along(const Path& path, const PairVec& direction);
Path across(const Path& path, const PairVec& edge);
Vec3 at(const Path& path, double time);
Vec3 rounded(const PairVec& v);
/// Touching, and not moving away.
void add_touch(Conditions& conditions, const Polynomial& gap);
/// The way from what is hit to the centre; where the centre lies on it, against the motion.
Vec3 unit_or_against(Vec3 away, const SphereSweep& sweep);
/// `nearest` is the point of the feature nearest to the centre.
SweepHit make_hit(const SphereSweep& sweep, double time, Vec3 nearest, Vec3 away,
                  SweepFeature feature, Vec3 normal);

// ---- in double, with room for rounding

bool misses(const Box& a, const Box& b);

/// A path's control points, relative to something: all that is linear in it lies between theirs.
using RoughCenters = std::array<Vec3, 3>;
RoughCenters rough_centers(const SphereSweep& sweep, Vec3 origin);
/// Of the coordinates that went into it, metres.
double rough_size(const RoughCenters& p, Vec3 bend);
/// True where a path surely stays farther than `reach` from the origin, or only goes away from it.
/// `size`: of the coordinates that went into it.
bool stays_off(const RoughCenters& p, double reach, double size);

}  // namespace talus
