// Chunks written one after the other become one surface: the vertices on their borders are found
// again by the chunks that come later.
//
// A vertex that two chunks share stands within one step of the face between them, and has the same
// place and normal, to the bit, in both. Chunks run y fastest, then x, then z, so a vertex near the
// face towards +y is wanted by the next chunk only, one near +x by the next column, one near +z by
// the next layer: three sets, each forgotten when its time is over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/box.h"
#include "mesh/mesh.h"

namespace talus {

/// Vertices are the same where these are.
struct SeamKey {
  std::array<double, 3> position;       // metres, world
  std::array<std::uint32_t, 3> normal;  // bits
  bool operator==(const SeamKey&) const = default;
};

/// A vertex on a border, and the set it goes to.
struct SeamVertex {
  SeamKey key;
  std::uint64_t hash;    // of the key
  std::uint32_t vertex;  // of its chunk's mesh
  bool may_be_known;     // near a lower face: the chunks beyond the others come later
  int keep;              // the axis towards whose upper face it is near, the last in order, or -1
};

/// The vertices of a chunk's mesh within one step of its borders. In order; safe on any thread.
std::vector<SeamVertex> find_seam_vertices(const Mesh& mesh, const IBox& own, double step);

/// Numbers of vertices by their keys. Forgetting all costs nothing and keeps the memory.
class SeamSet {
 public:
  const std::uint32_t* find(const SeamVertex& vertex) const;
  /// The first number given for a key stands.
  void add(const SeamVertex& vertex, std::uint32_t number);
  void forget() {
    ++age_;
    count_ = 0;
  }

 private:
  struct Entry {
    SeamKey key;
    std::uint64_t hash = 0;
    std::uint64_t age = 0;  // of the set when it was written; another age is no entry
    std::uint32_t number = 0;
  };
  std::size_t place_of(const SeamVertex& vertex) const;
  void grow();

  std::vector<Entry> entries_;  // a power of two of them; collisions go to the next place
  std::size_t count_ = 0;
  std::uint64_t age_ = 1;
};

class SeamWelder {
 public:
  /// Takes the chunks in order. Drops from `mesh` the vertices that an earlier chunk wrote, and
  /// makes its indices count from the first vertex of the first chunk. Throws Error past 2^32 - 1
  /// vertices.
  void weld(IVec3 chunk, const std::vector<SeamVertex>& seam, Mesh& mesh);
  /// Vertices given out so far.
  std::uint64_t vertices() const { return vertices_; }

 private:
  void forget(IVec3 chunk);
  const std::uint32_t* find(const SeamVertex& vertex) const;

  // By axis: of the chunk, column or layer before, and of this one.
  std::array<SeamSet, 3> older_, newer_;
  IVec3 chunk_{0};
  bool started_ = false;
  std::uint64_t vertices_ = 0;
  std::vector<std::uint32_t> numbers_;  // of the chunk's vertices in the whole
};

}  // namespace talus
