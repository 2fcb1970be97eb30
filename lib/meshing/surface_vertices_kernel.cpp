#include <algorithm>

#include "meshing/cell_cases.h"
#include "meshing/surface_vertices.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "meshing/surface_vertices_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace talus::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<float, 16>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;

constexpr std::size_t kBatch = 16;
constexpr float kGrid = 1024;
/// Crossings of nets keep this far from a cell's corners, so that the means of two sheets of one
/// cell never fall on the same grid point.
constexpr float kNetMargin = 1.0f / 256;

struct Vectors {
  V x, y, z;
};

HWY_ATTR V mix(V a, V b, V t) {
  return hn::Add(a, hn::Mul(hn::Sub(b, a), t));
}

/// A fraction of an edge as a whole number of grid units, strictly inside.
HWY_ATTR V to_grid(V fraction) {
  const D d;
  const V grid = hn::Round(hn::Mul(fraction, hn::Set(d, kGrid)));
  return hn::Min(hn::Max(grid, hn::Set(d, 1.0f)), hn::Set(d, kGrid - 1));
}

/// Minus the gradient, at unit length; up where the gradient vanishes.
HWY_ATTR Vectors normal_from(const Vectors& gradient) {
  const D d;
  const V squared =
      hn::Add(hn::Add(hn::Mul(gradient.x, gradient.x), hn::Mul(gradient.y, gradient.y)),
              hn::Mul(gradient.z, gradient.z));
  const auto usable =
      hn::And(hn::Gt(squared, hn::Set(d, 1e-30f)), hn::Lt(squared, hn::Set(d, 1e30f)));
  const V scale = hn::Div(hn::Set(d, -1.0f), hn::Sqrt(squared));
  return {hn::IfThenElseZero(usable, hn::Mul(gradient.x, scale)),
          hn::IfThenElse(usable, hn::Mul(gradient.y, scale), hn::Set(d, 1.0f)),
          hn::IfThenElseZero(usable, hn::Mul(gradient.z, scale))};
}

/// Columns of a batch to rows of its vertices.
HWY_ATTR void store(const float (&columns)[3][kBatch], std::size_t count, Vec3f* out) {
  const D d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    hn::StoreInterleaved3(hn::Load(d, columns[0] + i), hn::Load(d, columns[1] + i),
                          hn::Load(d, columns[2] + i), d, &out[i].x);
  }
  for (; i < count; ++i) out[i] = {columns[0][i], columns[1][i], columns[2][i]};
}

struct Batch {
  HWY_ALIGN float values[10][kBatch];
  HWY_ALIGN float base[3][kBatch];
  HWY_ALIGN std::int32_t edges[kBatch];  // of net vertices
  HWY_ALIGN std::int32_t axis[kBatch];   // of edge vertices
  HWY_ALIGN float position[3][kBatch];
  HWY_ALIGN float normal[3][kBatch];
};

