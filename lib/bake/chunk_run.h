// The chunks of a bake, made in parallel and taken in order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bake/bake.h"
#include "bake/chunks.h"
#include "bake/seams.h"

namespace talus {

/// One chunk on its way.
struct ChunkWork {
  IVec3 coordinate{0};
  IBox own;
  Mesh mesh;
  std::vector<SeamVertex> seam;  // for the stages' own use
  std::string complaint;         // what was found wrong while making it
};

/// Makes the mesh of every chunk, calls made(work) for it on the same thread, then taken(work) one
/// at a time and in order; reports progress. With request.verify_skips throws Error
/// (Trouble::Simulation) for the first chunk whose skipped samples are not what they should be.
/// Returns whether all chunks were taken: false when it was told to stop. made may be empty.
bool run_chunks(const BakeRequest& request, const ChunkGrid& grid, const Progress& progress,
                const std::function<void(ChunkWork&)>& made,
                const std::function<void(ChunkWork&)>& taken);

/// Throws Error where the encoding is not plain and 16 bits do not reach over a chunk.
void check_quantized_chunk(const BakeRequest& request);

/// "talus 0.1.0", as files name their maker.
std::string generator_name();

}  // namespace talus
