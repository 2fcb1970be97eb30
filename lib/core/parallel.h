// Work on several threads whose result does not depend on their number.
//
// Both functions run everything on the calling thread when `threads` is 1. An exception thrown by a
// task ends the work and is thrown again from the call.
#pragma once

#include <cstddef>
#include <functional>

namespace talus {

/// The number of threads this process may use: its processor affinity, or SLURM_CPUS_PER_TASK where
/// that is smaller. At least 1.
int available_threads();

/// task(i) for every i in [0, count), in any order; a task writes only to places of its own.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

/// A stream of items through two stages:
///
///   produce(item, slot)   in parallel     ->   consume(item, slot)   one at a time, in item order
///
/// `slot` is in [0, pipeline_slots(threads)) and belongs to one item from its produce to the end of
/// its consume: buffers kept per slot are reused, so memory does not grow with `count`. Stops
/// early, after the items under way, once keep_going() is false; returns how many items were
/// consumed.
std::size_t ordered_pipeline(std::size_t count, int threads,
                             const std::function<void(std::size_t item, std::size_t slot)>& produce,
                             const std::function<void(std::size_t item, std::size_t slot)>& consume,
                             const std::function<bool()>& keep_going);
std::size_t pipeline_slots(int threads);

}  // namespace talus
