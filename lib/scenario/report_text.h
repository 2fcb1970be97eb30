// Results of cases, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "scenario/case_result.h"

namespace talus {

/// One line without its end: "passed  tower.json::tower  3 pieces, at rest at 4.2 s, 504 steps".
std::string summary_line(const CaseResult& result);

/// Several lines: where it stands, what was expected, what was found, why.
std::string expectation_text(const ExpectationResult& result);

/// "12 passed, 1 failed".
std::string tally_text(const Tally& tally);

/// One JSON document of all cases in their order; its schema is report_schema(). Nothing in it
/// depends on the clock or the machine.
std::string report_document(std::span<const CaseResult> results);
/// The same in parts: the head, the cases with kBetweenReportCases between them, the tail.
std::string report_head(const Tally& tally);
std::string report_case(const CaseResult& result);
inline constexpr const char* kBetweenReportCases = ",\n  ";
std::string report_tail(const Tally& tally);

/// JSON Schema, draft 2020-12.
std::string report_schema();

}  // namespace talus
