#include <algorithm>
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
  /// How many crossed edges start at owned samples.
  std::size_t quads() const { return quads_; }

  /// The 64-cell words of row (y, z).
  const CellWord* row(int y, int z) const { return cells_.data() + solid_.row(y, z); }

  /// The vertex of the sheet that crosses `edge` of cell x of a row, which has one.
  std::uint32_t vertex(const CellWord* row, int x, int edge) const {
    const CellWord& word = row[x / 64];
    const std::uint64_t below = (1ull << (x % 64)) - 1;
    const std::uint32_t id = word.first + count(word.active & below);
    return word.several < 0 ? id : vertex_among_several(word, below, id, edge);
  }

 private:
  static std::uint32_t count(std::uint64_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }

  std::uint32_t vertex_among_several(const CellWord& word, std::uint64_t below, std::uint32_t id,
                                     int edge) const {
    for (const std::uint64_t more : several_[static_cast<std::size_t>(word.several)].at_least) {
      id += count(more & below);
    }
    while (!(vertices_[id].edges >> edge & 1)) ++id;
    return id;
  }

  void find_in_row(int y, int z) {
    for (int w = 0; w < solid_.words_per_row; ++w) {
      // The row's cells 1 to own.x + 1.
      std::uint64_t active =
          active_cells(solid_, w, y, z) & bits_between(1 - 64 * w, own_.x + 2 - 64 * w);
      CellWord& word = cells_[solid_.row(y, z) + static_cast<std::size_t>(w)];
      word.first = static_cast<std::uint32_t>(vertices_.size());
      if (active == 0) continue;
      const CornerBits corners(solid_, w, y, z);
      for (; active != 0; active &= active - 1) {
        const int bit = std::countr_zero(active);
        add_cell(IVec3(64 * w + bit, y, z), corners.mask(bit), bit, word);
      }
    }
  }

  void add_cell(IVec3 cell, int mask, int bit, CellWord& word) {
    const CellCase& c = cases_[static_cast<std::size_t>(mask)];
    const bool joined = c.pinched_face >= 0 && pinched_beyond(cell, c.pinched_face);
    const int cycles = joined ? c.joined_cycles : c.cycles;
    const auto& edges = joined ? c.joined_edges : c.edges;
    const std::uint32_t owned = owned_edges(cell);
    int used = 0;
    for (int i = 0; i < cycles; ++i) {
      const std::uint32_t sheet = edges[static_cast<std::size_t>(i)];
      if (!(sheet & owned)) continue;
      quads_ += static_cast<std::size_t>(std::popcount(sheet & owned & kFirstEdges));
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
    return cases_[static_cast<std::size_t>(corners.mask(cell.x % 64))].pinched_face == (face ^ 1);
  }

  /// The edges of the cell that start at an owned sample (2 to own + 1 on every axis): all but at
  /// the region's border.
  std::uint32_t owned_edges(IVec3 cell) const {
    std::uint32_t owned = 0xFFF;
    const bool inside = cell.x > 1 && cell.x <= own_.x && cell.y > 1 && cell.y <= own_.y &&
                        cell.z > 1 && cell.z <= own_.z;
    if (inside) return owned;
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

  /// The edges that start at the cell's first corner.
  static constexpr std::uint32_t kFirstEdges =
      1u << edge_from(0, 0) | 1u << edge_from(1, 0) | 1u << edge_from(2, 0);

  const std::array<CellCase, 256>& cases_ = cell_cases();
  const SolidBits& solid_;
  IVec3 own_;
  std::vector<CellWord> cells_;
  std::vector<SeveralWord> several_;
  std::vector<NetVertex> vertices_;
  std::size_t quads_ = 0;
};

/// Two triangles from four vertices around a lattice edge, in the four quadrants of the plane (u,
/// v) across it, by the shorter diagonal that keeps both triangles upright as seen along the edge.
/// One always does. Coordinates are whole numbers of grid units and differ by less than 2048, so
/// that every product here is exact in float.
template <int kU, int kV>
bool cut_by_first_diagonal(const std::array<const Vec3f*, 4>& p) {
  const auto turn = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec3f &pa = *p[a], &pb = *p[b], &pc = *p[c];
    return (pb[kU] - pa[kU]) * (pc[kV] - pa[kV]) - (pb[kV] - pa[kV]) * (pc[kU] - pa[kU]);
  };
  const auto squared = [&](std::size_t a, std::size_t b) {
    const Vec3f d = *p[b] - *p[a];
    return d.x * d.x + d.y * d.y + d.z * d.z;
  };
  const bool first_upright = turn(0, 1, 2) > 0 && turn(0, 2, 3) > 0;
  const bool second_upright = turn(0, 1, 3) > 0 && turn(1, 2, 3) > 0;
  assert(first_upright || second_upright);
  return first_upright && (!second_upright || squared(0, 2) <= squared(1, 3));
}

