// Results of several machines put together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenario/results.h"

namespace talus {

/// A case that should have a result.
struct ExpectedCase {
  std::string id, path, hash;
};

/// From what 'talus list --json' wrote, in its order. Throws Error for what is no such document.
std::vector<ExpectedCase> read_expected_cases(const std::string& path);

struct MergedResults {
  std::vector<BatchResult> results;       // in the order in which one batch has them
  std::vector<std::string> without;       // ids of expected cases that have none
  std::vector<std::string> not_expected;  // ids of results that no expected case has
};

/// All result files of the folders. Of a case with several results one is kept: where they are not
/// equal (but for times and hosts), as a case that failed for that. With `expected`, results of
/// other content (hash) than expected do not count, and a case without a result becomes an error.
/// Throws Error for a folder that cannot be read, and for a file that is no result.
MergedResults merge_results(std::span<const std::string> folders,
                            std::span<const ExpectedCase> expected);

}  // namespace talus
