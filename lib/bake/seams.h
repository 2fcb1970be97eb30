// Chunks written one after the other become one surface: the vertices on their borders are found
// again by the chunks that come later.
//
// A vertex that two chunks share stands within one step of the face between them, and has the same
// place and normal, to the bit, in both. Chunks run x fastest, then y, then z, so a vertex near the
// face towards +x is wanted by the next chunk only, one near +y by the next row, one near +z by the
// next layer: three sets, each forgotten when its time is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

/// A vertex on a border, and the sets it goes to.
struct SeamVertex {
  std::array<double, 3> position;       // metres, world
  std::array<std::uint32_t, 3> normal;  // bits
  std::uint32_t vertex;                 // of its chunk's mesh
  int keep;                             // the last axis towards whose upper face it is near, or -1
};

/// The vertices of a chunk's mesh within one step of its borders. In order; safe on any thread.
std::vector<SeamVertex> find_seam_vertices(const Mesh& mesh, const IBox& own, double step);

class SeamWelder {
 public:
  /// Takes the chunks in order. Drops from `mesh` the vertices that an earlier chunk wrote, and
  /// makes its indices count from the first vertex of the first chunk. Throws Error past 2^32 - 1
  /// vertices.
  void weld(IVec3 chunk, const std::vector<SeamVertex>& seam, Mesh& mesh);
  /// Vertices given out so far.
  std::uint64_t vertices() const { return vertices_; }

 private:
  struct Key {
    std::array<double, 3> position;
    std::array<std::uint32_t, 3> normal;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  using Set = std::unordered_map<Key, std::uint32_t, KeyHash>;

  void forget(IVec3 chunk);
  const std::uint32_t* find(const Key& key) const;

  std::array<Set, 3> older_, newer_;  // by axis: of the chunk, row or layer before, and of this one
  IVec3 chunk_{0};
  bool started_ = false;
  std::uint64_t vertices_ = 0;
  std::vector<std::uint32_t> numbers_;  // of the chunk's vertices in the whole
};

}  // namespace talus
