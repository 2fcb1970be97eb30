#include "collision/sweep_world.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <vector>

#include <glm/geometric.hpp>

#include "voxel/shape.h"

namespace talus {

namespace {

constexpr int kSegments = 16;  // facets along a quarter circle
constexpr double kStride = 1;  // metres of path looked at together, or the radius if that is more

/// Calls visit(box) for stretch after stretch of the path, until best_time() lies before the next.
template <class Visit, class BestTime>
void follow(const SphereSweep& sweep, const Visit& visit, const BestTime& best_time) {
  const double length = glm::length(sweep.end - sweep.start - sweep.bend) + glm::length(sweep.bend);
  const double stretches = std::max(1.0, std::ceil(length / std::max(kStride, sweep.radius)));
  for (double i = 0; i < stretches && best_time() >= i / stretches; ++i) {
    visit(bounds(sweep, i / stretches, (i + 1) / stretches));
  }
}

bool meet(const Box& a, const Box& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

// ---- cut blocks

struct CutFace {
  SweepPolygon polygon;  // in units of half the block's edge, about its middle
  int side = -1;         // of the cube that it lies on; -1: of a cut
};

/// A facet as triangles, without the edges that cutting it up makes.
void add_facet(const Shape& shape, const Facet& facet, std::vector<CutFace>& faces) {
  const std::size_t last = facet.corners.size() - 2;
  for (std::size_t i = 1; i <= last; ++i) {
    CutFace face;
    face.polygon.corners = {shape.vertices[facet.corners[0]], shape.vertices[facet.corners[i]],
                            shape.vertices[facet.corners[i + 1]]};
    face.polygon.edges = static_cast<std::uint8_t>((i == 1 ? 1 : 0) | 2 | (i == last ? 4 : 0));
    face.polygon.one_sided = true;
    if (facet.on == Facet::On::Side) face.side = facet.index;
    faces.push_back(face);
  }
}

/// Worked out once for each kind of cuts.
const std::vector<CutFace>& cut_faces(Cuts cuts) {
  static std::mutex mutex;
  static std::map<std::uint32_t, std::vector<CutFace>> known;
  const std::lock_guard lock(mutex);
  const auto [place, is_new] = known.try_emplace(cuts.bits);
  if (is_new) {
    const Shape shape = make_shape(cuts, kSegments);
    for (const Facet& facet : shape.facets) add_facet(shape, facet, place->second);
  }
  return place->second;
}

// ---- blocks

struct BlocksSweep {
  const Blocks& blocks;
  const SphereSweep& sweep;
  double before;
  std::optional<BlockSweepHit> best;
  BlockId last_cut = kNoBlock;

  void take(const std::optional<SweepHit>& hit, BlockId block) {
    if (!hit) return;
    best = BlockSweepHit{*hit, block};
    before = hit->time;
  }

  /// Nothing can come through what the cell shows on its side.
  bool covers(IVec3 cell, int side) const {
    const BlockId id = blocks.at(cell);
    return id != kNoBlock && side_is_whole(blocks[id].cuts, side);
  }
  bool filled(IVec3 cell) const {
    const BlockId id = blocks.at(cell);
    return id != kNoBlock && blocks[id].cuts.none();
  }

  BoxFeatures features(IVec3 cell) const {
    unsigned open = 0;
    for (int side = 0; side < kSides; ++side) {
      if (!covers(cell + side_normal(side), side ^ 1)) open |= 1u << side;
    }
    BoxFeatures features = features_of_open(open);
    for (int edge = 0; edge < kEdges; ++edge) {
      if ((features.edges >> edge & 1) && filled(cell + edge_outward(edge))) {
        features.edges = static_cast<std::uint16_t>(features.edges & ~(1u << edge));
      }
    }
    return features;
  }

  void offer_cell(IVec3 cell, const Box& stretch) {
    const BlockId id = blocks.at(cell);
    if (id == kNoBlock) return;
    if (!blocks[id].cuts.none()) {
      if (id != last_cut) offer_cut(id);
      last_cut = id;
      return;
    }
    const Box box{kCell * Vec3(cell), kCell * Vec3(cell + IVec3(1))};
    if (!meet(box, stretch)) return;
    const BoxFeatures there = features(cell);
    if (there.faces != 0) take(sweep_box(sweep, box, there, before), id);
  }

  void offer_cut(BlockId id) {
    const Block& block = blocks[id];
    const unsigned open = open_sides(blocks, block);
    for (const CutFace& face : cut_faces(block.cuts)) {
      if (face.side >= 0 && !(open >> face.side & 1)) continue;
      SweepPolygon polygon = face.polygon;
      for (Vec3& corner : polygon.corners) corner = block.middle() + block.half() * corner;
      take(sweep_polygon(sweep, polygon, before), id);
    }
  }
};

int cell_of(double coordinate) {
  constexpr double kFar = kFarthestCell - 1;
  return static_cast<int>(std::clamp(std::floor(coordinate / kCell), -kFar, kFar));
}

/// Triangles by their corners; `best` and `before` as the hits come in.
struct TrianglesSweep {
  const SphereSweep& sweep;
  double before;
  std::optional<SweepHit> best;

  void offer(const Triangle& corners) {
    SweepPolygon polygon;
    polygon.corners = {corners[0], corners[1], corners[2]};
    if (const auto hit = sweep_polygon(sweep, polygon, before)) {
      best = hit;
      before = hit->time;
    }
  }
};

}  // namespace

std::optional<BlockSweepHit> sweep_blocks(const Blocks& blocks, const SphereSweep& sweep,
                                          double before) {
  if (blocks.count() == 0) return {};
  BlocksSweep work{blocks, sweep, before, {}};
  const auto visit = [&](const Box& box) {
    const IVec3 lo(cell_of(box.lo.x), cell_of(box.lo.y), cell_of(box.lo.z));
    const IVec3 hi(cell_of(box.hi.x), cell_of(box.hi.y), cell_of(box.hi.z));
    for (int z = lo.z; z <= hi.z; ++z) {
      for (int y = lo.y; y <= hi.y; ++y) {
        for (int x = lo.x; x <= hi.x; ++x) work.offer_cell({x, y, z}, box);
      }
    }
    work.last_cut = kNoBlock;
  };
  follow(sweep, visit, [&] { return work.before; });
  return work.best;
}

std::optional<SweepHit> sweep_ground(TerrainTriangles& ground, const SphereSweep& sweep,
                                     double before) {
  TrianglesSweep work{sweep, before, {}};
  std::vector<GroundTriangle> near;
  const auto visit = [&](const Box& box) {
    near.clear();
    ground.touched(box, near);
    for (const GroundTriangle& triangle : near) work.offer(triangle.corners);
  };
  follow(sweep, visit, [&] { return work.before; });
  return work.best;
}

std::optional<SweepHit> sweep_mesh(const WideBvh& mesh, const SphereSweep& sweep, double before) {
  TrianglesSweep work{sweep, before, {}};
  if (mesh.empty()) return {};
  std::vector<std::uint32_t> near;
  const Box all = mesh.bounds();
  const auto visit = [&](const Box& box) {
    if (!meet(box, all)) return;
    near.clear();
    mesh.touched(box, near);
    for (const std::uint32_t triangle : near) work.offer(mesh.triangle(triangle));
  };
  follow(sweep, visit, [&] { return work.before; });
  return work.best;
}

SphereSweep to_local(const SweepFrame& frame, const SphereSweep& sweep) {
  const Mat3 turn = rotation_matrix(frame.orientation);
  SphereSweep local = sweep;
  local.start = frame.center + (sweep.start - frame.position) * turn;
  local.end = frame.center + (sweep.end - frame.position) * turn;
  local.bend = sweep.bend * turn;
  return local;
}

SweepHit to_world(const SweepFrame& frame, SweepHit hit) {
  const Mat3 turn = rotation_matrix(frame.orientation);
  hit.point = frame.position + turn * (hit.point - frame.center);
  hit.normal = turn * hit.normal;
  return hit;
}

}  // namespace talus
