// What came of a batch, in the formats of CI systems and test harnesses.
#pragma once

#include <span>
#include <string>

#include "scenario/results.h"

namespace talus {

/// JUnit XML: a suite a file, a case a case. A failure is an expectation, an error a case that
/// could not be run.
std::string junit_report(std::span<const BatchResult> results);

/// TAP 14 (Test Anything Protocol).
std::string tap_report(std::span<const BatchResult> results);

/// One line of JSON, its end included: what the JSON report says of the case.
std::string json_line(const BatchResult& result);

/// One HTML page that needs nothing else: a table of cases to filter and to sort, what was expected
/// and found, height and energy over time, links to saved files (seen from `folder`, where they
/// are). Works without scripts, but for filter and sort.
std::string html_report(std::span<const BatchResult> results, const std::string& folder);

}  // namespace talus
