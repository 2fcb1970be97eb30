#include "bake/chunk_run.h"

#include <algorithm>

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

namespace {

/// Chunks on one another go to one thread, up to so many at a time: it works their columns out
/// once.
constexpr std::uint64_t kMostInRun = 8;

/// The chunks in order, cut into runs that do not leave their stack.
class Runs {
 public:
  explicit Runs(const ChunkGrid& grid)
      : height_(static_cast<std::uint64_t>(grid.counts().y)),
        a_stack_((height_ + kMostInRun - 1) / kMostInRun),
        count_(grid.count() / height_ * a_stack_) {}

  std::uint64_t count() const { return count_; }
  std::uint64_t first(std::uint64_t run) const {
    return run / a_stack_ * height_ + run % a_stack_ * kMostInRun;
  }
  std::uint64_t size(std::uint64_t run) const {
    return std::min(kMostInRun, height_ - run % a_stack_ * kMostInRun);
  }

 private:
  std::uint64_t height_, a_stack_, count_;
};

}  // namespace

bool run_chunks(const BakeRequest& request, const ChunkGrid& grid, const Progress& progress,
                const std::function<void(ChunkWork&)>& made,
                const std::function<void(ChunkWork&)>& taken) {
  ScratchPool scratches;
  const Runs runs(grid);
  std::vector<std::vector<ChunkWork>> slots(pipeline_slots(request.threads));
  const auto total = static_cast<std::int64_t>(grid.count());
  const auto make = [&](ChunkWork& work, ChunkScratch& scratch) {
    work.own = grid.own(work.coordinate);
    if (request.verify_skips) work.complaint = find_wrong_skip(request, work.own, scratch);
    work.mesh = make_chunk_mesh(request, work.own, scratch);
    if (made) made(work);
  };
  const auto produce = [&](std::size_t run, std::size_t slot) {
    slots[slot].resize(runs.size(run));
    auto scratch = scratches.take();
    for (std::size_t i = 0; i < slots[slot].size(); ++i) {
      ChunkWork& work = slots[slot][i];
      work.coordinate = grid.coordinate(runs.first(run) + i);
      make(work, *scratch);
    }
    scratches.give_back(std::move(scratch));
  };
  std::int64_t done = 0;
  const auto consume = [&](std::size_t, std::size_t slot) {
    for (ChunkWork& work : slots[slot]) {
      if (!work.complaint.empty()) fail_verification(request, work);
      taken(work);
      work.mesh = Mesh{};
      if (progress.report) progress.report(++done, total);
    }
  };
  return ordered_pipeline(runs.count(), request.threads, produce, consume,
                          [&progress] { return !progress.stopped(); }) == runs.count();
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
