// `talus run`: the cases of a scenario file, one after the other.
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "case_options.h"
#include "command_line.h"
#include "core/error.h"
#include "io/atomic_file.h"
#include "io/read_file.h"
#include "io/trajectory_writer.h"
#include "scenario/json.h"
#include "scenario/report_text.h"
#include "scenario/update.h"
#include "streams.h"

namespace talus {

namespace {

struct RunOptions {
  CaseOptions cases;
  std::string trajectory, folder;
  bool json = false, update_expected = false;
};

// What can be known to fail before anything has run.
void check_outputs(const RunOptions& options, std::size_t cases) {
  if (!options.trajectory.empty()) {
    check_trajectory_path(options.trajectory);
    if (cases > 1) {
      throw Error(
          fmt::format("--trajectory: takes one case, and {} are chosen: choose one with "
                      "--case, or give --out DIR",
                      cases));
    }
    const std::string folder = folder_of(options.trajectory);
    if (!std::filesystem::is_directory(folder)) {
      throw Error(
          fmt::format("{}: there is no folder {}; create it first", options.trajectory, folder),
          Trouble::Output);
    }
  }
  if (!options.folder.empty()) make_output_folder(options.folder);
}

// What one case says on stdout: a line, and what failed; with -v all expectations.
std::string case_text(const Shell& shell, const CaseResult& result) {
  if (shell.quiet && result.verdict == Verdict::Passed) return "";
  std::string text = summary_line(result) + "\n";
  for (const ExpectationResult& e : result.report.expectations) {
    if (!e.passed || shell.verbose) text += expectation_text(e);
  }
  return text;
}

void write_outputs(const Shell& shell, const RunOptions& options, const Scenario& scenario,
                   const CaseResult& result) {
  if (!options.folder.empty()) {
    write_case_files(result, options.folder, file_stem(scenario));
    detail(shell, fmt::format("{}/{}.*", options.folder, file_stem(scenario)));
  }
  if (!options.trajectory.empty() && result.verdict != Verdict::Error) {
    write_trajectory(result.report.trajectory, options.trajectory);
    detail(shell, options.trajectory);
  }
}

// Runs what is chosen of one file, adding to the results as each case ends.
void run_file(const Shell& shell, const RunOptions& options, const CaseFile& file,
              std::vector<CaseResult>& results, StandardOutput& out) {
  for (const Scenario& scenario : file.cases) {
    CaseResult result = run_case(scenario, show_progress(shell, "steps of " + scenario.name));
    if (result.verdict == Verdict::Error) complain(shell, result.error);
    if (!options.json) {
      out.write(case_text(shell, result));
      out.flush();
    }
    write_outputs(shell, options, scenario, result);
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
  check_outputs(options, cases);

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
                            "  talus run tower.json --trajectory tower.csv\n"
                            "  talus run tower.json --case 'tower[height=*]' --out results --json");
  add_case_options(*verb, options->cases, "FILE ...");
  const char* group = "Output";
  add_text(*verb, "--trajectory", options->trajectory, "FILE",
           "The one case's trajectory: .json (all of it), .jsonl or .csv (a row a body and frame)")
      ->group(group);
  add_text(*verb, "--out", options->folder, "DIR",
           "For each case NAME.report.json and NAME.trajectory.json")
      ->group(group);
  verb->add_flag("--json", options->json, "The report as a JSON document on stdout")->group(group);
  verb->add_flag("--update-expected", options->update_expected,
                 "Rewrite failed expectations in the file to what was found; never exits with 0")
      ->group(group);
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
