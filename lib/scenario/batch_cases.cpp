#include "scenario/batch_cases.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/error.h"
#include "scenario/cases.h"
#include "scenario/path_lists.h"

namespace talus {

namespace {

namespace fs = std::filesystem;

bool is_named(const std::string& id, const std::string& name,
              std::span<const std::string> patterns) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return names_case(pattern, id) || names_case(pattern, name);
         });
}

/// By path, each file once however it was spelled.
std::vector<std::string> distinct_files(std::span<const std::string> paths) {
  const std::vector<std::string> words = listed_paths(paths);
  std::map<fs::path, std::string> by_place;
  for (const std::string& file : scenario_files(words)) {
    std::error_code ignored;
    by_place.try_emplace(fs::weakly_canonical(file, ignored), plain_path(file));
  }
  std::vector<std::string> files;
  for (const auto& [place, file] : by_place) files.push_back(file);
  std::sort(files.begin(), files.end());
  return files;
}

void add_cases(const std::string& path, std::span<const std::string> patterns,
               std::vector<BatchCase>& cases) {
  CaseFile file;
  try {
    file = read_cases(path, {});
  } catch (const Error& error) {
    cases.push_back({path, path, 0, {}, error.what()});
    return;
  }
  for (std::size_t i = 0; i < file.cases.size(); ++i) {
    std::string id = case_id(path, file.cases[i].name);
    if (!is_named(id, file.cases[i].name, patterns)) continue;
    cases.push_back({std::move(id), path, i, std::move(file.cases[i]), ""});
  }
}

}  // namespace

std::string plain_path(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

std::string case_id(const std::string& path, const std::string& name) {
  const std::size_t at = name.find("::");
  return at == std::string::npos ? path : path + name.substr(at);
}

std::vector<BatchCase> batch_cases(std::span<const std::string> paths,
                                   std::span<const std::string> patterns) {
  std::vector<BatchCase> cases;
  for (const std::string& path : distinct_files(paths)) add_cases(path, patterns, cases);
  return cases;
}

}  // namespace talus
