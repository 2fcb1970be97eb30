#include "batch_output.h"

#include <filesystem>
#include <functional>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line.h"
#include "core/error.h"
#include "io/atomic_file.h"
#include "scenario/batch_reports.h"
#include "scenario/report_text.h"

namespace talus {

namespace {

void check_folder(const std::string& path) {
  if (path.empty()) return;
  const std::string folder = folder_of(path);
  if (!std::filesystem::is_directory(folder)) {
    throw Error(fmt::format("{}: there is no folder {}; create it first", path, folder),
                Trouble::Output);
  }
}

void write_text_file(const std::string& path, const std::string& text) {
  AtomicFile file(path, FileKind::Text);
  file.write(text);
  file.commit();
}

Tally tally_of(const std::vector<BatchResult>& results) {
  Tally tally;
  for (const BatchResult& result : results) count(tally, result.result);
  return tally;
}

}  // namespace

void add_report_options(CLI::App& verb, ReportOptions& options) {
  const char* group = "Reports";
  add_text(verb, "--junit", options.junit, "FILE", "JUnit XML")->group(group);
  add_text(verb, "--html", options.html, "FILE", "One page to look at, that needs nothing else")
      ->group(group);
  verb.add_flag("--json", options.json, "The report as a JSON document on stdout")->group(group);
  verb.add_flag("--jsonl", options.jsonl, "On stdout one line of JSON a case, as it finishes")
      ->group(group);
  verb.add_flag("--tap", options.tap, "TAP (Test Anything Protocol) on stdout")->group(group);
  verb.add_flag("--exit-zero", options.exit_zero,
                "Exit with 0 whatever came of the cases, for schedulers that throw away the files "
                "of a job that fails")
      ->group(group);
}

void check_report_options(const ReportOptions& options) {
  if (options.json + options.jsonl + options.tap > 1) {
    throw Error("--json, --jsonl and --tap all write to stdout: choose one");
  }
  check_folder(options.junit);
  check_folder(options.html);
}

void tell_case(const Shell& shell, const ReportOptions& options, const BatchResult& result,
               StandardOutput& out) {
  if (options.json || options.tap) return;
  if (options.jsonl) {
    out.write(json_line(result));
    return out.flush();
  }
  if (shell.quiet && result.result.verdict == Verdict::Passed) return;
  out.write(summary_line(result.result) + "\n");
  for (const ExpectationResult& e : result.result.report.expectations) {
    if (!e.passed || shell.verbose) out.write(expectation_text(e));
  }
  out.flush();
}

void write_reports(const Shell& shell, const ReportOptions& options,
                   const std::vector<BatchResult>& results, const std::string& folder,
                   StandardOutput& out) {
  std::optional<Error> trouble;
  const auto attempt = [&](const std::function<void()>& write) {
    try {
      write();
    } catch (const Error& error) {
      if (trouble) complain(shell, trouble->what());
      trouble = error;
    }
  };
  if (!options.junit.empty()) {
    attempt([&] { write_text_file(options.junit, junit_report(results)); });
  }
  if (!options.html.empty()) {
    const auto seen =
        std::filesystem::proximate(folder.empty() ? "." : folder, folder_of(options.html));
    attempt([&] { write_text_file(options.html, html_report(results, seen.string())); });
  }
  attempt([&] {
    if (options.json) {
      out.write(report_document(case_results(results)));
    } else if (options.tap) {
      out.write(tap_report(results));
    } else if (!options.jsonl && !shell.quiet) {
      out.write(tally_text(tally_of(results)) + "\n");
    }
    out.flush();
  });
  if (trouble) throw *trouble;
}

int verdict_code(const ReportOptions& options, const std::vector<BatchResult>& results) {
  return options.exit_zero ? 0 : tally_of(results).exit_code;
}

}  // namespace talus
