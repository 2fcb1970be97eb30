// The inner loops of WideBvh, on vectors: for its own file.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/wide_bvh.h"

namespace talus {

/// A ray among the vertices of one tree. Its origin is the sum of two floats, so that it is where
/// the ray says also far from the mesh's origin.
struct PlacedRay {
  std::array<float, 3> high{}, low{};
  std::array<float, 3> inverse{};
  float shear_x = 0, shear_y = 0, shear_z = 0;
  int kz = 2;
  float pad = 0;    // outward, for every plane: what rounding may move, metres
  float reach = 0;  // hits count up to here, metres
};

/// The nearest hit no farther than `best`; true if there was one.
bool trace_wide_bvh(const WideBvh& tree, const PlacedRay& ray, NearHit& best);
/// Every hit up to the ray's reach.
void trace_all_wide_bvh(const WideBvh& tree, const PlacedRay& ray, std::vector<NearHit>& hits);
/// The children of a node whose boxes touch a box (low, high corner), a bit each. Boxes of nodes
/// are never smaller than what they hold.
std::uint32_t touched_children(const WideBvh::Node& node, const float* lo, const float* hi);

/// A quad on its way into a tree: its box as (lo x, y, z, -) and (-hi x, y, z, -), so that the
/// least of each is the box around several.
struct BvhItem {
  std::array<float, 8> bounds;
  std::uint32_t quad;
};
using BvhBounds = std::array<float, 8>;
BvhBounds bounds_of_items(const BvhItem* items, std::size_t count);

}  // namespace talus
