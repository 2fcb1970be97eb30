#include "terrain/terrain.h"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

/// The lattice points inside a box, counted from the lattice's first; empty where there are none.
IBox points_inside(const Lattice& lattice, const Box& box) {
  IBox inside;
  for (int axis = 0; axis < 3; ++axis) {
    const double first = std::ceil(box.lo[axis] / lattice.step) - lattice.origin[axis];
    const double last = std::floor(box.hi[axis] / lattice.step) - lattice.origin[axis];
    const double size = lattice.size[axis];
    inside.lo[axis] = static_cast<int>(std::clamp(first, 0.0, size));
    inside.hi[axis] = static_cast<int>(std::clamp(last + 1, 0.0, size));
  }
  return inside;
}

template <class Visit>
void for_each_point(const IBox& box, const Visit& visit) {
  for (int k = box.lo.z; k < box.hi.z; ++k) {
    for (int j = box.lo.y; j < box.hi.y; ++j) {
      for (int i = box.lo.x; i < box.hi.x; ++i) visit(i, j, k);
    }
  }
}

/// Whether a box may hold points of the lattice: quick, for of many thousand edits most are far
/// away.
bool may_reach(const Box& box, const Box& around) {
  return box.lo.x <= around.hi.x && box.hi.x >= around.lo.x && box.lo.z <= around.hi.z &&
         box.hi.z >= around.lo.z && box.lo.y <= around.hi.y && box.hi.y >= around.lo.y;
}

/// Calls visit(edit, points that it reaches) in order, until it gives false.
template <class Visit>
void for_each_edit(const Terrain& terrain, const Lattice& lattice, const Visit& visit) {
  const Vec3 origin(lattice.origin);
  // A step more on every side, so that rounding does not matter.
  const Box around{lattice.step * (origin - Vec3(1)),
                   lattice.step * (origin + Vec3(lattice.size) + Vec3(1))};
  for (const Brush& brush : terrain.edits) {
    const Box box = reach(brush);
    if (!may_reach(box, around)) continue;
    const IBox points = points_inside(lattice, box);
    if (!points.empty() && !visit(brush, points)) return;
  }
}

}  // namespace

double density(const Terrain& terrain, Vec3 point) {
  double value = terrain.preset->density(point);
  for (const Brush& brush : terrain.edits) value = apply(brush, point, value);
  return value;
}

void densities(const Terrain& terrain, const Lattice& lattice, std::span<double> out) {
  terrain.preset->densities(lattice, out);
  for_each_edit(terrain, lattice, [&](const Brush& brush, const IBox& points) {
    for_each_point(points, [&](int i, int j, int k) {
      double& value = out[lattice.index(i, j, k)];
      value = apply(brush, lattice.position(i, j, k), value);
    });
    return true;
  });
}

void surface_samples(const Terrain& terrain, const Lattice& lattice, Samples& into) {
  bool edited = false;
  for_each_edit(terrain, lattice, [&](const Brush&, const IBox&) {
    edited = true;
    return false;
  });
  if (!edited) {
    terrain.preset->surface_samples(lattice, into);
    return;
  }
  // An edit can lay bare any sample of its surroundings, so here every one gets its value.
  std::vector<double> exact(lattice.count());
  densities(terrain, lattice, exact);
  into.lattice = lattice;
  into.density.resize(exact.size());
  std::transform(exact.begin(), exact.end(), into.density.begin(), density_to_float);
  find_solid(lattice.size, into.density, into.solid);
}

}  // namespace talus
