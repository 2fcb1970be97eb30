#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "meshing/bit_rows.h"
#include "meshing/cell_cases.h"
#include "meshing/mesher.h"
#include "meshing/surface_vertices.h"
#include "voxel/crossed_cells.h"

// No vectors here: compiled for newer instruction sets for their bit operations.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "meshing/marching_cubes_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

/// The crossed edges from 64 samples of a row, along each axis, and the numbers of their vertices:
/// first all along x, then y, then z.
struct EdgeWord {
  std::array<std::uint64_t, 3> crossed{};
  std::array<std::uint32_t, 3> first{};

  std::uint32_t vertex(std::size_t axis, int bit) const {
    return first[axis] +
           static_cast<std::uint32_t>(std::popcount(crossed[axis] & ((1ull << bit) - 1)));
  }
};

/// Kept by the thread, so that a stream of chunks takes no memory anew. Only words with crossed
/// edges, and entries counted as used, hold anything of this mesh.
struct Scratch {
  std::vector<std::uint64_t> crossed_cells;
  std::vector<WordPlace> places;  // of words with crossed cells, in order
  std::vector<EdgeWord> words;
  std::vector<EdgeVertex> vertices;
  std::vector<std::uint8_t> masks;  // of the owned crossed cells, in order
};

class MarchingCubes {
 public:
  MarchingCubes(const Samples& samples, IVec3 own, Scratch& scratch)
      : samples_(samples), solid_(samples.solid), own_(own), s_(scratch) {}

  void run(Mesh& mesh) {
    find_crossed_cells(solid_, s_.crossed_cells);
    s_.words.resize(std::max(s_.words.size(), solid_.words.size()));
    list_words(solid_, s_.crossed_cells, kApron, own_ + IVec3(kApron), s_.places);
    for (const WordPlace& place : s_.places) find_edges(place);
    if (vertex_count_ == 0) return;
    for (const WordPlace& place : s_.places) find_masks(place, owned_cells(place));
    mesh.positions.resize(vertex_count_);
    mesh.normals.resize(vertex_count_);
    place_edge_vertices({s_.vertices.data(), vertex_count_}, samples_.density.data(), solid_.size,
                        mesh.positions.data(), mesh.normals.data());
    add_triangles(mesh);
  }

 private:
  static constexpr std::size_t kMostIndices = 15;  // of a cell

  /// Crossed edges start at the lowest corner of crossed cells.
  void find_edges(const WordPlace& place) {
    const auto [w, y, z] = place;
    const bool last_y = y == own_.y + kApron, last_z = z == own_.z + kApron;
    const std::uint64_t samples = bits_between(kApron - 64 * w, own_.x + kApron + 1 - 64 * w);
    EdgeWord& word = word_at(w, y, z);
    word.crossed[0] =
        crossed_edges(solid_, 0, w, y, z) & bits_between(kApron - 64 * w, own_.x + kApron - 64 * w);
    word.crossed[1] = last_y ? 0 : crossed_edges(solid_, 1, w, y, z) & samples;
    word.crossed[2] = last_z ? 0 : crossed_edges(solid_, 2, w, y, z) & samples;
    EdgeVertex* const begin = room_for(s_.vertices, vertex_count_, std::size_t{3} * 64);
    EdgeVertex* out = begin;
    for (int axis = 0; axis < 3; ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      word.first[a] =
          static_cast<std::uint32_t>(vertex_count_ + static_cast<std::size_t>(out - begin));
      for (std::uint64_t left = word.crossed[a]; left != 0; left &= left - 1) {
        *out++ = {64 * w + std::countr_zero(left), y, z, axis};
      }
    }
    vertex_count_ += static_cast<std::size_t>(out - begin);
  }

  EdgeWord& word_at(int w, int y, int z) {
    return s_.words[solid_.row(y, z) + static_cast<std::size_t>(w)];
  }

