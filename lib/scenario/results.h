// One file a case: what came of it, kept so that a batch can go on where it was stopped and shards
// can be put together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scenario/batch_cases.h"
#include "scenario/case_result.h"

namespace talus {

/// What a plot shows: some frames of a run, the first and the last among them.
struct Curves {
  std::vector<double> t_s;
  std::vector<double> height_m;  // of the highest body's centre
  std::vector<double> energy_j;  // kinetic and, where gravity is known, potential, of all bodies
};

/// At most `most` frames, evenly. Columns are as long as t_s; a frame without bodies is left out.
Curves curves_of(const Trajectory& trajectory, std::size_t most = 120);

struct BatchResult {
  std::string key;        // of all that the result depends on
  std::string path;       // of the case's file
  std::size_t index = 0;  // of the case in its file
  CaseResult result;      // its name is the case's id
  bool timed_out = false;
  std::string host;
  std::vector<std::string> saved;  // names of files beside the result
  Curves curves;
};

/// A hash of content, parameters, settings, version of talus, and how often the case is run.
std::string result_key(const Scenario& scenario, int repeat);
/// Of a case that cannot be read, and why.
std::string broken_key(const std::string& why);

/// The name that a case's files begin with, the same in every batch: "tower-height=4-" and a hash
/// of the id.
std::string result_stem(const std::string& id);
inline constexpr const char* kResultEnding = ".result.json";

/// Writes FOLDER/STEM.result.json whole or not at all. Throws Error (Trouble::Output).
void write_result(const BatchResult& result, const std::string& folder);

/// Throws Error for a file that is no result, or of another version.
BatchResult read_result(const std::string& path);

}  // namespace talus
