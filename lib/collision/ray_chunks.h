// The chunks along a ray, in the order in which it reaches them.
//
// Triangles of a chunk spill over its lower faces: they lie in its box grown by kChunkSpill metres
// downward on each axis. So a ray is in up to eight chunks at once; each is visited when the ray
// enters the last of its three slabs. Walking costs a few nanoseconds a chunk.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "collision/chunk_table.h"
#include "collision/ray.h"
#include "core/vec.h"

namespace talus {

/// How far a chunk's triangles reach below its lower faces, metres: the meshes of surface nets
/// start in the cells below the chunk's first samples, those of blocks half a cell below.
inline constexpr double kChunkSpill = 1;

/// The chunks whose grown box meets [lo, hi], each end with `slack` metres to spare.
struct ChunkSpan {
  int first, last;
};
inline ChunkSpan chunk_span(double lo, double hi, double slack = 0) {
  return {static_cast<int>(std::ceil((lo - slack) / kChunkSide)) - 1,
          static_cast<int>(std::floor((hi + slack + kChunkSpill) / kChunkSide))};
}

/// Calls visit(chunk) for the chunks along the first `reach` metres (finite) of the ray, a few
/// twice. visit returns how far to walk on.
template <class Visit>
void walk_chunks(const RayFrame& ray, double reach, const Visit& visit) {
  // More than the triangle test's rounding may move a hit: up to 1 km it is far below 1 mm.
  const double slack = 0x1p-10 + 0x1p-20 * reach;
  std::array<int, 3> next;      // the chunk entered next along each axis
  std::array<double, 3> enter;  // and when
  const auto plan = [&](int axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double d = ray.direction[axis];
    const double plane =
        d > 0 ? kChunkSide * next[a] - kChunkSpill - slack : kChunkSide * (next[a] + 1.0) + slack;
    enter[a] = d == 0 ? std::numeric_limits<double>::infinity() : (plane - ray.origin[axis]) / d;
  };
  std::array<ChunkSpan, 3> span;
  const auto spans_at = [&](double t) {
    for (int axis = 0; axis < 3; ++axis) {
      const double p = ray.origin[axis] + ray.direction[axis] * t;
      span[static_cast<std::size_t>(axis)] = chunk_span(p, p, slack);
    }
  };
  const auto visit_spans = [&] {
    for (int c = span[2].first; c <= span[2].last; ++c) {
      for (int b = span[1].first; b <= span[1].last; ++b) {
        for (int a = span[0].first; a <= span[0].last; ++a) reach = visit(IVec3(a, b, c));
      }
    }
  };
  spans_at(0);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    next[a] = ray.direction[axis] > 0 ? span[a].last + 1 : span[a].first - 1;
    plan(axis);
  }
  visit_spans();
  while (true) {
    const int axis = enter[0] <= enter[1] && enter[0] <= enter[2] ? 0
                     : enter[1] <= enter[2]                       ? 1
                                                                  : 2;
    const auto a = static_cast<std::size_t>(axis);
    if (!(enter[a] <= reach)) return;
    spans_at(enter[a]);
    span[a] = {next[a], next[a]};
    visit_spans();
    next[a] += ray.direction[axis] > 0 ? 1 : -1;
    plan(axis);
  }
}

}  // namespace talus
