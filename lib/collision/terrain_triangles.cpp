#include "collision/terrain_triangles.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "collision/chunk_masks.h"
#include "collision/ray_chunks.h"

namespace talus {

TerrainTriangles::TerrainTriangles(Terrain terrain, TriangleCacheSettings settings)
    : terrain_(std::move(terrain)), settings_(settings) {
  for (const Brush& brush : terrain_.edits) edits_.add(brush);
}

void TerrainTriangles::edit(const Brush& brush) {
  terrain_.edits.push_back(brush);
  edits_.add(brush);
  const Box box = reach(brush);
  // Samples that change, and those whose chunks read them over their border.
  IBox seen;
  for (int axis = 0; axis < 3; ++axis) {
    seen.lo[axis] = static_cast<int>(std::floor(box.lo[axis])) - kApron;
    seen.hi[axis] = static_cast<int>(std::ceil(box.hi[axis])) + 1 + kApron;
  }
  const IBox chunks = chunks_of(seen);
  constexpr std::int64_t kMany = 100'000;
  if (chunks.count() > kMany) return forget_all();
  for (int c = chunks.lo.z; c < chunks.hi.z; ++c) {
    for (int b = chunks.lo.y; b < chunks.hi.y; ++b) {
      for (int a = chunks.lo.x; a < chunks.hi.x; ++a) forget({a, b, c});
    }
  }
}

TriangleCacheStatistics TerrainTriangles::statistics() const {
  TriangleCacheStatistics now = statistics_;
  now.chunks = entries_.size();
  now.bytes = bytes_ + entries_.capacity() * sizeof(Entry) + table_.bytes();
  return now;
}

void TerrainTriangles::forget(IVec3 chunk) {
  const std::uint32_t place = table_.get(chunk);
  if (place == kUnknown) return;
  table_.set(chunk, kUnknown);
  if (place == kEmpty) return;
  Entry& gone = entries_[place - kFirstPlace];
  bytes_ -= gone.tree.bytes();
  if (&gone != &entries_.back()) {
    gone = std::move(entries_.back());
    table_.set(gone.chunk, place);
  }
  entries_.pop_back();
}

void TerrainTriangles::forget_all() {
  statistics_.evictions += entries_.size();
  table_ = ChunkTable();
  entries_ = std::vector<Entry>();
  bytes_ = 0;
}

/// The half that was not used for longest goes; all, where the table alone has grown too large.
void TerrainTriangles::make_room() {
  const double limit = settings_.cache_mib * 1024 * 1024;
  if (static_cast<double>(table_.bytes()) > limit / 2) {
    forget_all();
    return;
  }
  if (static_cast<double>(bytes_ + entries_.size() * sizeof(Entry)) <= limit / 2) return;
  std::vector<std::pair<std::uint64_t, IVec3>> ages;
  for (const Entry& entry : entries_) ages.emplace_back(entry.last_used, entry.chunk);
  const auto half = ages.begin() + static_cast<std::ptrdiff_t>((ages.size() + 1) / 2);
  std::nth_element(ages.begin(), half, ages.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  statistics_.evictions += static_cast<std::uint64_t>(half - ages.begin());
  std::for_each(ages.begin(), half, [this](const auto& age) { forget(age.second); });
}

/// Of many thousand edits only the few that reach the box are looked at.
void TerrainTriangles::read_samples(const IBox& box) {
  std::vector<std::uint32_t> near;
  edits_.near({Vec3(box.lo) - Vec3(1), Vec3(box.hi)}, near);
  Terrain local{terrain_.preset, {}};
  for (const std::uint32_t number : near) local.edits.push_back(terrain_.edits[number]);
  surface_samples(local, {box.lo, box.size(), 1}, samples_);
}

const LooseKd& TerrainTriangles::make(IVec3 chunk) {
  ++statistics_.misses;
  make_room();
  const IBox own{kChunkSide * chunk, kChunkSide * (chunk + IVec3(1))}, box = with_apron(own);
  read_samples(box);
  const Mesh mesh = mesh_function(settings_.mesher)(samples_, own, {.merge = false});
  if (mesh.empty()) {
    table_.set(chunk, kEmpty);
    return none_;
  }
  table_.set(chunk, static_cast<std::uint32_t>(entries_.size()) + kFirstPlace);
  entries_.push_back({LooseKd(mesh), chunk, ++clock_});
  bytes_ += entries_.back().tree.bytes();
  return entries_.back().tree;
}

const LooseKd& TerrainTriangles::use(IVec3 chunk, std::uint32_t place) {
  if (place == kUnknown) return make(chunk);
  ++statistics_.hits;
  if (place == kEmpty) return none_;
  Entry& entry = entries_[place - kFirstPlace];
  entry.last_used = ++clock_;
  return entry.tree;
}

const LooseKd& TerrainTriangles::chunk(IVec3 chunk) {
  return use(chunk, table_.get(chunk));
}

std::optional<GroundHit> TerrainTriangles::first_hit(const RayFrame& ray) {
  NearHit best;
  const double reach = std::min(ray.reach, kFarthestReach);
  best.t = static_cast<float>(reach / kVertexGrid);
  std::optional<IVec3> where;
  walk_chunks(ray, reach, [&](IVec3 at) {
    const LooseKd& tree = chunk(at);
    if (!tree.empty() && tree.trace(ray, best)) where = at;
    return where ? best.t * kVertexGrid : reach;
  });
  if (!where) return {};
  return GroundHit{chunk(*where).exact(ray, best), *where};
}

void TerrainTriangles::all_hits(const RayFrame& ray, std::vector<GroundHit>& hits) {
  std::vector<GroundHit> found;
  std::vector<TriangleHit> of_chunk;
  const double reach = std::min(ray.reach, kFarthestReach);
  walk_chunks(ray, reach, [&](IVec3 at) {
    of_chunk.clear();
    chunk(at).all_hits(ray, of_chunk);
    for (const TriangleHit& hit : of_chunk) found.push_back({hit, at});
    return reach;
  });
  const auto key = [](const GroundHit& h) {
    return std::tuple(h.hit.distance, h.chunk.z, h.chunk.y, h.chunk.x, h.hit.triangle);
  };
  std::sort(found.begin(), found.end(),
            [&](const GroundHit& a, const GroundHit& b) { return key(a) < key(b); });
  // A chunk may be visited twice.
  found.erase(std::unique(found.begin(), found.end(),
                          [&](const GroundHit& a, const GroundHit& b) { return key(a) == key(b); }),
              found.end());
  hits.insert(hits.end(), found.begin(), found.end());
}

void TerrainTriangles::touched(const Box& box, std::vector<GroundTriangle>& triangles) {
  std::vector<std::uint32_t> numbers;
  const ChunkSpan x = chunk_span(box.lo.x, box.hi.x), y = chunk_span(box.lo.y, box.hi.y),
                  z = chunk_span(box.lo.z, box.hi.z);
  for (int c = z.first; c <= z.last; ++c) {
    for (int b = y.first; b <= y.last; ++b) {
      for (int a = x.first; a <= x.last; ++a) {
        numbers.clear();
        const LooseKd& tree = chunk({a, b, c});
        tree.touched(box, numbers);
        for (const std::uint32_t n : numbers) triangles.push_back({{a, b, c}, n, tree.triangle(n)});
      }
    }
  }
}

std::optional<NearestPoint> TerrainTriangles::nearest(Vec3 point, double reach) {
  std::optional<NearestPoint> best;
  // Rings of chunks around the point's own, until a ring is farther away than the best so far.
  const IVec3 center(chunk_span(point.x, point.x).last, chunk_span(point.y, point.y).last,
                     chunk_span(point.z, point.z).last);
  for (int ring = 0; (ring - 1) * double{kChunkSide} - kChunkSpill <= reach; ++ring) {
    for (int c = -ring; c <= ring; ++c) {
      for (int b = -ring; b <= ring; ++b) {
        const bool face = std::max(std::abs(b), std::abs(c)) == ring;
        for (int a = -ring; a <= ring; a += face || ring == 0 ? 1 : 2 * ring) {
          const auto found = chunk(center + IVec3(a, b, c)).nearest(point, reach);
          if (!found || (best && found->distance >= best->distance)) continue;
          best = found;
          reach = found->distance;
        }
      }
    }
  }
  return best;
}

}  // namespace talus
