#include "meshing/block_mesher.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "voxel/shape.h"

namespace talus {

namespace {

/// An open face of a cell. Along the side's axis it lies at `plane`; u and v are the cell's
/// coordinates along the next two axes.
struct Face {
  MaterialId material;
  int side, plane, v, u;
};

bool before(const Face& a, const Face& b) {
  return std::tie(a.material, a.side, a.plane, a.v, a.u) <
         std::tie(b.material, b.side, b.plane, b.v, b.u);
}

/// Cell faces u0 <= u < u1, v0 <= v < v1 of one plane.
struct Rectangle {
  int u0, u1, v0, v1;
};

void add_faces(const Blocks& blocks, const Block& block, std::vector<Face>& faces) {
  for (int side = 0; side < kSides; ++side) {
    const int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int plane = block.cell[axis] + (side % 2 ? block.size : 0);
    for (int j = 0; j < block.size; ++j) {
      for (int i = 0; i < block.size; ++i) {
        IVec3 beyond = block.cell;
        beyond[axis] = side % 2 ? plane : plane - 1;
        beyond[u] += i;
        beyond[v] += j;
        const BlockId other = blocks.at(beyond);
        if (other != kNoBlock && side_is_whole(blocks[other].cuts, side ^ 1)) continue;
        faces.push_back({block.material, side, plane, beyond[v], beyond[u]});
      }
    }
  }
}

/// The faces of one plane, sorted by v and then u, as rectangles: runs along u, joined with the
/// like run of the row before.
std::vector<Rectangle> rectangles_of(std::span<const Face> faces, bool merge) {
  std::vector<Rectangle> done, open, row;
  const auto end_row = [&] {
    if (!merge) done.insert(done.end(), row.begin(), row.end());
    if (!merge) row.clear();
    for (Rectangle& run : row) {
      const auto above = std::find_if(open.begin(), open.end(), [&](const Rectangle& r) {
        return r.u0 == run.u0 && r.u1 == run.u1 && r.v1 == run.v0;
      });
      if (above == open.end()) continue;
      run.v0 = above->v0;
      open.erase(above);
    }
    done.insert(done.end(), open.begin(), open.end());
    open = std::exchange(row, {});
  };
  for (const Face& face : faces) {
    if (!row.empty() && face.v != row.back().v1 - 1) end_row();
    if (merge && !row.empty() && row.back().u1 == face.u) {
      ++row.back().u1;
    } else {
      row.push_back({face.u, face.u + 1, face.v, face.v + 1});
    }
  }
  end_row();
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

/// The meshes under construction.
class Builder {
 public:
  explicit Builder(const StructureMeshOptions& options) : options_(options) {}

  void add_rectangle(const Face& plane, const Rectangle& r);
  void add_shape(const Block& block, unsigned open);
  std::vector<MaterialMesh> take();

 private:
  Mesh& mesh(MaterialId material) {
    Mesh& mesh = meshes_[material];
    mesh.origin = options_.origin;
    return mesh;
  }
  std::uint32_t vertex(Mesh& mesh, Vec3 position, Vec3 normal) const {
    mesh.positions.emplace_back(position - options_.origin);
    mesh.normals.emplace_back(normal);
    return static_cast<std::uint32_t>(mesh.positions.size() - 1);
  }
  /// Triangles of a convex polygon whose corners are the mesh's last ones.
  static void fan(Mesh& mesh, std::uint32_t first, std::size_t corners) {
    for (std::uint32_t i = 1; i + 1 < corners; ++i) {
      mesh.indices.insert(mesh.indices.end(), {first, first + i, first + i + 1});
    }
  }
  const Shape& shape(Cuts cuts);

  StructureMeshOptions options_;
  std::map<MaterialId, Mesh> meshes_;
  std::map<std::uint32_t, Shape> shapes_;
};

void Builder::add_rectangle(const Face& plane, const Rectangle& r) {
  Mesh& mesh = this->mesh(plane.material);
  const int axis = plane.side / 2;
  std::pair<int, int> corners[] = {{r.u0, r.v0}, {r.u1, r.v0}, {r.u1, r.v1}, {r.u0, r.v1}};
  if (plane.side % 2 == 0) std::swap(corners[1], corners[3]);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const auto& [u, v] : corners) {
    Vec3 p(0);
    p[axis] = plane.plane;
    p[(axis + 1) % 3] = u;
    p[(axis + 2) % 3] = v;
    vertex(mesh, kCell * p, Vec3(side_normal(plane.side)));
  }
  fan(mesh, first, 4);
}

const Shape& Builder::shape(Cuts cuts) {
  const auto found = shapes_.find(cuts.bits);
  if (found != shapes_.end()) return found->second;
  return shapes_.emplace(cuts.bits, make_shape(cuts, options_.segments)).first->second;
}

void Builder::add_shape(const Block& block, unsigned open) {
  Mesh& mesh = this->mesh(block.material);
  const Shape& shape = this->shape(block.cuts);
  for (const Facet& facet : shape.facets) {
    if (facet.on == Facet::On::Side && !(open >> facet.index & 1)) continue;
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const std::uint32_t corner : facet.corners) {
      const Vec3 v = shape.vertices[corner];
      vertex(mesh, block.middle() + v * block.half(), surface_normal(facet, v));
    }
    fan(mesh, first, facet.corners.size());
  }
}

std::vector<MaterialMesh> Builder::take() {
  std::vector<MaterialMesh> result;
  for (auto& [material, mesh] : meshes_) result.push_back({material, std::move(mesh)});
  return result;
}

}  // namespace

std::vector<MaterialMesh> mesh_structure(const Blocks& blocks,
                                         const StructureMeshOptions& options) {
  Builder builder(options);
  std::vector<Face> faces;
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (blocks.stands(id) && blocks[id].cuts.none()) add_faces(blocks, blocks[id], faces);
  }
  std::sort(faces.begin(), faces.end(), before);
  for (auto from = faces.begin(); from != faces.end();) {
    const auto plane_of = [](const Face& f) { return std::tuple(f.material, f.side, f.plane); };
    const auto to = std::find_if(from, faces.end(),
                                 [&](const Face& f) { return plane_of(f) != plane_of(*from); });
    for (const Rectangle& r : rectangles_of({from, to}, options.merge)) {
      builder.add_rectangle(*from, r);
    }
    from = to;
  }
  for (BlockId id = 0; id < blocks.id_end(); ++id) {
    if (blocks.stands(id) && !blocks[id].cuts.none()) {
      builder.add_shape(blocks[id], open_sides(blocks, blocks[id]));
    }
  }
  return builder.take();
}

}  // namespace talus
