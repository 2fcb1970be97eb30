#include "scenario/merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/read_file.h"
#include "scenario/json.h"
#include "scenario/report_json.h"

namespace talus {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::string> result_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code trouble;
  for (fs::directory_iterator it(folder, trouble), end; !trouble && it != end;
       it.increment(trouble)) {
    std::string name = it->path().filename().string();
    if (name.ends_with(kResultEnding)) files.push_back((fs::path(folder) / name).string());
  }
  if (trouble) throw Error(folder + ": cannot be listed: " + trouble.message());
  std::sort(files.begin(), files.end());
  return files;
}

/// All that two runs of a case must agree in.
std::string comparable(const BatchResult& result) {
  Json json = case_json(result.result);
  json.erase("took_s");
  json["key"] = result.key;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Makes `kept` a failure that says so, unless the two are equal. Whatever failed stays failed.
void compare(BatchResult& kept, const BatchResult& other) {
  if (comparable(kept) == comparable(other)) return;
  const auto said = [](const BatchResult& r) {
    return fmt::format("{} on {}", verdict_name(r.result.verdict),
                       r.host.empty() ? "a host" : r.host);
  };
  if (kept.result.verdict == Verdict::Error) {
    kept.result.error += "; another result of this case differs";
    return;
  }
  if (other.result.verdict == Verdict::Error) {
    const BatchResult first = std::exchange(kept, other);
    kept.result.error += "; another result of this case differs: " + said(first);
    return;
  }
  ExpectationResult same;
  same.kind = "repeat";
  same.place.file = kept.path;
  same.expected = "equal results from every shard";
  same.found = fmt::format("{}, {}: trajectories {:016x} and {:016x}", said(kept), said(other),
                           kept.result.trajectory_hash, other.result.trajectory_hash);
  kept.result.report.expectations.push_back(same);
  kept.result.verdict = Verdict::Failed;
  kept.result.exit_code = 1;
}

BatchResult missing_result(const ExpectedCase& expected) {
  BatchResult result;
  result.path = expected.path;
  result.result.name = expected.id;
  result.result.file = expected.path;
  result.result.hash = expected.hash;
  result.result.verdict = Verdict::Error;
  result.result.error = "no shard has a result of this case: run it again";
  result.result.exit_code = static_cast<int>(Trouble::Input);
  return result;
}

/// Every result of the folders, by id. `counts` says which do.
template <class Counts>
std::map<std::string, BatchResult> read_all(std::span<const std::string> folders,
                                            const Counts& counts) {
  std::map<std::string, BatchResult> by_id;
  for (const std::string& folder : folders) {
    for (const std::string& path : result_files(folder)) {
      BatchResult result = read_result(path);
      for (std::string& name : result.saved) name.insert(0, folder + "/");
      if (!counts(result)) continue;
      const auto found = by_id.find(result.result.name);
      if (found == by_id.end()) {
        std::string id = result.result.name;
        by_id.emplace(std::move(id), std::move(result));
      } else {
        compare(found->second, result);
      }
    }
  }
  return by_id;
}

}  // namespace

std::vector<ExpectedCase> read_expected_cases(const std::string& path) {
  std::vector<ExpectedCase> cases;
  try {
    const Json document = Json::parse(read_file(path, kLongestJson));
    for (const Json& json : document.at("cases")) {
      ExpectedCase c;
      c.path = plain_path(json.at("file").get<std::string>());
      c.id = case_id(c.path, json.at("name").get<std::string>());
      c.hash = json.at("hash").get<std::string>();
      cases.push_back(std::move(c));
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": is no list of cases: give what 'talus list --json' wrote (" +
                error.what() + ")");
  }
  return cases;
}

MergedResults merge_results(std::span<const std::string> folders,
                            std::span<const ExpectedCase> expected) {
  std::map<std::string, std::pair<std::size_t, std::string>> wanted;  // place, and hash
  for (std::size_t i = 0; i < expected.size(); ++i) wanted[expected[i].id] = {i, expected[i].hash};
  auto by_id = read_all(folders, [&](const BatchResult& result) {
    const auto found = wanted.find(result.result.name);
    return found == wanted.end() || found->second.second == result.result.hash;
  });

  MergedResults merged;
  for (const ExpectedCase& c : expected) {
    if (by_id.contains(c.id)) continue;
    merged.without.push_back(c.id);
    by_id.emplace(c.id, missing_result(c));
  }
  for (auto& [id, result] : by_id) {
    if (const auto found = wanted.find(id); found != wanted.end()) {
      result.index = found->second.first;
    } else if (!expected.empty()) {
      merged.not_expected.push_back(id);
    }
    merged.results.push_back(std::move(result));
  }
  std::stable_sort(merged.results.begin(), merged.results.end(),
                   [](const BatchResult& a, const BatchResult& b) {
                     return std::tie(a.path, a.index) < std::tie(b.path, b.index);
                   });
  return merged;
}

}  // namespace talus
