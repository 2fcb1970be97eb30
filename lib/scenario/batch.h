// Many cases on several threads, each as `run` would run it alone.
//
//   cases -> run, one thread a case -> result files -> results in the order of the cases
//
// What is finished is on disk before the next case starts on that thread, so a batch that was
// stopped, even by KILL, goes on where it was.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "scenario/batch_reports.h"

namespace talus {

struct BatchSettings {
  int threads = 1;
  double timeout_s = 0;       // of a case, by the clock; 0: none
  bool fail_fast = false;     // nothing after the first case, in their order, that did not pass
  int repeat = 1;             // runs of each case, whose trajectories must be equal to the bit
  std::string folder;         // of result files; empty: none are written
  bool resume = false;        // takes results of the same key from the folder instead of running
  bool rerun_failed = false;  // as resume, but runs again what did not pass
  bool save_trajectory = false, save_animation = false, save_mesh = false;
  bool save_failed_only = false;
};

struct BatchOutcome {
  std::size_t told = 0;          // cases that have a result
  std::size_t resumed = 0;       // of them, taken from the folder
  bool interrupted = false;      // stop_asked() was true
  std::optional<Error> trouble;  // with output; it ended the batch
};

/// Who is told of results: `describe` on any thread, then `tell` from one thread at a time, in the
/// order of the cases, as soon as those before it are known.
struct BatchListener {
  std::function<CaseTexts(const BatchResult&)> describe;
  std::function<void(const CaseTexts&)> tell;
};

/// Runs the cases, started in `start_order` (places in `cases`; with fail_fast in their own order).
/// `stop_asked` is asked from every thread and ends running cases within a step. Results do not
/// depend on the threads, but for timeouts and times; with fail_fast, results after the first
/// failure are left out. Throws what the listener throws, unless it is an Error. Memory: a scenario
/// and a trajectory a thread, and the texts of results that cases before them have yet to reach.
BatchOutcome run_batch(std::span<const BatchCase> cases, std::span<const std::size_t> start_order,
                       const BatchSettings& settings, const std::function<bool()>& stop_asked,
                       const BatchListener& listener);

/// "the same bits in 3 runs": whether run number `other_run` (from 2) gave the same trajectory.
ExpectationResult judge_repeat(const Trajectory& first, const Trajectory& other, int other_run,
                               int runs, const Place& place);

}  // namespace talus
