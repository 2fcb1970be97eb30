#include "bake/size_estimate.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "bake/chunk_mesh.h"
#include "core/error.h"
#include "core/parallel.h"

namespace talus {

namespace {

constexpr double kMostBytes = 4294967295.0;
constexpr double kMostBytesPerColumn = 1024;  // of lattice points: ten sheets one over the other
constexpr std::size_t kSamples = 64;

struct Bytes {
  double vertex, triangle;
};

Bytes bytes_of(const BakeRequest& request) {
  const Bytes plain = request.encoding == MeshEncoding::Plain ? Bytes{24, 12} : Bytes{12, 6};
  return {plain.vertex + (request.colors ? 4 : 0), plain.triangle};
}

// The i-th of a sequence that fills the unit square evenly however long it gets (Roberts, "The
// unreasonable effectiveness of quasirandom sequences", 2018).
IVec3 spread_column(std::size_t i, const ChunkGrid& grid) {
  const auto part = [i](double rate, int count) {
    const double t = 0.5 + rate * static_cast<double>(i);
    return static_cast<int>((t - std::floor(t)) * count);
  };
  const IVec3 n = grid.counts();
  return grid.first() + IVec3(part(0.7548776662466927, n.x), 0, part(0.5698402909980532, n.z));
}

double column_bytes(const BakeRequest& request, const ChunkGrid& grid, IVec3 column,
                    const Progress& progress) {
  const Bytes bytes = bytes_of(request);
  ChunkScratch scratch;
  double sum = 0;
  for (int j = 0; j < grid.counts().y && !progress.stopped(); ++j) {
    const IBox own = grid.own(column + IVec3(0, j, 0));
    const Mesh mesh = make_chunk_mesh(request, own, scratch);
    sum += bytes.vertex * static_cast<double>(mesh.positions.size()) +
           bytes.triangle * static_cast<double>(mesh.triangle_count());
  }
  return sum;
}

}  // namespace

void refuse_large_glb(const BakeRequest& request, const ChunkGrid& grid, const std::string& path,
                      const Progress& progress) {
  const IVec3 size = request.region.size();
  const double columns = static_cast<double>(size.x) * size.z;
  // How well packing works shows only in the packing; the writer stops at the limit.
  const bool known = path.ends_with(".glb") && request.encoding != MeshEncoding::Compressed;
  if (!known || columns * kMostBytesPerColumn < kMostBytes) return;

  std::vector<double> bytes(kSamples), area(kSamples);
  parallel_for(kSamples, request.threads, [&](std::size_t i) {
    const IVec3 column = spread_column(i, grid);
    const IVec3 own = grid.own(column).size();
    area[i] = static_cast<double>(own.x) * own.z;
    bytes[i] = column_bytes(request, grid, column, progress);
  });
  if (progress.stopped()) throw Interrupted{};
  double sampled_bytes = 0, sampled_area = 0;
  for (std::size_t i = 0; i < kSamples; ++i) {
    sampled_bytes += bytes[i];
    sampled_area += area[i];
  }
  const double expected = sampled_bytes / sampled_area * columns;
  if (expected <= kMostBytes) return;
  throw Error(
      fmt::format("{}: about {:.1f} GiB are to be expected, and a .glb holds at most 4 GiB: "
                  "cut the region into files with --tiles, or take a coarser --step",
                  path, expected / 0x1p30));
}

}  // namespace talus
