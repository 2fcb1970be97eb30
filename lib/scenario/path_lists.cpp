#include "scenario/path_lists.h"

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "io/read_file.h"
#include "scenario/cases.h"

namespace talus {

namespace {

namespace fs = std::filesystem;

using StopAsked = std::function<bool()>;

constexpr std::uint64_t kLongestList = std::uint64_t{16} << 20;

bool has_wildcard(const std::string& text) {
  return text.find_first_of("*?") != std::string::npos;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code trouble;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, trouble), end;
       !trouble && it != end; it.increment(trouble)) {
    entries.push_back(folder / it->path().filename());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

bool is_hidden(const fs::path& entry) {
  return entry.filename().native().starts_with('.');
}

/// Adds what the rest of the pattern finds below `base`.
void find_paths(const fs::path& base, std::span<const fs::path> rest, const StopAsked& stop_asked,
                std::vector<std::string>& found) {
  if (stop_asked && stop_asked()) throw Interrupted{};
  std::error_code ignored;
  if (rest.empty()) {
    if (fs::exists(base, ignored)) found.push_back(base.string());
    return;
  }
  const std::string part = rest.front().string();
  if (!has_wildcard(part)) return find_paths(base / part, rest.subspan(1), stop_asked, found);
  const bool any_depth = part == "**";
  if (any_depth) find_paths(base, rest.subspan(1), stop_asked, found);
  for (const fs::path& entry : entries_of(base)) {
    if (is_hidden(entry) && !part.starts_with('.')) continue;
    if (any_depth) {
      if (fs::is_directory(fs::symlink_status(entry, ignored)))
        find_paths(entry, rest, stop_asked, found);
    } else if (names_case(part, entry.filename().string())) {
      find_paths(entry, rest.subspan(1), stop_asked, found);
    }
  }
}

void add_lines(const std::string& text, std::vector<std::string>& paths) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) paths.push_back(std::move(line));
    begin = end + 1;
  }
}

}  // namespace

std::vector<std::string> listed_paths(std::span<const std::string> words,
                                      const StopAsked& stop_asked) {
  std::vector<std::string> paths;
  for (const std::string& word : words) {
    std::error_code ignored;
    if (word == "-") {
      add_lines(read_file("/dev/stdin", kLongestList, stop_asked), paths);
    } else if (word.starts_with('@')) {
      add_lines(read_file(word.substr(1), kLongestList, stop_asked), paths);
    } else if (has_wildcard(word) && !fs::exists(word, ignored)) {
      const fs::path pattern(word);
      const std::vector<fs::path> parts(pattern.begin(), pattern.end());
      std::vector<std::string> found;
      find_paths({}, parts, stop_asked, found);
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      paths.insert(paths.end(), found.begin(), found.end());
    } else {
      paths.push_back(word);
    }
  }
  return paths;
}

}  // namespace talus
