#include "core/parallel.h"

#include <algorithm>
#include <cstdlib>

#include <sched.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

namespace talus {

int available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int threads = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) threads = std::max(1, CPU_COUNT(&set));
  if (const char* slurm = std::getenv("SLURM_CPUS_PER_TASK")) {
    const int granted = std::atoi(slurm);
    if (granted > 0) threads = std::min(threads, granted);
  }
  return threads;
}

namespace {

// TBB caps its workers at the machine's cores; an explicit -j may ask for more.
template <class Work>
void on_threads(int threads, const Work& work) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute(work);
}

}  // namespace

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) task(i);
    return;
  }
  on_threads(threads, [&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t i = range.begin(); i < range.end(); ++i) task(i);
        },
        tbb::simple_partitioner{});
  });
}

std::size_t pipeline_slots(int threads) {
  return threads <= 1 ? 1 : static_cast<std::size_t>(threads) * 2;
}

std::size_t ordered_pipeline(std::size_t count, int threads,
                             const std::function<void(std::size_t, std::size_t)>& produce,
                             const std::function<void(std::size_t, std::size_t)>& consume,
                             const std::function<bool()>& keep_going) {
  std::size_t consumed = 0;
  if (threads <= 1) {
    for (; consumed < count && keep_going(); ++consumed) {
      produce(consumed, 0);
      consume(consumed, 0);
    }
    return consumed;
  }
  // At most `slots` items are in flight and they leave in order, so item i can take slot i mod
  // slots: the item that had it before has left.
  const std::size_t slots = pipeline_slots(threads);
  std::size_t next = 0;
  on_threads(threads, [&] {
    tbb::parallel_pipeline(
        slots, tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order,
                                                   [&](tbb::flow_control& flow) -> std::size_t {
                                                     if (next == count || !keep_going()) {
                                                       flow.stop();
                                                       return 0;
                                                     }
                                                     return next++;
                                                   }) &
                   tbb::make_filter<std::size_t, std::size_t>(tbb::filter_mode::parallel,
                                                              [&](std::size_t item) {
                                                                produce(item, item % slots);
                                                                return item;
                                                              }) &
                   tbb::make_filter<std::size_t, void>(tbb::filter_mode::serial_in_order,
                                                       [&](std::size_t item) {
                                                         consume(item, item % slots);
                                                         ++consumed;
                                                       }));
  });
  return consumed;
}

}  // namespace talus
