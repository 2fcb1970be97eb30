// `talus merge`: one verdict from the results of several shards.
#include "scenario/merge.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "batch_output.h"
#include "command_line.h"
#include "core/error.h"

namespace talus {

namespace {

struct MergeOptions {
  std::vector<std::string> folders;
  std::string expect;
  ReportOptions reports;
};

int run_merge(const Shell& shell, const MergeOptions& options) {
  check_report_options(options.reports);
  std::vector<ExpectedCase> expected;
  if (!options.expect.empty()) expected = read_expected_cases(options.expect);
  const MergedResults merged = merge_results(options.folders, expected);
  for (const std::string& id : merged.without) complain(shell, id + ": has no result");
  for (const std::string& id : merged.not_expected) {
    note(shell, fmt::format("{}: is not in {}, but counts", id, options.expect));
  }
  StandardOutput out;
  if (merged.results.empty()) {
    complain(shell, "no result: no file *.result.json there");
    return static_cast<int>(Trouble::NoCases);
  }
  BatchReports reports(report_kinds(options.reports, "."));
  for (const BatchResult& result : merged.results) {
    tell_case(describe_case(shell, options.reports, reports.kinds(), result), reports, out);
  }
  write_reports(shell, options.reports, reports, out);
  return verdict_code(options.reports, reports);
}

}  // namespace

void add_merge(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* verb = add_verb(program, "merge", "One verdict from the results of several shards",
                            "  talus merge shard1 shard2 shard3 --junit report.xml\n"
                            "  talus list scenarios --json > cases.json\n"
                            "  talus merge results --expect cases.json --json");
  verb->add_option("folder", options->folders, "Folders that 'talus batch --out' wrote")
      ->option_text("DIR ...");
  add_text(*verb, "--expect", options->expect, "FILE",
           "The cases there should be, from 'talus list --json'; one without a result is an error")
      ->group("Cases");
  add_report_options(*verb, options->reports);
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->folders.empty()) {
        complain(shell, "which folders?\n\n" + verb->help());
        return 2;
      }
      return run_merge(shell, *options);
    };
  });
}

}  // namespace talus
