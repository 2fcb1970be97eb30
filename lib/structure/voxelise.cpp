#include "structure/voxelise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/error.h"

namespace talus {

namespace {

using Point = glm::i64vec3;  // steps of a cell / kSteps from the least corner of the box
using Wide = __int128;

constexpr std::int64_t kSteps = 4096;
// Differences of coordinates take 27 bits, products of two of them 54: all fits 64 bits.
static_assert(kLongestVoxels * kSteps <= std::int64_t{1} << 26);

struct Triangle {
  std::array<Point, 3> corners;
};

Box bounds_of(std::span<const Mesh> meshes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Box box{Vec3(kInfinity), Vec3(-kInfinity)};
  for (const Mesh& mesh : meshes) {
    for (const std::uint32_t index : mesh.indices) {
      const Vec3 p = mesh.origin + Vec3(mesh.positions[index]);
      if (!std::isfinite(p.x + p.y + p.z)) {
        throw Error("the mesh has a vertex whose numbers are not finite");
      }
      box = {glm::min(box.lo, p), glm::max(box.hi, p)};
    }
  }
  return box;
}

/// The cells that the mesh's box touches.
IBox cells_around(std::span<const Mesh> meshes, double cell_m) {
  const Box box = bounds_of(meshes);
  if (box.lo.x > box.hi.x) throw Error("the mesh has no triangles");
  const Vec3 lo = glm::floor(box.lo / cell_m), hi = glm::floor(box.hi / cell_m) + Vec3(1);
  constexpr double kFar = kFarthestCell - kMaxBlockSize;
  for (int i = 0; i < 3; ++i) {
    if (lo[i] >= -kFar && hi[i] <= kFar) continue;
    throw Error(
        fmt::format("the mesh lies farther than {} cells from the origin: move it there, "
                    "or take a larger cell",
                    kFar));
  }
  const Vec3 size = hi - lo;
  if (std::max({size.x, size.y, size.z}) > double{kLongestVoxels} ||
      size.x * size.y * size.z > double{kMostVoxels}) {
    throw Error(
        fmt::format("the mesh is {} x {} x {} cells: at most {} along an axis and {} in "
                    "all; take a larger cell than {}",
                    size.x, size.y, size.z, kLongestVoxels, kMostVoxels, cell_m));
  }
  return {IVec3(lo), IVec3(hi)};
}

std::vector<Triangle> triangles_of(std::span<const Mesh> meshes, double cell_m, IVec3 origin) {
  std::vector<Triangle> triangles;
  for (const Mesh& mesh : meshes) {
    const auto point = [&](std::uint32_t index) {
      const Vec3 p = (mesh.origin + Vec3(mesh.positions[index])) / cell_m - Vec3(origin);
      return Point(glm::round(p * double{kSteps}));
    };
    for (std::size_t i = 0; i < mesh.indices.size(); i += 3) {
      triangles.push_back(
          {{point(mesh.indices[i]), point(mesh.indices[i + 1]), point(mesh.indices[i + 2])}});
    }
  }
  return triangles;
}

bool before(const Point& a, const Point& b) {
  return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
}

/// Edges along which triangles run more often one way than the other.
std::uint64_t open_edges(std::span<const Triangle> triangles) {
  struct Edge {
    Point from, to;
    int way;
  };
  std::vector<Edge> edges;
  for (const Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Point &a = t.corners[i], &b = t.corners[(i + 1) % 3];
      if (a != b) edges.push_back(before(a, b) ? Edge{a, b, 1} : Edge{b, a, -1});
    }
  }
  const auto key = [](const Edge& e) {
    return std::tie(e.from.x, e.from.y, e.from.z, e.to.x, e.to.y, e.to.z);
  };
  std::sort(edges.begin(), edges.end(),
            [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
  std::uint64_t open = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::int64_t sum = 0;
    std::size_t end = i;
    for (; end < edges.size() && key(edges[end]) == key(edges[i]); ++end) sum += edges[end].way;
    open += sum != 0;
    i = end;
  }
  return open;
}

/// Cells whose middle, along one axis, lies within lo .. hi: [first, last).
struct Middles {
  std::int64_t first, last;
};
Middles middles_between(std::int64_t lo, std::int64_t hi) {
  // lo <= i * kSteps + kSteps / 2 <= hi; coordinates may be a step outside of the box.
  const auto first = [](std::int64_t at) {
    return at <= kSteps / 2 ? 0 : (at - kSteps / 2 + kSteps - 1) / kSteps;
  };
  return {first(lo), first(hi + 1)};
}

Middles rows_of(const Triangle& t, int axis) {
  const auto [lo, hi] = std::minmax({t.corners[0][axis], t.corners[1][axis], t.corners[2][axis]});
  return middles_between(lo, hi);
}

/// Twice the area of a, b and the point (y, z), in the y-z plane; positive counter-clockwise.
std::int64_t area(const Point& a, const Point& b, std::int64_t y, std::int64_t z) {
  return (b.y - a.y) * (z - a.z) - (b.z - a.z) * (y - a.y);
}

/// Whether the edge is met on the way from (y, z) towards greater z. The same answer for both
/// directions of the edge; an edge through the point itself is not met.
bool edge_is_met(const Point& a, const Point& b, std::int64_t y, std::int64_t z) {
  if ((a.y > y) == (b.y > y)) return false;
  const Point& low = a.y < b.y ? a : b;
  const Point& high = a.y < b.y ? b : a;
  return area(low, high, y, z) < 0;
}

/// Sums of crossings in the slice of cells at k: what stands at i counts for all cells from i on.
class Slice {
 public:
  Slice(IVec3 size)
      : size_(size),
        steps_((static_cast<std::size_t>(size.x) + 1) * static_cast<std::size_t>(size.y)) {}

