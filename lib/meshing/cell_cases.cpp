#include "meshing/cell_cases.h"

#include <cassert>
#include <span>
#include <vector>

namespace talus {

namespace {

using Next = std::array<int, 12>;  // the edge after a crossed edge on its cycle, or -1
using Cycle = std::vector<int>;

/// The four corners of a face, counter-clockwise as seen from outside the cell.
std::array<int, 4> face_corners(int face) {
  const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
  const int base = (face & 1) << axis;
  if (face & 1) return {base, base | 1 << u, base | 1 << u | 1 << v, base | 1 << v};
  return {base, base | 1 << v, base | 1 << u | 1 << v, base | 1 << u};
}

int edge_between(int a, int b) {
  const int low = a < b ? a : b, difference = a ^ b;
  return edge_from(difference == 1 ? 0 : difference == 2 ? 1 : 2, low);
}

/// Joins the crossed edges of one face: each run of solid corners is cut off by the segment from
/// the edge where going around enters it to the edge where that leaves it. With `join`, runs are
/// left by the other run's edge, which cuts off the air instead.
void join_face(int mask, int face, bool join, Next& next) {
  const auto corners = face_corners(face);
  const auto solid = [&](int i) { return mask >> corners[i & 3] & 1; };
  std::vector<int> enter, leave;
  for (int i = 0; i < 4; ++i) {
    if (!solid(i) && solid(i + 1)) {
      enter.push_back(edge_between(corners[i], corners[(i + 1) & 3]));
      int j = i + 1;
      while (solid(j + 1)) ++j;
      leave.push_back(edge_between(corners[j & 3], corners[(j + 1) & 3]));
    }
  }
  for (std::size_t run = 0; run < enter.size(); ++run) {
    const std::size_t out = join ? enter.size() - 1 - run : run;
    next[static_cast<std::size_t>(enter[run])] = leave[out];
  }
}

std::vector<Cycle> cycles_of(int mask, int joined_face) {
  Next next;
  next.fill(-1);
  for (int face = 0; face < 6; ++face) join_face(mask, face, face == joined_face, next);
  std::vector<Cycle> cycles;
  int seen = 0;
  for (int edge = 0; edge < 12; ++edge) {
    if (next[static_cast<std::size_t>(edge)] < 0 || seen >> edge & 1) continue;
    Cycle cycle;
    for (int at = edge; !(seen >> at & 1); at = next[static_cast<std::size_t>(at)]) {
      seen |= 1 << at;
      cycle.push_back(at);
    }
    cycles.push_back(cycle);
  }
  return cycles;
}

std::uint16_t edge_mask(const Cycle& cycle) {
  int mask = 0;
  for (const int edge : cycle) mask |= 1 << edge;
  return static_cast<std::uint16_t>(mask);
}

bool on_one_face(int edge_a, int edge_b) {
  const auto touches = [](int edge, int face) {
    const EdgeEnds ends = edge_ends(edge);
    const int axis = face / 2;
    return ends.axis != axis && (ends.low >> axis & 1) == (face & 1);
  };
  for (int face = 0; face < 6; ++face) {
    if (touches(edge_a, face) && touches(edge_b, face)) return true;
  }
  return false;
}

/// Cuts a polygon of crossed edges into triangles by diagonals that do not lie in a face of the
/// cell: such a diagonal could meet another of the neighbouring cell, and the edge would have four
/// triangles.
bool triangulate(std::span<const int> polygon, std::vector<int>& triangles) {
  const std::size_t n = polygon.size();
  if (n == 3) {
    triangles.insert(triangles.end(), polygon.begin(), polygon.end());
    return true;
  }
  for (std::size_t ear = 0; ear < n; ++ear) {
    const int before = polygon[(ear + n - 1) % n], after = polygon[(ear + 1) % n];
    if (on_one_face(before, after)) continue;
    std::vector<int> rest;
    for (std::size_t i = 0; i < n; ++i) {
      if (i != ear) rest.push_back(polygon[i]);
    }
    const std::size_t mark = triangles.size();
    triangles.insert(triangles.end(), {before, polygon[ear], after});
    if (triangulate(rest, triangles)) return true;
    triangles.resize(mark);
  }
  return false;
}

/// The face, if any, whose two segments lie on one and the same cycle.
int pinched_face(int mask, const std::vector<Cycle>& cycles) {
  for (int face = 0; face < 6; ++face) {
    const auto corners = face_corners(face);
    const int s = (mask >> corners[0] & 1) | (mask >> corners[1] & 1) << 1 |
                  (mask >> corners[2] & 1) << 2 | (mask >> corners[3] & 1) << 3;
    if (s != 0b0101 && s != 0b1010) continue;
    int around = 0;
    for (int i = 0; i < 4; ++i) around |= 1 << edge_between(corners[i], corners[(i + 1) & 3]);
    for (const Cycle& cycle : cycles) {
      if ((edge_mask(cycle) & around) == around) return face;
    }
  }
  return -1;
}

CellCase make_case(int mask) {
  CellCase result;
  const auto cycles = cycles_of(mask, -1);
  std::vector<int> triangles;
  for (const Cycle& cycle : cycles) {
    result.edges[static_cast<std::size_t>(result.cycles++)] = edge_mask(cycle);
    [[maybe_unused]] const bool found = triangulate(cycle, triangles);
    assert(found);
  }
  assert(triangles.size() <= result.triangles.size());
  result.triangle_count = static_cast<int>(triangles.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    result.triangles[i] = static_cast<std::uint8_t>(triangles[i]);
  }
  result.pinched_face = pinched_face(mask, cycles);
  if (result.pinched_face >= 0) {
    for (const Cycle& cycle : cycles_of(mask, result.pinched_face)) {
      result.joined_edges[static_cast<std::size_t>(result.joined_cycles++)] = edge_mask(cycle);
    }
  }
  return result;
}

}  // namespace

const std::array<CellCase, 256>& cell_cases() {
  static const std::array<CellCase, 256> kCases = [] {
    std::array<CellCase, 256> all;
    for (int mask = 0; mask < 256; ++mask) all[static_cast<std::size_t>(mask)] = make_case(mask);
    return all;
  }();
  return kCases;
}

}  // namespace talus
