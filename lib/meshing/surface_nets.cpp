#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstdlib>

#include "meshing/bit_rows.h"
#include "meshing/cell_cases.h"
#include "meshing/mesher.h"
#include "meshing/surface_vertices.h"

namespace talus {

namespace {

/// 64 cells of a row: which have vertices, and the number of the first. Cells with several vertices
/// are rare and keep theirs in a side table.
struct CellWord {
  std::uint64_t active = 0;
  std::uint32_t first = 0;
  std::int32_t several = -1;
};
struct SeveralWord {
  std::array<std::uint64_t, 3> at_least{};  // cells with at least 2, 3, 4 vertices
};

/// Finds the cells that need vertices and numbers them, row by row.
class NetCells {
 public:
  NetCells(const SolidBits& solid, IVec3 own)
      : solid_(solid),
        own_(own),
        cells_(static_cast<std::size_t>(solid.words_per_row) *
               static_cast<std::size_t>(solid.size.y) * static_cast<std::size_t>(solid.size.z)) {
    for (int z = 1; z <= own.z + 1; ++z) {
      for (int y = 1; y <= own.y + 1; ++y) find_in_row(y, z);
    }
  }

  const std::vector<NetVertex>& vertices() const { return vertices_; }

  /// The vertex of the sheet that crosses `edge` of the cell, which has one.
  std::uint32_t vertex(IVec3 cell, int edge) const {
    const CellWord& word =
        cells_[solid_.row(cell.y, cell.z) + static_cast<std::size_t>(cell.x / 64)];
    const std::uint64_t below = (1ull << (cell.x % 64)) - 1;
    std::uint32_t id = word.first + count(word.active & below);
    if (word.several < 0) return id;
    for (const std::uint64_t more : several_[static_cast<std::size_t>(word.several)].at_least) {
      id += count(more & below);
    }
    while (!(vertices_[id].edges >> edge & 1)) ++id;
    return id;
  }

 private:
  static std::uint32_t count(std::uint64_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }

  void find_in_row(int y, int z) {
    for (int w = 0; w < solid_.words_per_row; ++w) {
      const CornerBits corners(solid_, w, y, z);
      // The row's cells 1 to own.x + 1.
      std::uint64_t active = corners.active() & bits_between(1 - 64 * w, own_.x + 2 - 64 * w);
      CellWord& word = cells_[solid_.row(y, z) + static_cast<std::size_t>(w)];
      word.first = static_cast<std::uint32_t>(vertices_.size());
      for (; active != 0; active &= active - 1) {
        const int bit = std::countr_zero(active);
        add_cell(IVec3(64 * w + bit, y, z), corners.mask(bit), bit, word);
      }
    }
  }

  void add_cell(IVec3 cell, int mask, int bit, CellWord& word) {
    const CellCase& c = cell_cases()[static_cast<std::size_t>(mask)];
    const bool joined = c.pinched_face >= 0 && pinched_beyond(cell, c.pinched_face);
    const int cycles = joined ? c.joined_cycles : c.cycles;
    const auto& edges = joined ? c.joined_edges : c.edges;
    const std::uint32_t owned = owned_edges(cell);
    int used = 0;
    for (int i = 0; i < cycles; ++i) {
      const std::uint32_t sheet = edges[static_cast<std::size_t>(i)];
      if (!(sheet & owned)) continue;
      vertices_.push_back({cell.x, cell.y, cell.z, sheet});
      if (++used == 1) {
        word.active |= 1ull << bit;
        continue;
      }
      if (word.several < 0) {
        word.several = static_cast<std::int32_t>(several_.size());
        several_.emplace_back();
      }
      several_[static_cast<std::size_t>(word.several)]
          .at_least[static_cast<std::size_t>(used - 2)] |= 1ull << bit;
    }
  }

  bool pinched_beyond(IVec3 cell, int face) const {
    cell[face / 2] += face & 1 ? 1 : -1;
    const CornerBits corners(solid_, cell.x / 64, cell.y, cell.z);
    return cell_cases()[static_cast<std::size_t>(corners.mask(cell.x % 64))].pinched_face ==
           (face ^ 1);
  }

  /// The edges of the cell that start at an owned sample (2 to own + 1 on every axis): all but at
  /// the region's border.
  std::uint32_t owned_edges(IVec3 cell) const {
    std::uint32_t owned = 0xFFF;
    for (int axis = 0; axis < 3; ++axis) {
      if (cell[axis] == 1) owned &= ~edges_at(axis, 0);
      if (cell[axis] == own_[axis] + 1) owned &= edges_at(axis, 0);
    }
    return owned;
  }
  /// The edges whose lower end is at place `side` on the axis.
  static std::uint32_t edges_at(int axis, int side) {
    static const auto table = [] {
      std::array<std::array<std::uint32_t, 2>, 3> masks{};
      for (int edge = 0; edge < 12; ++edge) {
        for (int a = 0; a < 3; ++a) {
          masks[static_cast<std::size_t>(a)][edge_ends(edge).low >> a & 1] |= 1u << edge;
        }
      }
      return masks;
    }();
    return table[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)];
  }