/// One vector of vertices of a batch, from the eight corners in values[0..7].
HWY_ATTR void place_in_cells(Batch& b, std::size_t lane) {
  const D d;
  const DI di;
  const auto corner = [&](int c) HWY_ATTR { return hn::Load(d, b.values[c] + lane); };
  const auto edges = hn::Load(di, b.edges + lane);
  const V c[8] = {corner(0), corner(1), corner(2), corner(3),
                  corner(4), corner(5), corner(6), corner(7)};
  const V one = hn::Set(d, 1.0f), zero = hn::Zero(d);
  V sum[3] = {zero, zero, zero}, count = zero;
  for (int edge = 0; edge < 12; ++edge) {
    const EdgeEnds ends = edge_ends(edge);
    const auto bit = hn::Set(di, 1 << edge);
    const auto crossed = hn::RebindMask(d, hn::Eq(hn::And(edges, bit), bit));
    const V low = c[ends.low], high = c[ends.high];
    const V t = hn::Div(low, hn::Sub(low, high));
    const V inside = hn::Min(hn::Max(t, hn::Set(d, kNetMargin)), hn::Set(d, 1 - kNetMargin));
    const V unit = hn::IfThenElseZero(crossed, one);
    count = hn::Add(count, unit);
    for (int axis = 0; axis < 3; ++axis) {
      if (axis == ends.axis) {
        sum[axis] = hn::Add(sum[axis], hn::IfThenElseZero(crossed, inside));
      } else if (ends.low >> axis & 1) {
        sum[axis] = hn::Add(sum[axis], unit);
      }
    }
  }
  V grid[3], f[3];
  for (int axis = 0; axis < 3; ++axis) {
    grid[axis] = to_grid(hn::Div(sum[axis], count));
    f[axis] = hn::Mul(grid[axis], hn::Set(d, 1 / kGrid));
    hn::Store(hn::Add(hn::Load(d, b.base[axis] + lane), grid[axis]), d, b.position[axis] + lane);
  }
  const auto slope = [&](int axis, int low)
                         HWY_ATTR { return hn::Sub(c[low | 1 << axis], c[low]); };
  const Vectors gradient = {
      mix(mix(slope(0, 0), slope(0, 2), f[1]), mix(slope(0, 4), slope(0, 6), f[1]), f[2]),
      mix(mix(slope(1, 0), slope(1, 1), f[0]), mix(slope(1, 4), slope(1, 5), f[0]), f[2]),
      mix(mix(slope(2, 0), slope(2, 1), f[0]), mix(slope(2, 2), slope(2, 3), f[0]), f[1])};
  const Vectors normal = normal_from(gradient);
  hn::Store(normal.x, d, b.normal[0] + lane);
  hn::Store(normal.y, d, b.normal[1] + lane);
  hn::Store(normal.z, d, b.normal[2] + lane);
}

/// One vector of vertices of a batch: values[0], [1] are the edge's ends; [2..5] the neighbours of
/// both ends along u, the axis after the edge's (low end below, above; high end below, above),
/// [6..9] along v.
HWY_ATTR void place_on_edges(Batch& b, std::size_t lane) {
  const D d;
  const DI di;
  const auto value = [&](int i) HWY_ATTR { return hn::Load(d, b.values[i] + lane); };
  const V low = value(0), high = value(1);
  const V grid = to_grid(hn::Div(low, hn::Sub(low, high)));
  const V t = hn::Mul(grid, hn::Set(d, 1 / kGrid));
  const V half = hn::Set(d, 0.5f);
  const auto across = [&](int first) HWY_ATTR {
    const V at_low = hn::Mul(hn::Sub(value(first + 1), value(first)), half);
    const V at_high = hn::Mul(hn::Sub(value(first + 3), value(first + 2)), half);
    return mix(at_low, at_high, t);
  };
  const V along = hn::Sub(high, low), u = across(2), v = across(6);
  const auto axis = hn::Load(di, b.axis + lane);
  const auto is_x = hn::RebindMask(d, hn::Eq(axis, hn::Zero(di)));
  const auto is_y = hn::RebindMask(d, hn::Eq(axis, hn::Set(di, 1)));
  const auto pick = [&](V for_x, V for_y, V for_z) HWY_ATTR {
    return hn::IfThenElse(is_x, for_x, hn::IfThenElse(is_y, for_y, for_z));
  };
  const V zero = hn::Zero(d);
  const V moves[3] = {pick(grid, zero, zero), pick(zero, grid, zero), pick(zero, zero, grid)};
  for (int a = 0; a < 3; ++a) {
    hn::Store(hn::Add(hn::Load(d, b.base[a] + lane), moves[a]), d, b.position[a] + lane);
  }
  const Vectors normal = normal_from({pick(along, v, u), pick(u, along, v), pick(v, u, along)});
  hn::Store(normal.x, d, b.normal[0] + lane);
  hn::Store(normal.y, d, b.normal[1] + lane);
  hn::Store(normal.z, d, b.normal[2] + lane);
}

