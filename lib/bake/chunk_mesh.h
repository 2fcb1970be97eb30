// One chunk of a bake: terrain -> samples -> mesh, with cut faces, colours and flat normals as
// asked for.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bake/bake.h"

namespace talus {

/// What the making of one chunk needs, kept for the next one.
struct ChunkScratch {
  Samples samples;
  std::vector<double> exact;    // densities of the samples, where all are needed
  std::vector<double> heights;  // of the ground over the columns, NaN where not asked for yet
};

/// Hands out one scratch a thread at work, so memory goes with threads and not with chunks.
class ScratchPool {
 public:
  std::unique_ptr<ChunkScratch> take();
  void give_back(std::unique_ptr<ChunkScratch> scratch);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ChunkScratch>> idle_;
};

/// The mesh of the chunk that owns `own`; its origin is the position of own.lo. The same for equal
/// requests, whatever was made before with the scratch.
Mesh make_chunk_mesh(const BakeRequest& request, const IBox& own, ChunkScratch& scratch);

/// Where the samples of the chunk, with skipping, differ from sampling everything: which sample,
/// and how. Empty when nowhere.
std::string find_wrong_skip(const BakeRequest& request, const IBox& own, ChunkScratch& scratch);

}  // namespace talus
