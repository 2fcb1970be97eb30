// `talus run`: the cases of a scenario file, one after the other.
#include <cstdio>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "case_options.h"
#include "command_line.h"
#include "core/error.h"
#include "io/atomic_file.h"
#include "io/read_file.h"
#include "run_outputs.h"
#include "scenario/json.h"
#include "scenario/report_text.h"
#include "scenario/update.h"
#include "streams.h"

namespace talus {

namespace {

struct RunOptions {
  CaseOptions cases;
  RunOutputs outputs;
  bool json = false, update_expected = false;
  std::string threads;
};

// What one case says: a line, and what failed; with -v all expectations.
std::string case_text(const Shell& shell, const CaseResult& result) {
  if (shell.quiet && result.verdict == Verdict::Passed) return "";
  std::string text = summary_line(result) + "\n";
  for (const ExpectationResult& e : result.report.expectations) {
    if (!e.passed || shell.verbose) text += expectation_text(e);
  }
  return text;
}

// Runs what is chosen of one file, adding to the results as each case ends.
void run_file(const Shell& shell, const RunOptions& options, const CaseFile& file,
              std::vector<CaseResult>& results, StandardOutput& out) {
  const int threads = options.threads.empty() ? 1 : threads_argument(options.threads);
  for (Scenario scenario : file.cases) {
    scenario.settings.modern.threads = threads;
    CaseResult result = run_case(scenario, show_progress(shell, "steps of " + scenario.name));
    if (result.verdict == Verdict::Error) complain(shell, result.error);
    if (prints_trajectory(options.outputs)) {
      std::fputs(case_text(shell, result).c_str(), stderr);
    } else if (!options.json) {
      out.write(case_text(shell, result));
      out.flush();
    }
    write_outputs(shell, options.outputs, scenario, result, out);
    result.report.trajectory = {};
    results.push_back(std::move(result));
  }
}

// Rewrites the file where expectations failed. Never gives 0: somebody has to look at it.
int update_file(const Shell& shell, const CaseFile& file, std::span<const CaseResult> results) {
  const UpdatedText updated = update_expected(file.text, file.path, results);
  for (const std::string& message : updated.stuck) complain(shell, message);
  if (updated.changed > 0) {
    if (read_file(file.path, kLongestJson) != file.text) {
      throw Error(file.path + ": was changed while it ran: nothing was rewritten", Trouble::Output);
    }
    AtomicFile out(file.path, FileKind::Text);
    out.write(updated.text);
    out.commit();
  }
  note(shell, fmt::format("{}: {} expectation{} rewritten to what was found{}", file.path,
                          updated.changed, updated.changed == 1 ? "" : "s",
                          updated.changed > 0 ? ": look at the difference" : ""));
  return 1;
}

int run_cases(const Shell& shell, const RunOptions& options) {
  const std::vector<CaseFile> files = chosen_cases(shell, options.cases);
  const std::size_t cases = count_cases(files);
  if (cases == 0) return no_cases_code(shell, options.cases);
  if (options.json && prints_trajectory(options.outputs)) {
    throw Error("--json: standard output already takes the trajectory; give --trajectory a file");
  }
  check_outputs(options.outputs, cases);

  std::vector<CaseResult> results;
  StandardOutput out;
  Tally tally;
  const auto finish = [&] {
    for (const CaseResult& result : results) count(tally, result);
    if (options.json) {
      out.write(report_document(results));
    } else if (!shell.quiet && cases > 1) {
      out.write(tally_text(tally) + "\n");
    }
    out.flush();
  };
  try {
    for (const CaseFile& file : files) {
      const std::size_t first = results.size();
      run_file(shell, options, file, results, out);
      if (options.update_expected) {
        tally.exit_code =
            std::max(tally.exit_code, update_file(shell, file, std::span(results).subspan(first)));
      }
    }
  } catch (const Interrupted&) {
    finish();
    throw;
  }
  finish();
  return tally.exit_code;
}

}  // namespace

void add_run(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* verb = add_verb(program, "run", "A scenario: what falls, and whether as expected",
                            "  talus run tower.json\n"
                            "  talus run tower.json --trajectory tower.csv --animation tower.glb\n"
                            "  talus run tower.json --case 'tower[height=*]' --out results --json");
  add_case_options(*verb, options->cases, "FILE ...");
  add_output_options(*verb, options->outputs);
  add_text(*verb, "-j,--jobs", options->threads, "N",
           "Threads that share the steps of a large world; the same results from any number "
           "(default: 1)")
      ->group("Running");
  verb->add_flag("--json", options->json, "The report as a JSON document on stdout")
      ->group("Output");
  verb->add_flag("--update-expected", options->update_expected,
                 "Rewrite failed expectations in the file to what was found; never exits with 0")
      ->group("Output");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->cases.paths.empty()) {
        complain(shell, "which scenario?\n\n" + verb->help());
        return 2;
      }
      return run_cases(shell, *options);
    };
  });
}

}  // namespace talus