  /// The crossed cells of a word that the chunk owns.
  std::uint64_t owned_cells(const WordPlace& place) const {
    const auto [w, y, z] = place;
    if (y == own_.y + kApron || z == own_.z + kApron) return 0;
    return s_.crossed_cells[solid_.row(y, z) + static_cast<std::size_t>(w)] &
           bits_between(kApron - 64 * w, own_.x + kApron - 64 * w);
  }

  void find_masks(const WordPlace& place, std::uint64_t cells) {
    if (cells == 0) return;
    const CornerBits corners(solid_, place.w, place.y, place.z);
    std::uint8_t* out = room_for(s_.masks, cell_count_, 64);
    cell_count_ += static_cast<std::size_t>(std::popcount(cells));
    for (; cells != 0; cells &= cells - 1) {
      *out = corners.mask(std::countr_zero(cells));
      index_count_ += 3 * static_cast<std::size_t>(cases_[*out].triangle_count);
      ++out;
    }
  }

  void add_triangles(Mesh& mesh) {
    // Every cell writes as many as a cell can have, and the next one starts where its own end.
    mesh.indices.resize(index_count_ + kMostIndices);
    std::uint32_t* out = mesh.indices.data();
    const std::uint8_t* mask = s_.masks.data();
    for (const WordPlace& place : s_.places) {
      std::uint64_t cells = owned_cells(place);
      if (cells == 0) continue;
      const auto [w, y, z] = place;
      const EdgeWord* const rows[4] = {&word_at(w, y, z), &word_at(w, y + 1, z),
                                       &word_at(w, y, z + 1), &word_at(w, y + 1, z + 1)};
      for (; cells != 0; cells &= cells - 1) {
        const CellCase& c = cases_[*mask++];
        const auto id = vertices_around(rows, std::countr_zero(cells));
        for (std::size_t i = 0; i < kMostIndices; ++i) out[i] = id[c.triangles[i]];
        out += 3 * c.triangle_count;
      }
    }
    assert(out == mesh.indices.data() + index_count_);
    mesh.indices.resize(index_count_);
  }

  /// The vertices on the edges of a cell, as numbered in cell_cases.h; of no meaning on edges that
  /// are not crossed. `rows` are the words of the edges from the cell's four rows.
  static std::array<std::uint32_t, 12> vertices_around(const EdgeWord* const (&rows)[4], int bit) {
    const auto right = [&](const EdgeWord* row, std::size_t axis, std::uint32_t id) {
      return bit == 63 ? row[1].first[axis]
                       : id + static_cast<std::uint32_t>(row->crossed[axis] >> bit & 1);
    };
    const std::uint32_t y0 = rows[0]->vertex(1, bit), y2 = rows[2]->vertex(1, bit);
    const std::uint32_t z0 = rows[0]->vertex(2, bit), z1 = rows[1]->vertex(2, bit);
    return {rows[0]->vertex(0, bit),
            rows[1]->vertex(0, bit),
            rows[2]->vertex(0, bit),
            rows[3]->vertex(0, bit),
            y0,
            right(rows[0], 1, y0),
            y2,
            right(rows[2], 1, y2),
            z0,
            right(rows[0], 2, z0),
            z1,
            right(rows[1], 2, z1)};
  }

  const std::array<CellCase, 256>& cases_ = cell_cases();
  const Samples& samples_;
  const SolidBits& solid_;
  IVec3 own_;
  Scratch& s_;
  std::size_t vertex_count_ = 0, cell_count_ = 0, index_count_ = 0;
};

HWY_ATTR Mesh marching_cubes(const Samples& samples, const IBox& own) {
  assert(samples.lattice.box() == with_apron(own));
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  if (is_uniform(samples.solid)) return mesh;
  thread_local Scratch scratch;
  MarchingCubes(samples, own.size(), scratch).run(mesh);
  grid_to_metres(mesh, samples.lattice.step);
  return mesh;
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(marching_cubes);

Mesh mesh_marching_cubes(const Samples& samples, const IBox& own, const MeshingOptions&) {
  return HWY_DYNAMIC_DISPATCH(marching_cubes)(samples, own);
}

}  // namespace talus
#endif
