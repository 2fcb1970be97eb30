#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>

#include "meshing/bit_rows.h"
#include "meshing/cell_cases.h"
#include "meshing/mesher.h"
#include "meshing/surface_vertices.h"
#include "voxel/crossed_cells.h"

// No vectors here: compiled for newer instruction sets for their bit operations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "meshing/surface_nets_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

/// 64 cells of a row: which have vertices, and the number of the first. Cells with several vertices
/// are rare and keep theirs in a side table.
struct CellWord {
  std::uint64_t active = 0;
  std::uint32_t first = 0;
  std::int32_t several = -1;
  std::array<std::uint64_t, 3> edges{};  // the crossed ones, by axis, that start at owned samples
};
struct SeveralWord {
  std::array<std::uint64_t, 3> at_least{};  // cells with at least 2, 3, 4 vertices
};

/// Kept by the thread, so that a stream of chunks takes no memory anew. Only words of crossed
/// cells, and entries counted as used, hold anything of this mesh.
struct Scratch {
  std::vector<std::uint64_t> crossed;  // cells, in the places of the solid bits
  std::vector<WordPlace> words;        // with crossed cells, in order
  std::vector<CellWord> cells;
  std::vector<SeveralWord> several;
  std::vector<NetVertex> vertices;
};

/// The edges of the one sheet through a cell, by its corners; 0 where a cell takes a closer look:
/// several sheets, or a pinched face.
const std::array<std::uint16_t, 256>& single_sheets() {
  static const auto kTable = [] {
    std::array<std::uint16_t, 256> edges{};
    for (std::size_t mask = 0; mask < 256; ++mask) {
      const CellCase& c = cell_cases()[mask];
      if (c.cycles == 1 && c.pinched_face < 0) edges[mask] = c.edges[0];
    }
    return edges;
  }();
  return kTable;
}

/// Finds the cells that need vertices and numbers them, row by row.
class NetCells {
 public:
  NetCells(const SolidBits& solid, IVec3 own, Scratch& scratch)
      : solid_(solid), own_(own), s_(scratch) {
    find_crossed_cells(solid, s_.crossed);
    s_.cells.resize(std::max(s_.cells.size(), solid.words.size()));
    s_.several.clear();
    // Cells 1 to own + 1 of every axis: those around the edges that start at owned samples.
    list_words(solid, s_.crossed, 1, own + IVec3(1), s_.words);
    for (const WordPlace& place : s_.words) find_in_word(place);
  }

  std::span<const NetVertex> vertices() const { return {s_.vertices.data(), vertex_count_}; }
  /// How many crossed edges start at owned samples.
  std::size_t quads() const { return quads_; }

  /// The words with crossed cells, row by row.
  std::span<const WordPlace> words() const { return s_.words; }
  /// The 64-cell words of row (y, z); those without crossed cells mean nothing.
  const CellWord* row(int y, int z) const { return s_.cells.data() + solid_.row(y, z); }

  /// The vertex of the sheet that crosses `edge` of cell x of a row, which has one.
  std::uint32_t vertex(const CellWord* row, int x, int edge) const {
    const CellWord& word = row[x >> 6];
    const std::uint64_t below = (1ull << (x & 63)) - 1;
    const std::uint32_t id = word.first + count(word.active & below);
    return word.several < 0 ? id : vertex_among_several(word, below, id, edge);
  }

 private:
  static std::uint32_t count(std::uint64_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }

  // Rare, and kept out of the loops over edges and cells, which it would crowd.
  [[gnu::noinline]] std::uint32_t vertex_among_several(const CellWord& word, std::uint64_t below,
                                                       std::uint32_t id, int edge) const {
    for (const std::uint64_t more : s_.several[static_cast<std::size_t>(word.several)].at_least) {
      id += count(more & below);
    }
    while (!(s_.vertices[id].edges >> edge & 1)) ++id;
    return id;
  }

  void find_in_word(const WordPlace& place) {
    const auto [w, y, z] = place;
    const std::size_t at = solid_.row(y, z) + static_cast<std::size_t>(w);
    const bool row_inside = y > 1 && y <= own_.y && z > 1 && z <= own_.z;
    // All edges of the cells 2 to own of an axis start at owned samples.
    const std::uint64_t cells = s_.crossed[at] & bits_between(1 - 64 * w, own_.x + 2 - 64 * w);
    const std::uint64_t inside = row_inside ? bits_between(2 - 64 * w, own_.x + 1 - 64 * w) : 0;
    find_vertices(IVec3(64 * w, y, z), cells, inside, s_.cells[at]);
    if (y > 1 && z > 1) find_edges(w, y, z, s_.cells[at]);
  }

