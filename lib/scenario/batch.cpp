#include "scenario/batch.h"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>

#include <fmt/format.h>
#include <unistd.h>

#include "core/parallel.h"
#include "io/trajectory_writer.h"
#include "scenario/animation.h"

namespace talus {

namespace {

using Clock = std::chrono::steady_clock;

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// A case with its scenario, or why it has none.
struct ReadCase {
  Scenario scenario;
  std::string broken;
};

/// Reads cases; keeps the file of the last one parsed, for the next is most often of the same.
class CaseReader {
 public:
  ReadCase read(const BatchCase& batch_case) {
    if (!batch_case.broken.empty()) return {{}, batch_case.broken};
    try {
      source_ = batch_case.file->source();
      return {source_->read(batch_case.index), ""};
    } catch (const Error& error) {
      return {{}, error.what()};
    }
  }

 private:
  std::shared_ptr<const CaseSource> source_;
};

CaseResult failed_result(const Scenario& scenario, const std::string& error, int exit_code) {
  CaseResult result;
  result.hash = scenario.hash;
  result.parameters = scenario.parameters;
  result.seed = scenario.terrain.seed;
  result.verdict = Verdict::Error;
  result.error = error;
  result.exit_code = exit_code;
  return result;
}

/// The files that a result should have beside it.
std::vector<std::string> wanted_files(const BatchResult& result, const BatchSettings& settings) {
  std::vector<std::string> names;
  const Verdict verdict = result.result.verdict;
  if (verdict == Verdict::Error) return names;
  if (settings.save_failed_only && verdict == Verdict::Passed) return names;
  const std::string stem = result_stem(result.result.name);
  if (settings.save_trajectory) names.push_back(stem + ".trajectory.json");
  if (settings.save_animation) names.push_back(stem + ".animation.glb");
  if (settings.save_mesh) names.push_back(stem + ".mesh.glb");
  return names;
}

void save_files(const Scenario& scenario, BatchResult& result, const BatchSettings& settings) {
  const Report& report = result.result.report;
  for (const std::string& name : wanted_files(result, settings)) {
    const std::string path = settings.folder + "/" + name;
    if (name.ends_with(".trajectory.json")) {
      write_trajectory(report.trajectory, path);
    } else if (name.ends_with(".animation.glb")) {
      write_animation(scenario, report, path);
    } else {
      write_structure(scenario, report, StructureState::Final, path);
    }
    result.saved.push_back(name);
  }
}

/// Runs a batch's cases; one object for all threads.
class Batch {
 public:
  Batch(std::span<const BatchCase> cases, const BatchSettings& settings,
        const std::function<bool()>& stop_asked, const BatchListener& listener)
      : cases_(cases),
        settings_(settings),
        stop_asked_(stop_asked),
        listener_(listener),
        host_(host_name()),
        texts_(cases.size()),
        end_(cases.size()) {}

  BatchOutcome run(std::span<const std::size_t> order) {
    const auto threads = static_cast<std::size_t>(settings_.threads);
    parallel_for(threads, settings_.threads, [&](std::size_t) { work(order); });
    tell_rest();
    return std::move(outcome_);
  }

 private:
  void work(std::span<const std::size_t> order) {
    CaseReader reader;
    while (!halted_) {
      const std::size_t turn = next_++;
      if (turn >= order.size()) return;
      const std::size_t i = settings_.fail_fast ? turn : order[turn];
      if (i >= end_) return;  // only with fail_fast
      try {
        if (stop_asked_()) throw Interrupted{};
        bool resumed = false;
        CaseTexts texts = listener_.describe(result_of(cases_[i], reader.read(cases_[i]), resumed));
        finish(i, std::move(texts), resumed);
      } catch (const Interrupted&) {
        const std::lock_guard lock(mutex_);
        outcome_.interrupted = halted_ = true;
      } catch (const Error& error) {
        const std::lock_guard lock(mutex_);
        if (!outcome_.trouble) outcome_.trouble = error;
        halted_ = true;
      }
    }
  }

  void finish(std::size_t i, CaseTexts texts, bool resumed) {
    const std::lock_guard lock(mutex_);
    if (settings_.fail_fast && texts.verdict != Verdict::Passed) {
      end_ = std::min(end_.load(), i + 1);
    }
    outcome_.resumed += resumed ? 1 : 0;
    texts_[i] = std::make_unique<CaseTexts>(std::move(texts));
    while (next_told_ < end_ && texts_[next_told_]) tell_next();
  }

  /// Of what is known, if anything is, of the case that comes next.
  void tell_next() {
    const auto texts = std::move(texts_[next_told_++]);
    if (!texts) return;
    listener_.tell(*texts);
    ++outcome_.told;
  }

  /// After an early end: of results that others, without one, come before.
  void tell_rest() {
    try {
      while (next_told_ < end_) tell_next();
    } catch (const Error& error) {
      if (!outcome_.trouble) outcome_.trouble = error;
    }
  }