  void clear() { std::fill(steps_.begin(), steps_.end(), 0); }

  void cross(const Triangle& t, std::int64_t k) {
    const auto& [a, b, c] = t.corners;
    const std::int64_t z = k * kSteps + kSteps / 2;
    const Middles rows = rows_of(t, 1);
    for (std::int64_t j = rows.first; j < std::min<std::int64_t>(rows.last, size_.y); ++j) {
      const std::int64_t y = j * kSteps + kSteps / 2;
      const bool met = edge_is_met(a, b, y, z) ^ edge_is_met(b, c, y, z) ^ edge_is_met(c, a, y, z);
      if (met) add(t, j, y, z);
    }
  }

  void fill(SolidBits& solid, int k) const {
    for (int j = 0; j < size_.y; ++j) {
      const std::int32_t* step = steps_.data() + row(j);
      std::int32_t winding = 0;
      for (int i = 0; i < size_.x; ++i) {
        winding += step[i];
        if (winding == 0) continue;
        solid.words[solid.row(j, k) + static_cast<std::size_t>(i / 64)] |= std::uint64_t{1}
                                                                           << (i % 64);
      }
    }
  }

 private:
  std::size_t row(std::int64_t j) const {
    return static_cast<std::size_t>(j) * (static_cast<std::size_t>(size_.x) + 1);
  }

  /// The ray meets the triangle at x = (sum of corner x times the area across) / whole area.
  void add(const Triangle& t, std::int64_t j, std::int64_t y, std::int64_t z) {
    const auto& [a, b, c] = t.corners;
    const std::int64_t wa = area(b, c, y, z), wb = area(c, a, y, z), wc = area(a, b, y, z);
    std::int64_t whole = wa + wb + wc;
    if (whole == 0) return;
    Wide sum = Wide{wa} * a.x + Wide{wb} * b.x + Wide{wc} * c.x;
    const int way = whole > 0 ? -1 : 1;  // the outside is at greater x: the ray leaves
    if (whole < 0) {
      whole = -whole;
      sum = -sum;
    }
    // The first cell with its middle at the crossing or beyond.
    const Wide beyond = 2 * sum - Wide{whole} * kSteps, cell = Wide{2} * whole * kSteps;
    const Wide first = beyond <= 0 ? 0 : (beyond + cell - 1) / cell;
    steps_[row(j) + static_cast<std::size_t>(std::min<Wide>(first, size_.x))] += way;
  }

  IVec3 size_;
  std::vector<std::int32_t> steps_;
};

void check_work(std::span<const Triangle> triangles) {
  std::int64_t tests = 0;
  for (const Triangle& t : triangles) {
    const Middles y = rows_of(t, 1), z = rows_of(t, 2);
    tests += (y.last - y.first) * (z.last - z.first);
    if (tests > kMostVoxelTests) {
      throw Error(
          fmt::format("too many large triangles for cells so small: over {} tests of a ray "
                      "and a triangle; take a larger cell",
                      kMostVoxelTests));
    }
  }
}

}  // namespace

SolidCells voxelise(std::span<const Mesh> meshes, double cell_m) {
  if (!(cell_m > 0) || !std::isfinite(cell_m)) throw Error("a cell must be larger than 0");
  const IBox box = cells_around(meshes, cell_m);
  std::vector<Triangle> triangles = triangles_of(meshes, cell_m, box.lo);
  if (const std::uint64_t open = open_edges(triangles); open > 0) {
    throw Error(
        fmt::format("the mesh is not closed: {} open edge{}; fill the holes, weld the "
                    "vertices and make all faces look outward",
                    open, open == 1 ? "" : "s"));
  }
  check_work(triangles);
  std::sort(triangles.begin(), triangles.end(), [](const Triangle& a, const Triangle& b) {
    return rows_of(a, 2).first < rows_of(b, 2).first;
  });
  SolidCells cells{box.lo, SolidBits(box.size())};
  Slice slice(box.size());
  std::vector<const Triangle*> active;
  auto next = triangles.begin();
  for (int k = 0; k < cells.solid.size.z; ++k) {
    for (; next != triangles.end() && rows_of(*next, 2).first <= k; ++next) {
      active.push_back(&*next);
    }
    std::erase_if(active, [k](const Triangle* t) { return rows_of(*t, 2).last <= k; });
    slice.clear();
    for (const Triangle* t : active) slice.cross(*t, k);
    slice.fill(cells.solid, k);
  }
  return cells;
}

}  // namespace talus
