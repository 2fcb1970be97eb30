// One file of a whole region.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bake/bake.h"
#include "bake/chunk_run.h"
#include "bake/size_estimate.h"
#include "core/error.h"

namespace talus {

namespace {

// Positions are multiples of step / 1024 from the region's centre. A float counts 2^24 of them
// either way, so half a region may have 2^23 steps' worth with room to spare; a step of an odd
// number of 64ths uses up its factor.
constexpr std::int64_t kMostExactSamples = 16384;

std::int64_t odd_part(std::int64_t n) {
  while (n % 2 == 0) n /= 2;
  return n;
}

void check_exact_positions(const BakeRequest& request) {
  const IVec3 size = request.region.size();
  const std::int64_t longest = std::max({size.x, size.y, size.z});
  const std::int64_t factor = odd_part(std::llround(request.step * 64));
  if (factor * longest <= kMostExactSamples) return;
  throw Error(
      fmt::format("one mesh with a step of {} m spans at most {} samples an axis, or its "
                  "positions would be rounded; the region has {}: cut it with --tiles, or "
                  "take a coarser --step",
                  request.step, kMostExactSamples / factor, longest));
}

Vec3 center_of(const IBox& region, double step) {
  return step * Vec3(region.lo + region.size() / 2);
}

// Exact: all three are multiples of the mesh's grid.
void move_origin(Mesh& mesh, Vec3 origin) {
  const Vec3 shift = mesh.origin - origin;
  for (Vec3f& p : mesh.positions) p = Vec3f(Vec3(p) + shift);
  mesh.origin = origin;
}

void count(const ChunkWork& work, BakeResult& result) {
  result.triangles += work.mesh.triangle_count();
  result.surface_chunks += work.mesh.empty() ? 0 : 1;
}

bool write_welded(const BakeRequest& request, const ChunkGrid& grid, MeshWriter& file,
                  const Progress& progress, BakeResult& result) {
  const Vec3 origin = center_of(request.region, request.step);
  file.begin_node("terrain", origin);
  SeamWelder welder;
  const auto made = [&](ChunkWork& work) {
    work.seam.clear();
    // With a normal a face no vertex is shared.
    if (!request.flat) work.seam = find_seam_vertices(work.mesh, work.own, request.step);
    move_origin(work.mesh, origin);
  };
  const bool all = run_chunks(request, grid, progress, made, [&](ChunkWork& work) {
    count(work, result);
    welder.weld(work.coordinate, work.seam, work.mesh);
    if (!work.mesh.empty()) file.add(work.mesh);
  });
  result.vertices = welder.vertices();
  return all;
}

bool write_nodes(const BakeRequest& request, const ChunkGrid& grid, MeshWriter& file,
                 const Progress& progress, BakeResult& result) {
  return run_chunks(request, grid, progress, {}, [&](ChunkWork& work) {
    count(work, result);
    result.vertices += work.mesh.positions.size();
    if (work.mesh.empty()) return;
    file.begin_node(chunk_name("chunk", work.coordinate), work.mesh.origin);
    file.add(work.mesh);
  });
}

}  // namespace

BakeResult bake_merged(const BakeRequest& request, const std::string& path,
                       const Progress& progress) {
  const ChunkGrid grid(request.region, request.chunk);
  const bool plain = request.encoding == MeshEncoding::Plain;
  if (plain) check_exact_positions(request);
  check_quantized_chunk(request);
  const auto file =
      create_mesh_file(path, {request.encoding, request.step / kGridPerStep, generator_name()});
  refuse_large_glb(request, grid, path, progress);

  BakeResult result;
  result.chunks = grid.count();
  const bool all = plain ? write_welded(request, grid, *file, progress, result)
                         : write_nodes(request, grid, *file, progress, result);
  if (!all) throw Interrupted{};
  file->finish();
  return result;
}

}  // namespace talus
