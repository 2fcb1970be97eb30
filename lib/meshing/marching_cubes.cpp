#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "meshing/bit_rows.h"
#include "meshing/cell_cases.h"
#include "meshing/mesher.h"
#include "meshing/surface_vertices.h"

namespace talus {

namespace {

/// The crossed edges from 64 samples of a row, along each axis, and the numbers of their vertices:
/// first all along x, then y, then z.
struct EdgeWord {
  std::array<std::uint64_t, 3> crossed{};
  std::array<std::uint32_t, 3> first{};

  std::uint32_t vertex(int axis, int bit) const {
    const auto a = static_cast<std::size_t>(axis);
    return first[a] + static_cast<std::uint32_t>(std::popcount(crossed[a] & ((1ull << bit) - 1)));
  }
};

/// Finds the crossed edges of the owned cells and numbers them, row by row.
class CrossedEdges {
 public:
  CrossedEdges(const SolidBits& solid, IVec3 own)
      : solid_(solid), own_(own), words_(solid.words.size()) {
    for (int z = kApron; z <= own.z + kApron; ++z) {
      for (int y = kApron; y <= own.y + kApron; ++y) find_in_row(y, z);
    }
  }
  const std::vector<EdgeVertex>& vertices() const { return vertices_; }
  const EdgeWord* row(int y, int z) const { return words_.data() + solid_.row(y, z); }

 private:
  void find_in_row(int y, int z) {
    const bool last_y = y == own_.y + kApron, last_z = z == own_.z + kApron;
    for (int w = 0; w < solid_.words_per_row; ++w) {
      const std::uint64_t here = word_of(solid_, w, y, z);
      const std::uint64_t cells = bits_between(kApron - 64 * w, own_.x + kApron - 64 * w);
      const std::uint64_t samples = bits_between(kApron - 64 * w, own_.x + kApron + 1 - 64 * w);
      EdgeWord& word = words_[solid_.row(y, z) + static_cast<std::size_t>(w)];
      word.crossed[0] = (here ^ next_of(solid_, w, y, z)) & cells;
      if (!last_y) word.crossed[1] = (here ^ word_of(solid_, w, y + 1, z)) & samples;
      if (!last_z) word.crossed[2] = (here ^ word_of(solid_, w, y, z + 1)) & samples;
      for (int axis = 0; axis < 3; ++axis) {
        word.first[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(vertices_.size());
        std::uint64_t left = word.crossed[static_cast<std::size_t>(axis)];
        for (; left != 0; left &= left - 1) {
          vertices_.push_back({64 * w + std::countr_zero(left), y, z, axis});
        }
      }
    }
  }

  const SolidBits& solid_;
  IVec3 own_;
  std::vector<EdgeWord> words_;
  std::vector<EdgeVertex> vertices_;
};

/// The triangles of the active cells of row (y, z).
void add_row(const SolidBits& solid, const CrossedEdges& edges, int y, int z, IVec3 own,
             Mesh& mesh) {
  const auto& cases = cell_cases();
  const std::array<const EdgeWord*, 4> rows = {edges.row(y, z), edges.row(y + 1, z),
                                               edges.row(y, z + 1), edges.row(y + 1, z + 1)};
  for (int w = 0; w < solid.words_per_row; ++w) {
    std::uint64_t active =
        active_cells(solid, w, y, z) & bits_between(kApron - 64 * w, own.x + kApron - 64 * w);
    if (active == 0) continue;
    const CornerBits corners(solid, w, y, z);
    for (; active != 0; active &= active - 1) {
      const int bit = std::countr_zero(active), right = (bit + 1) % 64;
      const auto here = static_cast<std::size_t>(w), beside = here + (bit == 63 ? 1 : 0);
      const std::array<std::uint32_t, 12> id = {
          rows[0][here].vertex(0, bit), rows[1][here].vertex(0, bit),
          rows[2][here].vertex(0, bit), rows[3][here].vertex(0, bit),
          rows[0][here].vertex(1, bit), rows[0][beside].vertex(1, right),
          rows[2][here].vertex(1, bit), rows[2][beside].vertex(1, right),
          rows[0][here].vertex(2, bit), rows[0][beside].vertex(2, right),
          rows[1][here].vertex(2, bit), rows[1][beside].vertex(2, right)};
      const CellCase& c = cases[static_cast<std::size_t>(corners.mask(bit))];
      for (int i = 0; i < 3 * c.triangle_count; ++i) {
        mesh.indices.push_back(id[c.triangles[static_cast<std::size_t>(i)]]);
      }
    }
  }
}

}  // namespace

Mesh mesh_marching_cubes(const Samples& samples, const IBox& own, const MeshingOptions&) {
  assert(samples.lattice.box() == with_apron(own));
  const IVec3 size = own.size();
  Mesh mesh;
  mesh.origin = samples.lattice.step * Vec3(own.lo);
  if (is_uniform(samples.solid)) return mesh;
  const CrossedEdges edges(samples.solid, size);
  const std::size_t count = edges.vertices().size();
  if (count == 0) return mesh;

  mesh.positions.resize(count);
  mesh.normals.resize(count);
  place_edge_vertices(edges.vertices(), samples.density.data(), samples.lattice.size,
                      mesh.positions.data(), mesh.normals.data());
  mesh.indices.reserve(6 * count + 64);
  for (int z = kApron; z < size.z + kApron; ++z) {
    for (int y = kApron; y < size.y + kApron; ++y) {
      add_row(samples.solid, edges, y, z, size, mesh);
    }
  }
  grid_to_metres(mesh, samples.lattice.step);
  return mesh;
}

}  // namespace talus
