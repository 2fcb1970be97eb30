#include "scenario/batch_reports.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/junit.h"
#include "scenario/report_json.h"
#include "scenario/report_text.h"

namespace talus {

namespace {

std::string name_in_file(const BatchResult& result) {
  const std::string& id = result.result.name;
  const bool named = id.starts_with(result.path + "::");
  return named ? id.substr(result.path.size() + 2) : id;
}

/// All that failed, or why it could not be run.
std::string trouble_text(const CaseResult& result) {
  if (result.verdict == Verdict::Error) return result.error + "\n";
  std::string text;
  for (const ExpectationResult& e : result.report.expectations) {
    if (!e.passed) text += expectation_text(e);
  }
  return text;
}

std::string first_trouble(const CaseResult& result) {
  if (result.verdict == Verdict::Error) return result.error;
  for (const ExpectationResult& e : result.report.expectations) {
    if (e.passed) continue;
    return fmt::format("{}{}: expected {}, found {}", e.kind, e.body.empty() ? "" : " of " + e.body,
                       e.expected, e.found);
  }
  return "";
}

JunitCase junit_case(const BatchResult& result) {
  JunitCase c;
  c.classname = result.path;
  c.name = name_in_file(result);
  c.time_s = result.result.took_s.value_or(0);
  switch (result.result.verdict) {
    case Verdict::Passed:
      return c;
    case Verdict::Failed:
      c.outcome = JunitCase::Outcome::Failure;
      c.kind = "expectation";
      break;
    case Verdict::Error:
      c.outcome = JunitCase::Outcome::Error;
      c.kind = result.timed_out ? "timeout" : "error";
      break;
  }
  c.message = first_trouble(result.result);
  c.text = trouble_text(result.result);
  return c;
}

/// A description on a line of TAP: # would begin a directive.
std::string tap_name(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '#' || c == '\\') text += '\\';
    text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return text;
}

/// A block of text in YAML, each line behind `indent`.
std::string yaml_block(const std::string& text, const std::string& indent) {
  std::string block = "|\n" + indent;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool last = i + 1 == text.size();
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == '\n') {
      block += last ? "\n" : "\n" + indent;
    } else if (c >= 0x20) {
      block += text[i];
    }
  }
  return block.ends_with('\n') ? block : block + "\n";
}

}  // namespace

std::string junit_report(std::span<const BatchResult> results) {
  std::vector<JunitSuite> suites;
  for (const BatchResult& result : results) {
    if (suites.empty() || suites.back().name != result.path) {
      suites.push_back({result.path, result.host, {}});
    }
    suites.back().cases.push_back(junit_case(result));
  }
  return junit_document("talus", suites);
}

std::string tap_report(std::span<const BatchResult> results) {
  std::string text = fmt::format("TAP version 14\n1..{}\n", results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const CaseResult& result = results[i].result;
    const bool passed = result.verdict == Verdict::Passed;
    text += fmt::format("{}ok {} - {}\n", passed ? "" : "not ", i + 1, tap_name(result.name));
    if (passed) continue;
    text += fmt::format("  ---\n  severity: {}\n  message: {}  ...\n",
                        result.verdict == Verdict::Failed ? "fail" : "error",
                        yaml_block(trouble_text(result), "    "));
  }
  return text;
}

std::string json_line(const BatchResult& result) {
  return case_json(result.result)
             .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace talus
