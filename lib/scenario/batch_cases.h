// The cases of a batch: told apart over folders, in an order that depends on nothing but the files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "scenario/scenario.h"

namespace talus {

struct BatchCase {
  std::string id;         // "scenarios/tower.json::tower[height=4]": unique in a batch
  std::string path;       // of its file, as it was given, without "./" and the like
  std::size_t index = 0;  // among all cases of its file
  Scenario scenario;
  std::string broken;  // why the file cannot be read; then it is one case, without a scenario
};

/// The cases of the files (listed_paths, scenario_files) by path, then as the file has them; a file
/// given twice counts once. Where there are patterns, only cases that one of them names, by id or
/// as 'talus list' does (see names_case); broken files stay, for nobody knows what is in them.
/// Throws Error for a path where nothing is.
std::vector<BatchCase> batch_cases(std::span<const std::string> paths,
                                   std::span<const std::string> patterns);

/// What a case is called when its file is at `path`: of "m.json::m[a=1]" in "x/m.json" it is
/// "x/m.json::m[a=1]".
std::string case_id(const std::string& path, const std::string& name);

/// The path without "./", "a/../" and doubled slashes.
std::string plain_path(const std::string& path);

}  // namespace talus
