#include "case_options.h"

#include <CLI/CLI.hpp>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "scenario/path_lists.h"

namespace talus {

namespace {

const std::vector<std::string> kNoCases = {"fail", "warn", "pass"};

}  // namespace

void add_case_options(CLI::App& verb, CaseOptions& options, const std::string& shown) {
  const char* group = "Cases";
  verb.add_option("path", options.paths,
                  "Scenario files, folders of them (*.json), quoted patterns (*, ?, **), "
                  "@FILE of paths, - for paths on stdin")
      ->option_text(shown);
  verb.add_option("--case", options.patterns,
                  "Only cases of this name; * and ? stand for other characters; repeatable")
      ->option_text("NAME")
      ->allow_extra_args(false)
      ->group(group);
  add_text(verb, "--no-cases", options.no_cases, "WHAT",
           "Where there is no case: fail (exit 3, the default), warn or pass")
      ->group(group);
}

std::vector<CaseFile> chosen_cases(const Shell& shell, const CaseOptions& options) {
  choice_argument("--no-cases", options.no_cases, kNoCases);
  const auto stop_asked = [] { return stop_signal() != 0; };
  std::vector<CaseFile> files;
  std::string last_error;
  for (const std::string& path : scenario_files(listed_paths(options.paths, stop_asked))) {
    try {
      files.push_back(read_cases(path, options.patterns, stop_asked));
    } catch (const Error& error) {
      if (!last_error.empty()) complain(shell, last_error);
      last_error = error.what();
    }
  }
  if (!last_error.empty()) throw Error(last_error);
  return files;
}

std::size_t count_cases(const std::vector<CaseFile>& files) {
  std::size_t count = 0;
  for (const CaseFile& file : files) count += file.cases.size();
  return count;
}

int no_cases_code(const Shell& shell, const CaseOptions& options) {
  const char* message = options.patterns.empty()
                            ? "no case: no scenario file there"
                            : "no case: none has a name that --case asks for; see 'talus list'";
  if (options.no_cases == "fail") {
    complain(shell, message);
    return static_cast<int>(Trouble::NoCases);
  }
  if (options.no_cases == "warn") note(shell, message);
  return 0;
}

}  // namespace talus
