// A case's result as JSON, out and in. Slow to compile: for the .cpp files that write documents.
#pragma once

#include <nlohmann/json.hpp>

#include "scenario/case_result.h"

namespace talus {

/// What a report says of a case; its schema is in report_schema().
nlohmann::ordered_json case_json(const CaseResult& result);

/// The same back: all of it but the exit code's exact value, which is 0, 1 or that of an input
/// error. Throws nlohmann::json::exception for what is no case.
CaseResult read_case_json(const nlohmann::ordered_json& json);

}  // namespace talus