/// The quads around the crossed edges that start at owned samples.
class NetFaces {
 public:
  NetFaces(const SolidBits& solid, const NetCells& cells, IVec3 own, Mesh& mesh)
      : solid_(solid), cells_(cells), own_(own), mesh_(mesh) {}

  void add_all() {
    mesh_.indices.resize(6 * cells_.quads());
    out_ = mesh_.indices.data();
    for (int z = kApron; z < own_.z + kApron; ++z) {
      for (int y = kApron; y < own_.y + kApron; ++y) add_row(y, z);
    }
    assert(out_ == mesh_.indices.data() + mesh_.indices.size());
  }

 private:
  template <int kAxis>
  std::uint64_t crossed(int w, int y, int z) const {
    const std::uint64_t high = kAxis == 0   ? next_of(solid_, w, y, z)
                               : kAxis == 1 ? word_of(solid_, w, y + 1, z)
                                            : word_of(solid_, w, y, z + 1);
    return (word_of(solid_, w, y, z) ^ high) &
           bits_between(kApron - 64 * w, own_.x + kApron - 64 * w);
  }

  void add_row(int y, int z) {
    const CellWord* cells = cells_.row(y, z);
    for (int w = 0; w < solid_.words_per_row; ++w) {
      // An edge crossed is an edge of the cell that starts with it.
      if (cells[w].active == 0) continue;
      add_word<0>(w, y, z);
      add_word<1>(w, y, z);
      add_word<2>(w, y, z);
    }
  }

  template <int kAxis>
  void add_word(int w, int y, int z) {
    const std::uint64_t solid = word_of(solid_, w, y, z);
    for (std::uint64_t left = crossed<kAxis>(w, y, z); left != 0; left &= left - 1) {
      const int bit = std::countr_zero(left);
      add_quad<kAxis>(IVec3(64 * w + bit, y, z), solid >> bit & 1);
    }
  }

  template <int kAxis>
  void add_quad(IVec3 base, bool base_solid) {
    constexpr int kU = (kAxis + 1) % 3, kV = (kAxis + 2) % 3;
    // The cells around the edge, counter-clockwise as seen from its high end: steps back from its
    // base.
    constexpr int kBack[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
    std::array<std::uint32_t, 4> id;
    std::array<const Vec3f*, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
      IVec3 cell = base;
      cell[kU] -= kBack[i][0];
      cell[kV] -= kBack[i][1];
      id[i] = cells_.vertex(cells_.row(cell.y, cell.z), cell.x,
                            edge_from(kAxis, kBack[i][0] << kU | kBack[i][1] << kV));
      p[i] = &mesh_.positions[id[i]];
    }
    const std::size_t shift = cut_by_first_diagonal<kU, kV>(p) ? 0 : 1;
    const std::uint32_t a = id[shift], b = id[shift + 1], c = id[(shift + 2) & 3],
                        d = id[(shift + 3) & 3];
    const std::uint32_t quad[6] = {a, base_solid ? b : c, base_solid ? c : b,
                                   a, base_solid ? c : d, base_solid ? d : c};
    out_ = std::copy(std::begin(quad), std::end(quad), out_);
  }

  const SolidBits& solid_;
  const NetCells& cells_;
  IVec3 own_;
  Mesh& mesh_;
  std::uint32_t* out_ = nullptr;
};

}  // namespace

Mesh mesh_surface_nets(const Samples& samples, const IBox& own, const MeshingOptions&) {
  assert(samples.lattice.box() == with_apron(own));
  const IVec3 size = own.size();
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  if (is_uniform(samples.solid)) return mesh;
  const NetCells cells(samples.solid, size);
  const std::size_t count = cells.vertices().size();
  if (count == 0) return mesh;

  mesh.positions.resize(count);
  mesh.normals.resize(count);
  place_net_vertices(cells.vertices(), samples.density.data(), samples.lattice.size,
                     mesh.positions.data(), mesh.normals.data());
  NetFaces(samples.solid, cells, size, mesh).add_all();
  grid_to_metres(mesh, samples.lattice.step);
  return mesh;
}

}  // namespace talus
