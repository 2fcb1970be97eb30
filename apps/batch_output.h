// What batch and merge have in common: what they say and write of results, and the exit code.
#pragma once

#include <string>

#include "scenario/batch_reports.h"
#include "shell.h"
#include "streams.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace talus {

// As typed.
struct ReportOptions {
  std::string junit, html;
  bool json = false, jsonl = false, tap = false;
  bool exit_zero = false;
};

void add_report_options(CLI::App& verb, ReportOptions& options);

/// Throws Error for what can be known to fail before anything has run.
void check_report_options(const ReportOptions& options);

/// Which reports the options ask for. Saved files are in `folder`.
ReportKinds report_kinds(const ReportOptions& options, const std::string& folder);

/// What all reports say of the case. In `told`: what is said as soon as it is known, its line or
/// its JSON; nothing where a document comes at the end. From any thread.
CaseTexts describe_case(const Shell& shell, const ReportOptions& options, const ReportKinds& kinds,
                        const BatchResult& result);

/// Says what is told of the case, and adds it to the reports.
void tell_case(const CaseTexts& texts, BatchReports& reports, StandardOutput& out);

/// Documents on stdout and in files. All are tried; the first that cannot be written throws Error
/// (Trouble::Output).
void write_reports(const Shell& shell, const ReportOptions& options, const BatchReports& reports,
                   StandardOutput& out);

/// The greatest of all cases; 0 with --exit-zero.
int verdict_code(const ReportOptions& options, const BatchReports& reports);

}  // namespace talus
