// Runs the built program as a shell would, and tells all that came of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace talus {

struct ProgramRun {
  std::string input{};                     // on stdin; then it ends
  std::string folder{};                    // where it runs; empty: here
  std::vector<std::string> environment{};  // "NAME=value", over the test's own
  std::string output_file{};               // stdout goes there instead, e.g. /dev/full
  std::size_t read_at_most = SIZE_MAX;     // bytes of stdout, then the pipe is closed
  int timeout_s = 120;                     // then it is killed
  /// Asked every few milliseconds while it runs; a signal to send it, or 0. Not asked again after
  /// one.
  std::function<int()> signal_when{};
};

struct ProgramResult {
  int exit_code = -1;  // 128 + signal where one killed it
  std::string out, err;
  bool timed_out = false;
};

/// Runs talus (TALUS_PROGRAM) with `arguments`. Neither stream is a terminal.
ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramRun& how = {});

}  // namespace talus