  BatchResult result_of(const BatchCase& batch_case, const ReadCase& read, bool& resumed) const {
    std::string key =
        read.broken.empty() ? result_key(read.scenario, settings_.repeat) : broken_key(read.broken);
    if (settings_.resume || settings_.rerun_failed) {
      if (auto earlier = earlier_result(batch_case, key)) {
        resumed = true;
        return std::move(*earlier);
      }
    }
    BatchResult result = run_one(read);
    result.key = std::move(key);
    result.path = batch_case.file->path();
    result.index = batch_case.index;
    result.host = host_;
    result.result.name = batch_case.id;
    result.result.file = result.path;
    if (result.result.hash.empty()) result.result.hash = result.key;
    if (!settings_.folder.empty()) {
      save_files(read.scenario, result, settings_);
      write_result(result, settings_.folder);
    }
    return result;
  }

  /// A result that counts as this case's. One that came of the clock, or cannot be read, does not.
  std::optional<BatchResult> earlier_result(const BatchCase& batch_case,
                                            const std::string& key) const {
    const std::string path = settings_.folder + "/" + result_stem(batch_case.id) + kResultEnding;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return std::nullopt;
    try {
      BatchResult earlier = read_result(path);
      const bool passed = earlier.result.verdict == Verdict::Passed;
      if (earlier.key != key || earlier.timed_out || earlier.result.name != batch_case.id ||
          (settings_.rerun_failed && !passed)) {
        return std::nullopt;
      }
      for (const std::string& name : wanted_files(earlier, settings_)) {
        if (!std::filesystem::exists(settings_.folder + "/" + name, ignored)) return std::nullopt;
      }
      return earlier;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  BatchResult run_one(const ReadCase& read) const {
    BatchResult result;
    const Clock::time_point start = Clock::now();
    const auto late = [&] {
      return settings_.timeout_s > 0 &&
             std::chrono::duration<double>(Clock::now() - start).count() > settings_.timeout_s;
    };
    try {
      result.result = run_repeatedly(read, [&] { return stop_asked_() || late(); });
    } catch (const Interrupted&) {
      if (stop_asked_()) throw;
      result.timed_out = true;
      result.result =
          failed_result(read.scenario,
                        fmt::format("stopped after {} s, the most that --timeout allows a case",
                                    settings_.timeout_s),
                        static_cast<int>(Trouble::Simulation));
    } catch (const std::bad_alloc&) {
      result.result = failed_result(read.scenario, "out of memory: run fewer cases at once (-j)",
                                    static_cast<int>(Trouble::Simulation));
    }
    result.result.took_s = std::chrono::duration<double>(Clock::now() - start).count();
    result.curves = curves_of(result.result.report.trajectory);
    return result;
  }

  CaseResult run_repeatedly(const ReadCase& read, const std::function<bool()>& stop_asked) const {
    if (!read.broken.empty()) {
      return failed_result(read.scenario, read.broken, static_cast<int>(Trouble::Input));
    }
    const Progress progress{{}, stop_asked};
    CaseResult first = run_case(read.scenario, progress);
    if (first.verdict == Verdict::Error || settings_.repeat < 2) return first;
    ExpectationResult same;
    for (int i = 2; i <= settings_.repeat && (i == 2 || same.passed); ++i) {
      const CaseResult other = run_case(read.scenario, progress);
      same = judge_repeat(first.report.trajectory, other.report.trajectory, i, settings_.repeat,
                          read.scenario.place);
    }
    first.report.expectations.push_back(same);
    if (!same.passed) {
      first.verdict = Verdict::Failed;
      first.exit_code = 1;
    }
    return first;
  }

  std::span<const BatchCase> cases_;
  const BatchSettings& settings_;
  const std::function<bool()>& stop_asked_;
  const BatchListener& listener_;
  const std::string host_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> halted_ = false;
  std::mutex mutex_;                               // over all below
  std::vector<std::unique_ptr<CaseTexts>> texts_;  // known, but not told
  std::atomic<std::size_t> end_;                   // no case from here on counts
  std::size_t next_told_ = 0;
  BatchOutcome outcome_;
};

}  // namespace

ExpectationResult judge_repeat(const Trajectory& first, const Trajectory& other, int other_run,
                               int runs, const Place& place) {
  ExpectationResult result;
  result.kind = "repeat";
  result.place = place;
  result.expected = fmt::format("the same bits in {} runs", runs);
  result.passed = hash(first) == hash(other);
  if (result.passed) {
    result.found = result.expected;
    return result;
  }
  result.found = fmt::format("run {} differs from run 1", other_run);
  if (const auto parting = first_parting(first, other)) {
    result.time_s = parting->t_s;
    if (parting->body < first.bodies.size()) result.body = first.bodies[parting->body].name;
    result.found += fmt::format(" from frame {} on: {}, by {}", parting->frame, parting->what,
                                parting->difference);
  }
  return result;
}

BatchOutcome run_batch(std::span<const BatchCase> cases, std::span<const std::size_t> start_order,
                       const BatchSettings& settings, const std::function<bool()>& stop_asked,
                       const BatchListener& listener) {
  return Batch(cases, settings, stop_asked, listener).run(start_order);
}

}  // namespace talus
