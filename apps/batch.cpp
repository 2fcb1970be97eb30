// `talus batch`: many cases, in parallel, for machines that look at reports and exit codes.
#include "scenario/batch.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "batch_output.h"
#include "case_options.h"
#include "command_line.h"
#include "core/number_text.h"
#include "core/suggest.h"
#include "scenario/shards.h"

namespace talus {

namespace {

struct BatchOptions {
  CaseOptions cases;
  ReportOptions reports;
  std::vector<std::string> filters;
  std::string shard, durations, threads, timeout, repeat, folder, save;
  std::string save_for = "all";
  bool fail_fast = false, resume = false, rerun_failed = false;
};

struct Shard {
  int shard = 1, shards = 1;
};

Shard shard_argument(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw Error("--shard: needs K/N, the K-th of N shards, for instance 1/3; got '" + text + "'");
  }
  const auto shards =
      static_cast<int>(integer_argument("--shard", text.substr(slash + 1), 1, 1'000'000));
  const auto shard =
      static_cast<int>(integer_argument("--shard", text.substr(0, slash), 1, shards));
  return {shard, shards};
}

void save_argument(const std::string& text, BatchSettings& settings) {
  bool* const kinds[] = {&settings.save_trajectory, &settings.save_animation, &settings.save_mesh};
  for (const std::size_t kind :
       choices_argument("--save", text, {"trajectory", "animation", "mesh"})) {
    *kinds[kind] = true;
  }
}

BatchSettings settings_of(const BatchOptions& options) {
  BatchSettings settings;
  settings.threads = threads_argument(options.threads);
  if (!options.timeout.empty()) {
    settings.timeout_s = number_argument("--timeout", options.timeout);
    if (settings.timeout_s <= 0) throw Error("--timeout: must be over 0 seconds");
  }
  if (!options.repeat.empty()) {
    settings.repeat = static_cast<int>(integer_argument("--repeat", options.repeat, 1, 1000));
  }
  settings.fail_fast = options.fail_fast;
  settings.folder = options.folder;
  settings.resume = options.resume;
  settings.rerun_failed = options.rerun_failed;
  save_argument(options.save, settings);
  settings.save_failed_only =
      choice_argument("--save-for", options.save_for, {"all", "failed"}) == 1;
  const bool needs_folder = settings.resume || settings.rerun_failed || !options.save.empty();
  if (needs_folder && settings.folder.empty()) {
    throw Error("--resume, --rerun-failed and --save: need --out DIR, where results are kept");
  }
  return settings;
}

std::vector<std::string> ids_of(const std::vector<BatchCase>& cases) {
  std::vector<std::string> ids;
  ids.reserve(cases.size());
  for (const BatchCase& batch_case : cases) ids.push_back(batch_case.id);
  return ids;
}

std::vector<BatchCase> chosen_cases(const BatchOptions& options, int threads,
                                    const Progress& progress) {
  std::vector<std::string> patterns = options.cases.patterns;
  patterns.insert(patterns.end(), options.filters.begin(), options.filters.end());
  return batch_cases(options.cases.paths, patterns, threads, progress.stop_asked);
}

int finish(const Shell& shell, const BatchOptions& options, const BatchOutcome& outcome,
           std::size_t cases, const BatchReports& reports, StandardOutput& out) {
  if (outcome.resumed > 0) {
    note(shell,
         fmt::format("{} of {} results are from {}", outcome.resumed, cases, options.folder));
  }
  const std::size_t left = cases - outcome.told;
  if (left > 0) note(shell, fmt::format("{} of {} cases have no result", left, cases));
  try {
    write_reports(shell, options.reports, reports, out);
  } catch (const Error& error) {
    if (!outcome.trouble) throw;
    complain(shell, error.what());
  }
  if (outcome.trouble) throw *outcome.trouble;
  if (outcome.interrupted) throw Interrupted{};
  return verdict_code(options.reports, reports);
}

int run_cases(const Shell& shell, const BatchOptions& options) {
  const BatchSettings settings = settings_of(options);
  const auto [shard, shards] = shard_argument(options.shard);
  check_report_options(options.reports);
  const Durations durations =
      options.durations.empty() ? Durations{} : read_durations(options.durations);

  const Progress progress = show_progress(shell, "cases");
  std::vector<BatchCase> cases = chosen_cases(options, settings.threads, progress);
  if (cases.empty()) return no_cases_code(shell, options.cases);
  if (shards > 1) {
    std::vector<BatchCase> mine;
    for (const std::size_t i : shard_cases(ids_of(cases), durations, shard, shards)) {
      mine.push_back(std::move(cases[i]));
    }
    cases = std::move(mine);
  }
  if (!settings.folder.empty()) make_output_folder(settings.folder);

  StandardOutput out;
  BatchReports reports(report_kinds(options.reports, options.folder));
  const BatchListener listener{
      [&](const BatchResult& result) {
        return describe_case(shell, options.reports, reports.kinds(), result);
      },
      [&](const CaseTexts& texts) {
        tell_case(texts, reports, out);
        if (progress.report) {
          progress.report(static_cast<std::int64_t>(reports.tally().cases()),
                          static_cast<std::int64_t>(cases.size()));
        }
      }};
  const BatchOutcome outcome = run_batch(cases, longest_first(ids_of(cases), durations), settings,
                                         progress.stop_asked, listener);
  return finish(shell, options, outcome, cases.size(), reports, out);
}

void add_running_options(CLI::App& verb, BatchOptions& options) {
  const char* group = "Running";
  add_text(verb, "-j,--jobs", options.threads, "N",
           "Threads, a case each; the same results from any number (default: all there are)")
      ->group(group);
  add_text(verb, "--timeout", options.timeout, "S", "Most seconds, by the clock, of a case")
      ->group(group);
  verb.add_flag("--fail-fast", options.fail_fast,
                "Start nothing after a case that did not pass, and report nothing behind it")
      ->group(group);
  add_text(verb, "--repeat", options.repeat, "N",
           "Run each case N times; their trajectories must be equal to the bit")
      ->group(group);
}

void add_batch_options(CLI::App& verb, BatchOptions& options) {
  add_case_options(verb, options.cases, "PATH ...");
  const char* group = "Cases";
  verb.add_option("--filter", options.filters, "As --case, and held against the path, too")
      ->option_text("GLOB")
      ->allow_extra_args(false)
      ->group(group);
  add_text(verb, "--shard", options.shard, "K/N", "Only the K-th of N parts of the cases, from 1")
      ->group(group);
  add_text(verb, "--durations", options.durations, "FILE",
           "A JSON report of an earlier batch: balances shards, and starts long cases first")
      ->group(group);
  add_running_options(verb, options);
  group = "Results";
  add_text(verb, "--out", options.folder, "DIR",
           "A file NAME.result.json for each case, for --resume and 'talus merge'")
      ->group(group);
  verb.add_flag("--resume", options.resume,
                "Take results from DIR where nothing that they depend on has changed; earlier "
                "failures count")
      ->group(group);
  verb.add_flag("--rerun-failed", options.rerun_failed,
                "As --resume, but run what did not pass again")
      ->group(group);
  add_text(verb, "--save", options.save, "KINDS",
           "Files beside each result: trajectory, animation, mesh, with commas between")
      ->group(group);
  add_text(verb, "--save-for", options.save_for, "WHICH", "all (the default) or failed cases")
      ->group(group);
  add_report_options(verb, options.reports);
}

}  // namespace

void add_batch(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<BatchOptions>();
  CLI::App* verb =
      add_verb(program, "batch", "Many scenarios in parallel, with reports for CI",
               "  talus batch scenarios --junit report.xml --out results\n"
               "  talus batch 'scenarios/**/*.json' --filter '*height=4*' --timeout 60\n"
               "  talus batch @list.txt --shard 1/3 --out shard1 --resume");
  add_batch_options(*verb, *options);
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->cases.paths.empty()) {
        complain(shell, "which scenarios?\n\n" + verb->help());
        return 2;
      }
      return run_cases(shell, *options);
    };
  });
}

}  // namespace talus
