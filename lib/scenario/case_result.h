// A case, run to a result that a table, a report and an exit code are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "scenario/run.h"

namespace talus {

enum class Verdict { Passed, Failed, Error };
const char* verdict_name(Verdict verdict);  // "passed", "failed", "error"

struct CaseResult {
  std::string name, hash, file;
  std::vector<Parameter> parameters;
  std::uint32_t seed = 0;
  Verdict verdict = Verdict::Passed;
  Report report;  // empty where the verdict is Error; its trajectory may be dropped once written
  std::size_t pieces = 0;
  std::uint64_t trajectory_hash = 0;
  std::string error;             // what could not be run, and why
  int exit_code = 0;             // of this case alone: 0, 1, or that of the error
  std::optional<double> took_s;  // by the clock; none: not measured
};

/// Runs the case; an Error becomes part of the result. Throws only Interrupted.
CaseResult run_case(const Scenario& scenario, const Progress& progress = {});

struct Tally {
  std::size_t passed = 0, failed = 0, errors = 0;
  int exit_code = 0;  // the greatest of all cases

  std::size_t cases() const { return passed + failed + errors; }
};
void count(Tally& tally, Verdict verdict, int exit_code);
inline void count(Tally& tally, const CaseResult& result) {
  count(tally, result.verdict, result.exit_code);
}

/// Writes DIR/STEM.report.json and, unless the case is an error, DIR/STEM.trajectory.json. Throws
/// Error (Trouble::Output).
void write_case_files(const CaseResult& result, const std::string& folder, const std::string& stem);

/// Makes the folder, and those above it, and clears it of what killed runs left half-written.
/// Throws Error (Trouble::Output).
void make_output_folder(const std::string& folder);

}  // namespace talus
