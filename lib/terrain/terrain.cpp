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

}  // namespace

double density(const Terrain& terrain, Vec3 point) {
  double value = terrain.preset->density(point);
  for (const Brush& brush : terrain.edits) value = apply(brush, point, value);
  return value;
}

void densities(const Terrain& terrain, const Lattice& lattice, std::span<double> out) {
  terrain.preset->densities(lattice, out);
  for (const Brush& brush : terrain.edits) {
    for_each_point(points_inside(lattice, reach(brush)), [&](int i, int j, int k) {
      double& value = out[lattice.index(i, j, k)];
      value = apply(brush, lattice.position(i, j, k), value);
    });
  }
}

void surface_samples(const Terrain& terrain, const Lattice& lattice, Samples& into) {
  const bool edited = std::any_of(
      terrain.edits.begin(), terrain.edits.end(),
      [&](const Brush& brush) { return !points_inside(lattice, reach(brush)).empty(); });
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
