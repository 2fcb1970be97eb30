#include "mesh/weld.h"

#include <bit>
#include <cassert>

namespace talus {
namespace {

std::uint64_t hash_of(const Vec3& p) {
  std::uint64_t h = 0;
  for (int axis = 0; axis < 3; ++axis) {
    h = (h ^ std::bit_cast<std::uint64_t>(p[axis])) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  return h * 0xD6E8FEB86659FD93u;
}

// The numbers of the positions seen so far, by open addressing; at least half of the places are
// free.
class PositionTable {
 public:
  explicit PositionTable(std::size_t most)
      : slots_(std::bit_ceil(2 * most + 2), kFree), shift_(64 - std::countr_zero(slots_.size())) {}

  std::uint32_t number_of(const Vec3& position, std::vector<Vec3>& positions) {
    for (std::size_t slot = hash_of(position) >> shift_;; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kFree) {
        slots_[slot] = static_cast<std::uint32_t>(positions.size());
        positions.push_back(position);
        return slots_[slot];
      }
      if (positions[slots_[slot]] == position) return slots_[slot];
    }
  }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFF;
  std::vector<std::uint32_t> slots_;
  int shift_;
};

}  // namespace

WeldedMesh weld(std::span<const Mesh> meshes) {
  std::size_t vertices = 0;
  std::size_t indices = 0;
  for (const Mesh& mesh : meshes) {
    vertices += mesh.positions.size();
    indices += mesh.indices.size();
  }
  assert(vertices <= std::size_t{1} << 31);

  WeldedMesh welded;
  welded.indices.reserve(indices);
  PositionTable table(vertices);
  std::vector<std::uint32_t> numbers;
  for (const Mesh& mesh : meshes) {
    numbers.clear();
    // Adding 0 turns -0 into 0.
    for (const Vec3f& position : mesh.positions) {
      numbers.push_back(table.number_of(mesh.origin + Vec3(position) + Vec3(0), welded.positions));
    }
    for (const std::uint32_t index : mesh.indices) welded.indices.push_back(numbers[index]);
  }
  return welded;
}

}  // namespace talus
