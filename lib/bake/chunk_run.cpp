#include "bake/chunk_run.h"

#include <fmt/format.h>

#include "bake/chunk_mesh.h"
#include "core/error.h"
#include "core/parallel.h"

namespace talus {

namespace {

// Positions within a chunk and the step around it, in steps / 1024, count in 16 bits.
constexpr int kMostQuantizedChunk = 62;

[[noreturn]] void fail_verification(const BakeRequest& request, const ChunkWork& work) {
  const std::string terrain =
      request.spec ? fmt::format("preset {}, seed {}, ", request.spec->preset, request.spec->seed)
                   : "";
  throw Error(fmt::format("--verify-skips: {}chunk ({}, {}, {}), {}; please report it", terrain,
                          work.coordinate.x, work.coordinate.y, work.coordinate.z, work.complaint),
              Trouble::Simulation);
}

}  // namespace

bool run_chunks(const BakeRequest& request, const ChunkGrid& grid, const Progress& progress,
                const std::function<void(ChunkWork&)>& made,
                const std::function<void(ChunkWork&)>& taken) {
  ScratchPool scratches;
  std::vector<ChunkWork> slots(pipeline_slots(request.threads));
  const auto total = static_cast<std::int64_t>(grid.count());
  const auto produce = [&](std::size_t item, std::size_t slot) {
    ChunkWork& work = slots[slot];
    work.coordinate = grid.coordinate(item);
    work.own = grid.own(work.coordinate);
    auto scratch = scratches.take();
    if (request.verify_skips) work.complaint = find_wrong_skip(request, work.own, *scratch);
    work.mesh = make_chunk_mesh(request, work.own, *scratch);
    scratches.give_back(std::move(scratch));
    if (made) made(work);
  };
  const auto consume = [&](std::size_t item, std::size_t slot) {
    ChunkWork& work = slots[slot];
    if (!work.complaint.empty()) fail_verification(request, work);
    taken(work);
    work.mesh = Mesh{};
    if (progress.report) progress.report(static_cast<std::int64_t>(item) + 1, total);
  };
  const std::size_t done = ordered_pipeline(grid.count(), request.threads, produce, consume,
                                            [&progress] { return !progress.stopped(); });
  return done == grid.count();
}

void check_quantized_chunk(const BakeRequest& request) {
  if (request.encoding == MeshEncoding::Plain || request.chunk <= kMostQuantizedChunk) return;
  throw Error(
      fmt::format("--chunk {}: quantized positions reach over at most {} cells; take a "
                  "smaller chunk",
                  request.chunk, kMostQuantizedChunk));
}

std::string generator_name() {
  return "talus " TALUS_VERSION;
}

}  // namespace talus
