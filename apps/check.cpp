// `talus check`: scenario files, read and planned but not run.
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "case_options.h"
#include "command_line.h"
#include "core/error.h"
#include "scenario/path_lists.h"
#include "streams.h"

namespace talus {

namespace {

struct Checked {
  std::size_t files = 0, cases = 0, broken = 0;
};

bool stop_asked() {
  return stop_signal() != 0;
}

// Reads a file and plans its cases, saying each error once.
void check_file(const Shell& shell, const std::string& path, Checked& checked) {
  std::set<std::string> said;
  const auto complain_once = [&](const Error& error) {
    if (said.insert(error.what()).second) complain(shell, error.what());
  };
  try {
    const CaseFile file = read_cases(path, {}, stop_asked);
    for (const Scenario& scenario : file.cases) {
      throw_if_stopped();
      ++checked.cases;
      for (const Error& error : plan_errors(scenario)) complain_once(error);
    }
  } catch (const Error& error) {
    complain_once(error);
  }
  ++checked.files;
  checked.broken += said.empty() ? 0 : 1;
}

int run_check(const Shell& shell, const CaseOptions& options) {
  const std::vector<std::string> files = scenario_files(listed_paths(options.paths, stop_asked));
  if (files.empty()) return no_cases_code(shell, options);
  Checked checked;
  for (const std::string& path : files) check_file(shell, path, checked);
  if (!shell.quiet) {
    StandardOutput out;
    out.write(fmt::format(
        "{} files, {} cases: {}\n", checked.files, checked.cases,
        checked.broken == 0 ? "all good" : fmt::format("{} files broken", checked.broken)));
    out.flush();
  }
  return checked.broken == 0 ? 0 : static_cast<int>(Trouble::Input);
}

}  // namespace

void add_check(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<CaseOptions>();
  CLI::App* verb = add_verb(program, "check", "Scenario files, without running them",
                            "  talus check tower.json\n"
                            "  talus check scenarios");
  verb->add_option("path", options->paths, "Scenario files, and folders of them (*.json)")
      ->option_text("PATH ...");
  verb->footer(
      "All files are looked at. Of one that cannot be read the first mistake is told; of one that "
      "can, everything that keeps its cases from being built.");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->paths.empty()) {
        complain(shell, "which scenario?\n\n" + verb->help());
        return 2;
      }
      return run_check(shell, *options);
    };
  });
}

}  // namespace talus