  void find_vertices(IVec3 first, std::uint64_t cells, std::uint64_t inside, CellWord& word) {
    word = {cells, static_cast<std::uint32_t>(vertex_count_), -1, {}};
    const CornerBits corners(solid_, first.x / 64, first.y, first.z);
    NetVertex* out = room_for(s_.vertices, vertex_count_, std::size_t{4} * 64);
    for (; cells != 0; cells &= cells - 1) {
      const int bit = std::countr_zero(cells);
      const std::uint8_t mask = corners.mask(bit);
      const IVec3 cell(first.x + bit, first.y, first.z);
      if (const std::uint32_t sheet = single_[mask]; sheet != 0 && (inside >> bit & 1) != 0) {
        *out++ = {cell.x, cell.y, cell.z, sheet};
      } else {
        out = add_cell(cell, mask, bit, word, out);
      }
    }
    vertex_count_ = static_cast<std::size_t>(out - s_.vertices.data());
  }

  void find_edges(int w, int y, int z, CellWord& word) {
    const std::uint64_t own = bits_between(kApron - 64 * w, own_.x + kApron - 64 * w);
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint64_t edges = crossed_edges(solid_, axis, w, y, z) & own;
      word.edges[static_cast<std::size_t>(axis)] = edges;
      quads_ += count(edges);
    }
  }

  [[gnu::noinline]] NetVertex* add_cell(IVec3 cell, std::uint8_t mask, int bit, CellWord& word,
                                        NetVertex* out) {
    const CellCase& c = cases_[mask];
    const bool joined = c.pinched_face >= 0 && pinched_beyond(cell, c.pinched_face);
    const int cycles = joined ? c.joined_cycles : c.cycles;
    const auto& edges = joined ? c.joined_edges : c.edges;
    const std::uint32_t owned = owned_edges(cell);
    int used = 0;
    for (int i = 0; i < cycles; ++i) {
      const std::uint32_t sheet = edges[static_cast<std::size_t>(i)];
      if (!(sheet & owned)) continue;
      *out++ = {cell.x, cell.y, cell.z, sheet};
      if (++used == 1) continue;
      if (word.several < 0) {
        word.several = static_cast<std::int32_t>(s_.several.size());
        s_.several.emplace_back();
      }
      s_.several[static_cast<std::size_t>(word.several)]
          .at_least[static_cast<std::size_t>(used - 2)] |= 1ull << bit;
    }
    if (used == 0) word.active &= ~(1ull << bit);
    return out;
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
    static const auto kTable = [] {
      std::array<std::array<std::uint32_t, 2>, 3> masks{};
      for (int edge = 0; edge < 12; ++edge) {
        for (int a = 0; a < 3; ++a) {
          masks[static_cast<std::size_t>(a)][edge_ends(edge).low >> a & 1] |= 1u << edge;
        }
      }
      return masks;
    }();
    return kTable[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)];
  }

  const std::array<CellCase, 256>& cases_ = cell_cases();
  const std::array<std::uint16_t, 256>& single_ = single_sheets();
  const SolidBits& solid_;
  IVec3 own_;
  Scratch& s_;
  std::size_t vertex_count_ = 0;
  std::size_t quads_ = 0;
};

/// Two triangles from four vertices around a lattice edge, in the four quadrants of the plane (u,
/// v) across it, by the shorter diagonal that keeps both triangles upright as seen along the edge.
/// One always does. Coordinates are whole numbers of grid units and differ by less than 2048, so
/// that every product here is exact in float.
template <int kU, int kV>
bool cut_by_first_diagonal(const std::array<const Vec3f*, 4>& p) {
  const Vec3f ab = *p[1] - *p[0], ac = *p[2] - *p[0], ad = *p[3] - *p[0], bd = *p[3] - *p[1];
  const auto turn = [](const Vec3f& s, const Vec3f& t) { return s[kU] * t[kV] - s[kV] * t[kU]; };
  const auto squared = [](const Vec3f& s) { return s.x * s.x + s.y * s.y + s.z * s.z; };
  const float abc = turn(ab, ac), acd = turn(ac, ad), abd = turn(ab, ad), bcd = abc + acd - abd;
  const bool first_upright = std::min(abc, acd) > 0, second_upright = std::min(abd, bcd) > 0;
  assert(first_upright | second_upright);
  // Without branches: which is shorter is anyone's guess.
  return first_upright & (!second_upright | (squared(ac) <= squared(bd)));
}

