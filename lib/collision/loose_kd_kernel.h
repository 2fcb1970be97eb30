// The inner loops of LooseKd, on vectors: for its own file.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/loose_kd.h"

namespace talus {

/// A ray in the grid of one tree.
struct GridRay {
  std::array<std::int32_t, 3> offset{};  // the tree's corner from the ray's cell, grid units
  std::array<float, 3> fraction{};       // the ray's origin within its cell
  std::array<float, 3> inverse{};
  float shear_x = 0, shear_y = 0, shear_z = 0;
  int kz = 2;
  float pad = 0;               // outward, for every plane: what rounding may move, grid units
  float t_min = 0, t_max = 0;  // within the tree's box
  float reach = 0;             // hits count up to here, grid units
};

/// The nearest hit no farther than `best`; true if there was one.
bool trace_loose_kd(const LooseKd& tree, const GridRay& ray, NearHit& best);
/// Every hit up to the ray's reach.
void trace_all_loose_kd(const LooseKd& tree, const GridRay& ray, std::vector<NearHit>& hits);

/// A quad on its way into a tree: low corner, then 65535 - high corner, so that the least of each
/// is the box around several.
struct KdItem {
  std::array<std::uint16_t, 8> bounds;  // lo x, y, z, -, hi x, y, z, -
  std::uint32_t quad;
};
/// Sorts the items into leaves and writes the nodes, at most 2 * count of them; returns how many.
std::size_t split_loose_kd(KdItem* items, std::size_t count, std::array<std::uint16_t, 3> size,
                           LooseKd::Node* nodes);

}  // namespace talus
