#include "bake/seams.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "core/error.h"

namespace talus {

namespace {

/// Axes in the order in which chunks run along them.
constexpr int kOrder[] = {1, 0, 2};
constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

std::uint64_t hash_of(const SeamKey& key) {
  std::uint64_t hash = 0;
  const auto mix = [&hash](std::uint64_t bits) {
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
  };
  for (const double x : key.position) mix(std::bit_cast<std::uint64_t>(x));
  for (const std::uint32_t x : key.normal) mix(x);
  return hash;
}

}  // namespace

std::vector<SeamVertex> find_seam_vertices(const Mesh& mesh, const IBox& own, double step) {
  const Vec3 lo = step * Vec3(own.lo + IVec3(1)), hi = step * Vec3(own.hi - IVec3(1));
  std::vector<SeamVertex> seam;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3 p = mesh.origin + Vec3(mesh.positions[v]) + 0.0;  // -0 is 0
    int keep = -1;
    bool near_low = false;
    for (const int axis : kOrder) {
      if (p[axis] >= hi[axis]) keep = axis;
      near_low = near_low || p[axis] <= lo[axis];
    }
    if (keep < 0 && !near_low) continue;
    const Vec3f& n = mesh.normals[v];
    const SeamKey key{{p.x, p.y, p.z},
                      {std::bit_cast<std::uint32_t>(n.x), std::bit_cast<std::uint32_t>(n.y),
                       std::bit_cast<std::uint32_t>(n.z)}};
    seam.push_back({key, hash_of(key), static_cast<std::uint32_t>(v), near_low, keep});
  }
  return seam;
}

/// Where the vertex is, or where it would go.
std::size_t SeamSet::place_of(const SeamVertex& vertex) const {
  const std::size_t last = entries_.size() - 1;
  for (std::size_t at = vertex.hash & last;; at = (at + 1) & last) {
    const Entry& entry = entries_[at];
    if (entry.age != age_) return at;
    if (entry.hash == vertex.hash && entry.key == vertex.key) return at;
  }
}

const std::uint32_t* SeamSet::find(const SeamVertex& vertex) const {
  if (count_ == 0) return nullptr;
  const Entry& entry = entries_[place_of(vertex)];
  return entry.age == age_ ? &entry.number : nullptr;
}

void SeamSet::add(const SeamVertex& vertex, std::uint32_t number) {
  if (2 * (count_ + 1) > entries_.size()) grow();
  Entry& entry = entries_[place_of(vertex)];
  if (entry.age == age_) return;
  entry = {vertex.key, vertex.hash, age_, number};
  ++count_;
}

void SeamSet::grow() {
  std::vector<Entry> old(std::max<std::size_t>(256, 2 * entries_.size()));
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.age != age_) continue;
    entries_[place_of({entry.key, entry.hash, 0, false, 0})] = entry;
  }
}

void SeamWelder::forget(IVec3 chunk) {
  const std::array<bool, 3> moved = {chunk.x != chunk_.x || chunk.z != chunk_.z, true,
                                     chunk.z != chunk_.z};
  for (std::size_t axis = 0; started_ && axis < 3; ++axis) {
    if (!moved[axis]) continue;
    std::swap(older_[axis], newer_[axis]);
    newer_[axis].forget();
  }
  started_ = true;
  chunk_ = chunk;
}

const std::uint32_t* SeamWelder::find(const SeamVertex& vertex) const {
  for (const auto* sets : {&older_, &newer_}) {
    for (const SeamSet& set : *sets) {
      if (const auto* number = set.find(vertex)) return number;
    }
  }
  return nullptr;
}

void SeamWelder::weld(IVec3 chunk, const std::vector<SeamVertex>& seam, Mesh& mesh) {
  forget(chunk);
  // All are looked up before any is kept: vertices of one chunk are never made one.
  numbers_.assign(mesh.positions.size(), kUnknown);
  for (const SeamVertex& v : seam) {
    if (!v.may_be_known) continue;
    if (const auto* number = find(v)) numbers_[v.vertex] = *number;
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
    if (v.keep >= 0) newer_[static_cast<std::size_t>(v.keep)].add(v, numbers_[v.vertex]);
  }
}

}  // namespace talus
