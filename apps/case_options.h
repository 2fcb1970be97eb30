// Options that choose cases, shared by the verbs that look at scenarios.
#pragma once

#include <string>
#include <vector>

#include "scenario/cases.h"
#include "shell.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace talus {

// As typed.
struct CaseOptions {
  std::vector<std::string> paths;
  std::vector<std::string> patterns;
  std::string no_cases = "fail";
};

/// Adds the paths (called `shown` in help), --case and --no-cases.
void add_case_options(CLI::App& verb, CaseOptions& options, const std::string& shown);

/// The files with the cases that are asked for. Where files are broken, complains about each and
/// throws the last one's Error.
std::vector<CaseFile> chosen_cases(const Shell& shell, const CaseOptions& options);

/// How many cases there are in all.
std::size_t count_cases(const std::vector<CaseFile>& files);

/// What --no-cases says to there being none: an exit code, and a message.
int no_cases_code(const Shell& shell, const CaseOptions& options);

}  // namespace talus
