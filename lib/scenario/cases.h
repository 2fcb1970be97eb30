// Which cases there are: files and folders to scenario files, files to cases, cases by name.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"

namespace talus {

/// The files among the paths as they are, and of each folder its *.json files by name (of no folder
/// within). Throws Error for a path where nothing is.
std::vector<std::string> scenario_files(std::span<const std::string> paths);

/// Whether a case is meant by a pattern, in which * stands for any characters and ? for one; all
/// others, brackets too, for themselves. It is held against the whole name
/// ("tower.json::tower[height=4]") and against what follows "::".
bool names_case(std::string_view pattern, std::string_view name);

/// A scenario file, its text as it was read, and those of its cases that were asked for.
struct CaseFile {
  std::string path;
  std::string text;
  std::vector<Scenario> cases;
};

/// Reads a file and keeps the cases that any of the patterns names; all where there are none.
/// Throws Error with the place of whatever is wrong, in other cases too, and Interrupted once
/// `stop_asked` (where there is one) says so.
CaseFile read_cases(const std::string& path, std::span<const std::string> patterns,
                    const std::function<bool()>& stop_asked = {});

/// The case's name as the name of a file, for instance "tower-height=4"; told apart by the hash
/// where letters had to be left out. Of two cases with the same name and content it is the same.
std::string file_stem(const Scenario& scenario);

}  // namespace talus