HWY_ATTR void place_net_vertices(const NetVertex* vertices, std::size_t count, const float* density,
                                 IVec3 size, Vec3f* positions, Vec3f* normals) {
  const std::ptrdiff_t up = size.x, in = static_cast<std::ptrdiff_t>(size.x) * size.y;
  Batch b{};
  for (std::size_t first = 0; first < count; first += kBatch) {
    const std::size_t n = std::min(kBatch, count - first);
    for (std::size_t i = 0; i < n; ++i) {
      const NetVertex& v = vertices[first + i];
      const float* at = density + v.x + up * v.y + in * v.z;
      for (int row = 0; row < 4; ++row) {
        const float* ends = at + (row & 1 ? up : 0) + (row & 2 ? in : 0);
        b.values[2 * row][i] = ends[0];
        b.values[2 * row + 1][i] = ends[1];
      }
      b.base[0][i] = static_cast<float>(v.x) * kGrid;
      b.base[1][i] = static_cast<float>(v.y) * kGrid;
      b.base[2][i] = static_cast<float>(v.z) * kGrid;
      b.edges[i] = static_cast<std::int32_t>(v.edges);
    }
    for (std::size_t lane = 0; lane < n; lane += hn::Lanes(D())) place_in_cells(b, lane);
    store(b.position, n, positions + first);
    store(b.normal, n, normals + first);
  }
}

HWY_ATTR void place_edge_vertices(const EdgeVertex* vertices, std::size_t count,
                                  const float* density, IVec3 size, Vec3f* positions,
                                  Vec3f* normals) {
  const std::ptrdiff_t up = size.x, in = static_cast<std::ptrdiff_t>(size.x) * size.y;
  // Steps along an edge, along u, along v, by the edge's axis.
  const std::ptrdiff_t steps[3][3] = {{1, up, in}, {up, in, 1}, {in, 1, up}};
  Batch b{};
  for (std::size_t first = 0; first < count; first += kBatch) {
    const std::size_t n = std::min(kBatch, count - first);
    for (std::size_t i = 0; i < n; ++i) {
      const EdgeVertex& v = vertices[first + i];
      const std::ptrdiff_t* step = steps[v.axis];
      const float* low = density + v.x + up * v.y + in * v.z;
      const float* high = low + step[0];
      b.values[0][i] = *low;
      b.values[1][i] = *high;
      for (int side = 0; side < 2; ++side) {
        const std::ptrdiff_t s = step[1 + side];
        b.values[2 + 4 * side][i] = low[-s];
        b.values[3 + 4 * side][i] = low[s];
        b.values[4 + 4 * side][i] = high[-s];
        b.values[5 + 4 * side][i] = high[s];
      }
      b.base[0][i] = static_cast<float>(v.x) * kGrid;
      b.base[1][i] = static_cast<float>(v.y) * kGrid;
      b.base[2][i] = static_cast<float>(v.z) * kGrid;
      b.axis[i] = v.axis;
    }
    for (std::size_t lane = 0; lane < n; lane += hn::Lanes(D())) place_on_edges(b, lane);
    store(b.position, n, positions + first);
    store(b.normal, n, normals + first);
  }
}

}  // namespace
}  // namespace talus::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace talus {

HWY_EXPORT(place_net_vertices);
HWY_EXPORT(place_edge_vertices);

void place_net_vertices(std::span<const NetVertex> vertices, const float* density, IVec3 size,
                        Vec3f* positions, Vec3f* normals) {
  HWY_DYNAMIC_DISPATCH(place_net_vertices)
  (vertices.data(), vertices.size(), density, size, positions, normals);
}

void place_edge_vertices(std::span<const EdgeVertex> vertices, const float* density, IVec3 size,
                         Vec3f* positions, Vec3f* normals) {
  HWY_DYNAMIC_DISPATCH(place_edge_vertices)
  (vertices.data(), vertices.size(), density, size, positions, normals);
}

}  // namespace talus
#endif
