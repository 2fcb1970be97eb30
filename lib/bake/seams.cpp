#include "bake/seams.h"

#include <bit>
#include <limits>

#include "core/error.h"

namespace talus {

namespace {

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<SeamVertex> find_seam_vertices(const Mesh& mesh, const IBox& own, double step) {
  const Vec3 lo = step * Vec3(own.lo + IVec3(1)), hi = step * Vec3(own.hi - IVec3(1));
  std::vector<SeamVertex> seam;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.origin + Vec3(mesh.positions[v]) + 0.0;  // -0 is 0
    int keep = -1;
    bool near = false;
    for (int axis = 0; axis < 3; ++axis) {
      if (p[axis] >= hi[axis]) keep = axis;
      near = near || p[axis] >= hi[axis] || p[axis] <= lo[axis];
    }
    if (!near) continue;
    const Vec3f& n = mesh.normals[v];
    seam.push_back({{p.x, p.y, p.z},
                    {std::bit_cast<std::uint32_t>(n.x), std::bit_cast<std::uint32_t>(n.y),
                     std::bit_cast<std::uint32_t>(n.z)},
                    static_cast<std::uint32_t>(v),
                    keep});
  }
  return seam;
}

std::size_t SeamWelder::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  };
  for (const double x : key.position) mix(std::bit_cast<std::uint64_t>(x));
  for (const std::uint32_t x : key.normal) mix(x);
  return hash;
}

void SeamWelder::forget(IVec3 chunk) {
  const std::array<bool, 3> moved = {true, chunk.y != chunk_.y || chunk.z != chunk_.z,
                                     chunk.z != chunk_.z};
  for (std::size_t axis = 0; started_ && axis < 3; ++axis) {
    if (!moved[axis]) continue;
    older_[axis].swap(newer_[axis]);
    newer_[axis].clear();
  }
  started_ = true;
  chunk_ = chunk;
}

const std::uint32_t* SeamWelder::find(const Key& key) const {
  for (const auto* sets : {&older_, &newer_}) {
    for (const Set& set : *sets) {
      const auto found = set.find(key);
      if (found != set.end()) return &found->second;
    }
  }
  return nullptr;
}

void SeamWelder::weld(IVec3 chunk, const std::vector<SeamVertex>& seam, Mesh& mesh) {
  forget(chunk);
  // All are looked up before any is kept: vertices of one chunk are never made one.
  numbers_.assign(mesh.positions.size(), kUnknown);
  for (const SeamVertex& v : seam) {
    if (const auto* number = find({v.position, v.normal})) numbers_[v.vertex] = *number;
  }
  std::size_t kept = 0;
  const bool colored = !mesh.colors.empty();
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (numbers_[v] != kUnknown) continue;
    numbers_[v] = static_cast<std::uint32_t>(vertices_ + kept);
    mesh.positions[kept] = mesh.positions[v];
    mesh.normals[kept] = mesh.normals[v];
    if (colored) mesh.colors[kept] = mesh.colors[v];
    ++kept;
  }
  vertices_ += kept;
  if (vertices_ >= kUnknown) {
    throw Error(
        "one mesh holds at most 4 294 967 295 vertices: cut it with --tiles, or take a "
        "coarser --step");
  }
  mesh.positions.resize(kept);
  mesh.normals.resize(kept);
  if (colored) mesh.colors.resize(kept);
  for (std::uint32_t& index : mesh.indices) index = numbers_[index];
  for (const SeamVertex& v : seam) {
    if (v.keep >= 0) {
      newer_[static_cast<std::size_t>(v.keep)].emplace(Key{v.position, v.normal},
                                                       numbers_[v.vertex]);
    }
  }
}

}  // namespace talus
