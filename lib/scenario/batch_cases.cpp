#include "scenario/batch_cases.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "core/error.h"
#include "core/parallel.h"
#include "io/read_file.h"
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
std::vector<std::string> distinct_files(std::span<const std::string> paths,
                                        const std::function<bool()>& stop_asked) {
  const std::vector<std::string> words = listed_paths(paths, stop_asked);
  std::map<fs::path, std::string> by_place;
  for (const std::string& file : scenario_files(words)) {
    std::error_code ignored;
    by_place.try_emplace(fs::weakly_canonical(file, ignored), plain_path(file));
  }
  std::vector<std::string> files;
  files.reserve(by_place.size());
  for (const auto& [place, file] : by_place) files.push_back(file);
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<BatchCase> cases_of(const std::string& path, std::span<const std::string> patterns,
                                const std::function<bool()>& stop_asked) {
  std::vector<BatchCase> cases;
  auto file = std::make_shared<BatchFile>(path, "");
  try {
    file = std::make_shared<BatchFile>(path, read_file(path, kLongestJson, stop_asked));
    const std::shared_ptr<const CaseSource> source = file->source();
    source->read(0);
    for (std::size_t i = 0; i < source->count(); ++i) {
      const std::string name = source->name(i);
      std::string id = case_id(path, name);
      if (is_named(id, name, patterns)) cases.push_back({std::move(id), file, i, ""});
    }
  } catch (const Error& error) {
    cases = {{path, file, 0, error.what()}};
  }
  return cases;
}

}  // namespace

std::string plain_path(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

std::string case_id(const std::string& path, const std::string& name) {
  const std::size_t at = name.find("::");
  return at == std::string::npos ? path : path + name.substr(at);
}

std::shared_ptr<const CaseSource> BatchFile::source() const {
  const std::lock_guard lock(mutex_);
  if (auto source = source_.lock()) return source;
  auto source = std::make_shared<const CaseSource>(text_, path_);
  source_ = source;
  return source;
}

std::vector<BatchCase> batch_cases(std::span<const std::string> paths,
                                   std::span<const std::string> patterns, int threads,
                                   const std::function<bool()>& stop_asked) {
  const std::vector<std::string> files = distinct_files(paths, stop_asked);
  std::vector<std::vector<BatchCase>> by_file(files.size());
  parallel_for(files.size(), threads, [&](std::size_t i) {
    if (stop_asked()) throw Interrupted{};
    by_file[i] = cases_of(files[i], patterns, stop_asked);
  });
  std::vector<BatchCase> cases;
  for (auto& of_file : by_file) {
    cases.insert(cases.end(), std::make_move_iterator(of_file.begin()),
                 std::make_move_iterator(of_file.end()));
  }
  return cases;
}

}  // namespace talus
