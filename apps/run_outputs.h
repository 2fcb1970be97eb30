// The files that `talus run` leaves of its cases.
#pragma once

#include <string>

#include "scenario/case_result.h"
#include "shell.h"
#include "streams.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}  // namespace CLI

namespace talus {

/// As typed; empty where not given.
struct RunOutputs {
  std::string trajectory, format, mesh, animation;  // of the one case
  std::string folder, extras;                       // of every case
};

void add_output_options(CLI::App& verb, RunOutputs& outputs);

/// Whether the trajectory goes to standard output.
bool prints_trajectory(const RunOutputs& outputs);

/// Throws Error for all that can be known to fail before `cases` cases run. Makes the folder.
void check_outputs(const RunOutputs& outputs, std::size_t cases);

/// Writes what was asked for of a case; of one that could not be run, only its report.
void write_outputs(const Shell& shell, const RunOutputs& outputs, const Scenario& scenario,
                   const CaseResult& result, StandardOutput& out);

}  // namespace talus
