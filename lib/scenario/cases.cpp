#include "scenario/cases.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "io/read_file.h"
#include "scenario/case_source.h"

namespace talus {

namespace {

namespace fs = std::filesystem;

/// Cost: the product of the lengths at most.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view short_name(std::string_view name) {
  const std::size_t at = name.find("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code trouble;
  for (fs::directory_iterator it(folder, trouble), end; !trouble && it != end;
       it.increment(trouble)) {
    std::error_code ignored;
    const bool file = it->path().extension() == ".json" && !it->is_directory(ignored);
    if (file) files.push_back(it->path().string());
  }
  if (trouble) throw Error(folder + ": cannot be listed: " + trouble.message());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<std::string> scenario_files(std::span<const std::string> paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code trouble;
    if (fs::is_directory(path, trouble)) {
      const std::vector<std::string> found = files_of(path);
      files.insert(files.end(), found.begin(), found.end());
    } else if (!fs::exists(path, trouble)) {
      throw Error(path + ": there is no such file or folder");
    } else {
      files.push_back(path);
    }
  }
  return files;
}

bool names_case(std::string_view pattern, std::string_view name) {
  return matches(pattern, name) || matches(pattern, short_name(name));
}

CaseFile read_cases(const std::string& path, std::span<const std::string> patterns,
                    const std::function<bool()>& stop_asked) {
  CaseFile file{path, read_file(path, kLongestJson), {}};
  const CaseSource source(file.text, path);
  for (std::size_t i = 0; i < source.count(); ++i) {
    if (stop_asked && stop_asked()) throw Interrupted{};
    Scenario scenario = source.read(i);
    const bool named =
        patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const auto& pattern) {
          return names_case(pattern, scenario.name);
        });
    if (named) file.cases.push_back(std::move(scenario));
  }
  return file;
}

std::string file_stem(const Scenario& scenario) {
  constexpr std::size_t kLongest = 120;  // file systems take 255, endings included
  std::string stem;
  bool exact = true;
  for (const char c : short_name(scenario.name)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '=' || c == ',' || (c == '.' && !stem.empty());
    if (c == ']') continue;
    exact = exact && (plain || c == '[');
    stem += plain ? c : c == '[' ? '-' : '_';
  }
  if (exact && stem.size() <= kLongest) return stem;
  return stem.substr(0, kLongest) + "-" + scenario.hash;
}

}  // namespace talus
