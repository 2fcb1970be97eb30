#include "bake/chunk_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bake/colors.h"
#include "mesh/flat_normals.h"

namespace talus {

std::unique_ptr<ChunkScratch> ScratchPool::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<ChunkScratch>();
  auto scratch = std::move(idle_.back());
  idle_.pop_back();
  return scratch;
}

void ScratchPool::give_back(std::unique_ptr<ChunkScratch> scratch) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(scratch));
}

namespace {

Lattice lattice_of(const BakeRequest& request, const IBox& own) {
  const IBox box = with_apron(own);
  return {box.lo, box.size(), request.step};
}

void sample_all(const Terrain& terrain, const Lattice& lattice, ChunkScratch& scratch) {
  scratch.exact.resize(lattice.count());
  densities(terrain, lattice, scratch.exact);
}

// How far the point is inside the region's box, cut half a step inside the region; negative
// outside.
double distance_inside(const IBox& region, double step, IVec3 p) {
  double steps = std::numeric_limits<double>::max();
  for (int axis = 0; axis < 3; ++axis) {
    steps = std::min({steps, p[axis] - region.lo[axis] - 0.5, region.hi[axis] - 0.5 - p[axis]});
  }
  return steps * step;
}

bool touches_cut(const IBox& region, const IBox& box) {
  for (int axis = 0; axis < 3; ++axis) {
    if (box.lo[axis] <= region.lo[axis] || box.hi[axis] > region.hi[axis]) return true;
  }
  return false;
}

// Every chunk is cut, also where no face of the box is near: where densities grow steeply the cut
// can be what a sample sees, and neighbours have to agree. Skipped samples matter only at the cut,
// which lays them bare.
void cut_samples(const BakeRequest& request, ChunkScratch& scratch) {
  Samples& samples = scratch.samples;
  const Lattice lattice = samples.lattice;
  samples.density.resize(lattice.count());
  const bool at_cut = touches_cut(request.region, lattice.box());
  if (at_cut) {
    sample_all(request.terrain, lattice, scratch);
    std::transform(scratch.exact.begin(), scratch.exact.end(), samples.density.begin(),
                   density_to_float);
  }
  auto value = samples.density.begin();
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i, ++value) {
        const double inside =
            distance_inside(request.region, lattice.step, lattice.origin + IVec3(i, j, k));
        *value = std::min(*value, density_to_float(inside));
      }
    }
  }
  if (at_cut) find_solid(lattice.size, samples.density, samples.solid);
}

// Heights of the ground, blended between the lattice's columns: asked for once a column, and the
// same from whichever chunk.
class Ground {
 public:
  Ground(const Terrain& terrain, const Lattice& lattice, std::vector<double>& heights)
      : terrain_(terrain), lattice_(lattice), heights_(heights) {
    heights_.assign(
        static_cast<std::size_t>(lattice.size.x) * static_cast<std::size_t>(lattice.size.z),
        std::numeric_limits<double>::quiet_NaN());
  }

  double height(double x, double z) {
    const double u = x / lattice_.step, v = z / lattice_.step;
    const double i = std::floor(u), k = std::floor(v);
    const double s = u - i, t = v - k;
    const int column = static_cast<int>(i), row = static_cast<int>(k);
    const double near = at(column, row) * (1 - s) + at(column + 1, row) * s;
    const double far = at(column, row + 1) * (1 - s) + at(column + 1, row + 1) * s;
    return near * (1 - t) + far * t;
  }

 private:
  double at(int column, int row) {
    double& height = heights_[lattice_.index(column - lattice_.origin.x, 0, 0) +
                              static_cast<std::size_t>(lattice_.size.x) *
                                  static_cast<std::size_t>(row - lattice_.origin.z)];
    if (std::isnan(height)) {
      height = terrain_.preset->height(lattice_.step * column, lattice_.step * row);
    }
    return height;
  }

  const Terrain& terrain_;
  Lattice lattice_;
  std::vector<double>& heights_;
};

void color(const BakeRequest& request, ChunkScratch& scratch, Mesh& mesh) {
  Ground ground(request.terrain, scratch.samples.lattice, scratch.heights);
  mesh.colors.reserve(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.origin + Vec3(mesh.positions[v]);
    mesh.colors.push_back(surface_color(mesh.normals[v].y, ground.height(p.x, p.z) - p.y));
  }
}

}  // namespace

Mesh make_chunk_mesh(const BakeRequest& request, const IBox& own, ChunkScratch& scratch) {
  surface_samples(request.terrain, lattice_of(request, own), scratch.samples);
  // A cut only takes away.
  if (request.closed && scratch.samples.solid.count() > 0) cut_samples(request, scratch);
  Mesh mesh = mesh_function(request.mesher)(scratch.samples, own, {request.merge});
  if (request.colors) color(request, scratch, mesh);
  return request.flat ? flat_normals(mesh) : mesh;
}

namespace {

bool read_by_meshers(const SolidBits& solid, IVec3 p) {
  const auto crossed = [&](IVec3 cell) {
    int count = 0;
    for (int corner = 0; corner < 8; ++corner) {
      count += solid.at(cell.x + (corner & 1), cell.y + (corner >> 1 & 1), cell.z + (corner >> 2));
    }
    return count != 0 && count != 8;
  };
  for (int corner = 0; corner < 8; ++corner) {
    const IVec3 cell = p - IVec3(corner & 1, corner >> 1 & 1, corner >> 2);
    const bool exists = cell.x >= 0 && cell.y >= 0 && cell.z >= 0 && cell.x + 1 < solid.size.x &&
                        cell.y + 1 < solid.size.y && cell.z + 1 < solid.size.z;
    if (exists && crossed(cell)) return true;
  }
  return false;
}

}  // namespace

std::string find_wrong_skip(const BakeRequest& request, const IBox& own, ChunkScratch& scratch) {
  const Lattice lattice = lattice_of(request, own);
  const Samples& samples = scratch.samples;
  surface_samples(request.terrain, lattice, scratch.samples);
  sample_all(request.terrain, lattice, scratch);
  const auto describe = [&](IVec3 at, double skipped, double all) {
    const IVec3 p = lattice.origin + at;
    return fmt::format("lattice point ({}, {}, {}): {} with skipping, {} without", p.x, p.y, p.z,
                       skipped, all);
  };
  for (int k = 0; k < lattice.size.z; ++k) {
    for (int j = 0; j < lattice.size.y; ++j) {
      for (int i = 0; i < lattice.size.x; ++i) {
        const std::size_t entry = lattice.index(i, j, k);
        const float all = density_to_float(scratch.exact[entry]);
        if (samples.solid.at(i, j, k) != (all > 0)) {
          return describe({i, j, k}, samples.solid.at(i, j, k) ? 1 : -1, all);
        }
        if (samples.density[entry] != all && read_by_meshers(samples.solid, {i, j, k})) {
          return describe({i, j, k}, samples.density[entry], all);
        }
      }
    }
  }
  return {};
}

}  // namespace talus