  const SolidBits& solid_;
  IVec3 own_;
  std::vector<CellWord> cells_;
  std::vector<SeveralWord> several_;
  std::vector<NetVertex> vertices_;
};

/// Two triangles from four vertices around a lattice edge, in the four quadrants of the plane (u,
/// v) across it, by the shorter diagonal that keeps both triangles upright as seen along the edge.
/// One always does. Coordinates are whole numbers of grid units and differ by less than 2048, so
/// that every product here is exact in float.
bool cut_by_first_diagonal(const std::array<const Vec3f*, 4>& p, int u, int v) {
  const auto turn = [&](int a, int b, int c) {
    const Vec3f &pa = *p[static_cast<std::size_t>(a)], &pb = *p[static_cast<std::size_t>(b)],
                &pc = *p[static_cast<std::size_t>(c)];
    return (pb[u] - pa[u]) * (pc[v] - pa[v]) - (pb[v] - pa[v]) * (pc[u] - pa[u]);
  };
  const auto squared = [&](int a, int b) {
    const Vec3f d = *p[static_cast<std::size_t>(b)] - *p[static_cast<std::size_t>(a)];
    return d.x * d.x + d.y * d.y + d.z * d.z;
  };
  const bool first_upright = turn(0, 1, 2) > 0 && turn(0, 2, 3) > 0;
  const bool second_upright = turn(0, 1, 3) > 0 && turn(1, 2, 3) > 0;
  assert(first_upright || second_upright);
  return first_upright && (!second_upright || squared(0, 2) <= squared(1, 3));
}

class NetFaces {
 public:
  NetFaces(const SolidBits& solid, const NetCells& cells, Mesh& mesh)
      : solid_(solid), cells_(cells), mesh_(mesh) {}

  /// The quads around the crossed edges along one axis that start in words of row (y, z).
  void add_row(int axis, int y, int z, IVec3 own) {
    for (int w = 0; w < solid_.words_per_row; ++w) {
      const std::uint64_t low = word_of(solid_, w, y, z);
      const std::uint64_t high = axis == 0   ? next_of(solid_, w, y, z)
                                 : axis == 1 ? word_of(solid_, w, y + 1, z)
                                             : word_of(solid_, w, y, z + 1);
      std::uint64_t crossed = (low ^ high) & bits_between(2 - 64 * w, own.x + 2 - 64 * w);
      for (; crossed != 0; crossed &= crossed - 1) {
        const int bit = std::countr_zero(crossed);
        add_quad(axis, IVec3(64 * w + bit, y, z), low >> bit & 1);
      }
    }
  }

 private:
  void add_quad(int axis, IVec3 base, bool base_solid) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    // Around the edge, counter-clockwise as seen from its high end.
    constexpr int kBack[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    std::array<std::uint32_t, 4> id;
    std::array<const Vec3f*, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
      IVec3 cell = base;
      cell[u] -= kBack[i][0];
      cell[v] -= kBack[i][1];
      id[i] = cells_.vertex(cell, edge_from(axis, kBack[i][0] << u | kBack[i][1] << v));
      p[i] = &mesh_.positions[id[i]];
    }
    const int shift = cut_by_first_diagonal(p, u, v) ? 0 : 1;
    const auto at = [&](int i) { return id[static_cast<std::size_t>(i + shift) & 3]; };
    const bool flip = !base_solid;
    const std::uint32_t quad[6] = {at(0), flip ? at(2) : at(1), flip ? at(1) : at(2),
                                   at(0), flip ? at(3) : at(2), flip ? at(2) : at(3)};
    mesh_.indices.insert(mesh_.indices.end(), std::begin(quad), std::end(quad));
  }

  const SolidBits& solid_;
  const NetCells& cells_;
  Mesh& mesh_;
};

}  // namespace

Mesh mesh_surface_nets(const Samples& samples, const IBox& own, const MeshingOptions&) {
  assert(samples.lattice.box() == with_apron(own));
  const IVec3 size = own.size();
  const NetCells cells(samples.solid, size);
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  const std::size_t count = cells.vertices().size();
  if (count == 0) return mesh;

  mesh.positions.resize(count);
  mesh.normals.resize(count);
  place_net_vertices(cells.vertices(), samples.density.data(), samples.lattice.size,
                     mesh.positions.data(), mesh.normals.data());
  mesh.indices.reserve(6 * count + 64);
  NetFaces faces(samples.solid, cells, mesh);
  for (int z = kApron; z < size.z + kApron; ++z) {
    for (int y = kApron; y < size.y + kApron; ++y) {
      for (int axis = 0; axis < 3; ++axis) faces.add_row(axis, y, z, size);
    }
  }
  grid_to_metres(mesh, samples.lattice.step);
  return mesh;
}

}  // namespace talus
