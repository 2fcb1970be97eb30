// Which cases one of several machines runs.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace talus {

/// Seconds by case id.
using Durations = std::map<std::string, double>;

/// From a report of a batch (its cases' "took_s"), or an object of seconds by case. Throws Error
/// for what is neither.
Durations read_durations(const std::string& path);

/// What each case will take: as known, else the mean of those known, else 1.
std::vector<double> expected_durations(std::span<const std::string> ids, const Durations& known);

/// The places of the shard's cases (shard from 1 to `shards`), rising. Every case is in one shard.
/// Without durations every shards-th case; else the longest first, each to the shard with least to
/// do (Graham, 1969: at most 4/3 of the best), so depends on nothing but ids and durations.
std::vector<std::size_t> shard_cases(std::span<const std::string> ids, const Durations& known,
                                     int shard, int shards);

/// The places of all, the longest first; as they are where nothing is known.
std::vector<std::size_t> longest_first(std::span<const std::string> ids, const Durations& known);

}  // namespace talus