/// The quads around the crossed edges that start at owned samples.
class NetFaces {
 public:
  NetFaces(const SolidBits& solid, const NetCells& cells, IVec3 own, Mesh& mesh)
      : solid_(solid), cells_(cells), own_(own), mesh_(mesh), positions_(mesh.positions.data()) {}

  void add_all() {
    mesh_.indices.resize(6 * cells_.quads());
    out_ = mesh_.indices.data();
    for (const WordPlace& place : cells_.words()) add_word(place);
    assert(out_ == mesh_.indices.data() + mesh_.indices.size());
  }

 private:
  void add_word(const WordPlace& place) {
    const auto [w, y, z] = place;
    if (!is_owned(y, own_.y) || !is_owned(z, own_.z)) return;
    // An edge crossed is an edge of the cell that starts with it.
    const CellWord& word = cells_.row(y, z)[w];
    add_edges<0>(word.edges[0], w, y, z);
    add_edges<1>(word.edges[1], w, y, z);
    add_edges<2>(word.edges[2], w, y, z);
  }
  static bool is_owned(int i, int own) { return i >= kApron && i < own + kApron; }

  /// The cells around an edge, counter-clockwise as seen from its high end: steps back from the
  /// edge's low end along the next axis and the one after.
  static constexpr int kBack[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};
  template <int kAxis>
  static constexpr int back(std::size_t i, int along) {
    return along == kAxis ? 0 : kBack[i][(along + 2 - kAxis) % 3];
  }

  template <int kAxis>
  void add_edges(std::uint64_t left, int w, int y, int z) {
    if (left == 0) return;
    const std::uint64_t solid = word_of(solid_, w, y, z);
    std::array<const CellWord*, 4> rows;
    for (std::size_t i = 0; i < 4; ++i) {
      rows[i] = cells_.row(y - back<kAxis>(i, 1), z - back<kAxis>(i, 2));
    }
    std::uint32_t* out = out_;
    for (; left != 0; left &= left - 1, out += 6) {
      const int bit = std::countr_zero(left);
      add_quad<kAxis>(rows, 64 * w + bit, (solid >> bit & 1) != 0, out);
    }
    out_ = out;
  }

  template <int kAxis>
  void add_quad(const std::array<const CellWord*, 4>& rows, int x, bool base_solid,
                std::uint32_t* out) const {
    constexpr int kU = (kAxis + 1) % 3, kV = (kAxis + 2) % 3;
    std::array<std::uint32_t, 5> id;  // the first once more at the end
    std::array<const Vec3f*, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
      id[i] = cells_.vertex(rows[i], x - back<kAxis>(i, 0),
                            edge_from(kAxis, kBack[i][0] << kU | kBack[i][1] << kV));
      p[i] = positions_ + id[i];
    }
    id[4] = id[0];
    const std::size_t shift = cut_by_first_diagonal<kU, kV>(p) ? 0 : 1;
    const std::uint32_t a = id[shift], b = id[shift + 1], c = id[shift + 2],
                        d = id[(shift + 3) & 3];
    out[0] = out[3] = a;
    out[1] = base_solid ? b : c;
    out[2] = base_solid ? c : b;
    out[4] = base_solid ? c : d;
    out[5] = base_solid ? d : c;
  }

  const SolidBits& solid_;
  const NetCells& cells_;
  IVec3 own_;
  Mesh& mesh_;
  const Vec3f* positions_;
  std::uint32_t* out_ = nullptr;
};

Mesh surface_nets(const Samples& samples, const IBox& own) {
  assert(samples.lattice.box() == with_apron(own));
  const IVec3 size = own.size();
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  if (is_uniform(samples.solid)) return mesh;
  thread_local Scratch scratch;
  const NetCells cells(samples.solid, size, scratch);
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

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(surface_nets);

Mesh mesh_surface_nets(const Samples& samples, const IBox& own, const MeshingOptions&) {
  return HWY_DYNAMIC_DISPATCH(surface_nets)(samples, own);
}

}  // namespace talus
#endif
