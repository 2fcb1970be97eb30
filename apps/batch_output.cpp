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

void write_text_file(const std::string& path,
                     const std::function<void(const BatchReports::Out&)>& write) {
  AtomicFile file(path, FileKind::Text);
  write([&](std::string_view text) { file.write(text); });
  file.commit();
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

ReportKinds report_kinds(const ReportOptions& options, const std::string& folder) {
  ReportKinds kinds{.junit = !options.junit.empty(),
                    .html = !options.html.empty(),
                    .json = options.json,
                    .tap = options.tap};
  if (kinds.html) {
    kinds.saved_folder =
        std::filesystem::proximate(folder.empty() ? "." : folder, folder_of(options.html)).string();
  }
  return kinds;
}

CaseTexts describe_case(const Shell& shell, const ReportOptions& options, const ReportKinds& kinds,
                        const BatchResult& result) {
  CaseTexts texts = case_texts(result, kinds);
  if (options.json || options.tap) return texts;
  if (options.jsonl) {
    texts.told = json_line(result);
    return texts;
  }
  if (shell.quiet && result.result.verdict == Verdict::Passed) return texts;
  texts.told = summary_line(result.result) + "\n";
  for (const ExpectationResult& e : result.result.report.expectations) {
    if (!e.passed || shell.verbose) texts.told += expectation_text(e);
  }
  return texts;
}

void tell_case(const CaseTexts& texts, BatchReports& reports, StandardOutput& out) {
  reports.add(texts);
  if (texts.told.empty()) return;
  out.write(texts.told);
  out.flush();
}

void write_reports(const Shell& shell, const ReportOptions& options, const BatchReports& reports,
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
  const auto to_stdout = [&](std::string_view text) { out.write(text); };
  if (!options.junit.empty()) {
    attempt([&] {
      write_text_file(options.junit, [&](const auto& file) { reports.write_junit(file); });
    });
  }
  if (!options.html.empty()) {
    attempt([&] {
      write_text_file(options.html, [&](const auto& file) { reports.write_html(file); });
    });
  }
  attempt([&] {
    if (options.json) {
      reports.write_json(to_stdout);
    } else if (options.tap) {
      reports.write_tap(to_stdout);
    } else if (!options.jsonl && !shell.quiet) {
      out.write(tally_text(reports.tally()) + "\n");
    }
    out.flush();
  });
  if (trouble) throw *trouble;
}

int verdict_code(const ReportOptions& options, const BatchReports& reports) {
  return options.exit_zero ? 0 : reports.tally().exit_code;
}

}  // namespace talus
