// The cases of a batch: told apart over folders, in an order that depends on nothing but the files.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "scenario/case_source.h"
#include "scenario/scenario.h"

namespace talus {

/// A scenario file of a batch. It is kept as text, and parsed while its cases are being run.
class BatchFile {
 public:
  BatchFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {}

  const std::string& path() const { return path_; }
  /// The one that somebody still has, else a new one. From any thread. Throws as CaseSource does.
  std::shared_ptr<const CaseSource> source() const;

 private:
  std::string path_;  // as it was given, without "./" and the like
  std::string text_;
  mutable std::mutex mutex_;
  mutable std::weak_ptr<const CaseSource> source_;
};

struct BatchCase {
  std::string id;  // "scenarios/tower.json::tower[height=4]": unique in a batch
  std::shared_ptr<const BatchFile> file;
  std::size_t index = 0;  // among all cases of its file
  std::string broken;     // why the file cannot be read; then it is one case, without a scenario
};

/// The cases of the files (listed_paths, scenario_files) by path, then as the file has them; a file
/// given twice counts once. Where there are patterns, only cases that one of them names, by id or
/// as 'talus list' does (see names_case). A file whose first case cannot be read is broken; broken
/// files stay, for nobody knows what is in them. Files are read on several threads. Throws Error
/// for a path where nothing is, and Interrupted soon after `stop_asked` says so.
std::vector<BatchCase> batch_cases(std::span<const std::string> paths,
                                   std::span<const std::string> patterns, int threads,
                                   const std::function<bool()>& stop_asked);

/// What a case is called when its file is at `path`: of "m.json::m[a=1]" in "x/m.json" it is
/// "x/m.json::m[a=1]".
std::string case_id(const std::string& path, const std::string& name);

/// The path without "./", "a/../" and doubled slashes.
std::string plain_path(const std::string& path);

}  // namespace talus
