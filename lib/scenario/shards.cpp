#include "scenario/shards.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/read_file.h"
#include "scenario/json.h"

namespace talus {

namespace {

using Json = nlohmann::json;

void add_duration(Durations& durations, const std::string& id, const Json& value) {
  if (value.is_number() && value.get<double>() >= 0) durations[id] = value.get<double>();
}

}  // namespace

Durations read_durations(const std::string& path) {
  const Json document = Json::parse(read_file(path, kLongestJson), nullptr, false);
  if (!document.is_object()) {
    throw Error(path + ": is no JSON object: give the report that 'talus batch --json' wrote");
  }
  Durations durations;
  if (const auto cases = document.find("cases"); cases != document.end() && cases->is_array()) {
    for (const Json& json : *cases) {
      if (!json.is_object() || !json.contains("name") || !json["name"].is_string()) continue;
      if (json.contains("took_s")) add_duration(durations, json["name"], json["took_s"]);
    }
  } else {
    for (const auto& [id, value] : document.items()) add_duration(durations, id, value);
  }
  return durations;
}

std::vector<double> expected_durations(std::span<const std::string> ids, const Durations& known) {
  double sum = 0;
  std::size_t count = 0;
  std::vector<double> result(ids.size(), -1);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto found = known.find(ids[i]);
    if (found == known.end()) continue;
    result[i] = found->second;
    sum += found->second;
    ++count;
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 1;
  for (double& value : result) value = value < 0 ? mean : value;
  return result;
}

std::vector<std::size_t> longest_first(std::span<const std::string> ids, const Durations& known) {
  const std::vector<double> durations = expected_durations(ids, known);
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return durations[a] > durations[b]; });
  return order;
}

std::vector<std::size_t> shard_cases(std::span<const std::string> ids, const Durations& known,
                                     int shard, int shards) {
  const std::vector<double> durations = expected_durations(ids, known);
  std::vector<std::size_t> mine;
  std::vector<double> load(static_cast<std::size_t>(shards));
  const auto wanted = static_cast<std::size_t>(shard - 1);
  for (const std::size_t i : longest_first(ids, known)) {
    const auto least = static_cast<std::size_t>(
        std::distance(load.begin(), std::min_element(load.begin(), load.end())));
    load[least] += std::max(durations[i], 1e-6);  // so that cases of no time spread, too
    if (least == wanted) mine.push_back(i);
  }
  std::sort(mine.begin(), mine.end());
  return mine;
}

}  // namespace talus
