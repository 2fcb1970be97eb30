#include "scenario/report_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenario/report_json.h"

namespace talus {

namespace {

using Json = nlohmann::ordered_json;

std::string plural(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string summary_line(const CaseResult& result) {
  constexpr const char* kWords[] = {"passed", "FAILED", "ERROR "};
  const std::string head =
      fmt::format("{}  {}  ", kWords[static_cast<std::size_t>(result.verdict)], result.name);
  if (result.verdict == Verdict::Error) return head + result.error;
  const Report& report = result.report;
  return head + plural(result.pieces, "piece") + ", " +
         (report.rest_s ? fmt::format("at rest at {:.3f} s", *report.rest_s)
                        : fmt::format("still moving at {:.3f} s", report.time_s)) +
         ", " + plural(static_cast<std::size_t>(report.steps), "step");
}

std::string expectation_text(const ExpectationResult& e) {
  const Place& place = e.place;
  std::string text =
      fmt::format("  {}:{}:{}: {}{}, at {:.3f} s\n", place.file, place.line, place.column, e.kind,
                  e.body.empty() ? "" : " of " + e.body, e.time_s);
  text += fmt::format("    expected  {}\n    found     {}\n", e.expected, e.found);
  if (!e.why.empty()) text += fmt::format("    why       {}\n", e.why);
  return text;
}

std::string tally_text(const Tally& tally) {
  std::string text = fmt::format("{} passed", tally.passed);
  if (tally.failed > 0) text += fmt::format(", {} failed", tally.failed);
  if (tally.errors > 0) text += ", " + plural(tally.errors, "error");
  return text;
}

std::string report_head(const Tally& tally) {
  const Json head = {
      {"format", "talus report"}, {"version", 1},           {"generator", "talus " TALUS_VERSION},
      {"passed", tally.passed},   {"failed", tally.failed}, {"errors", tally.errors},
      {"cases", Json::array()}};
  const std::string text = head.dump(1);
  return text.substr(0, text.rfind(']')) + (tally.cases() == 0 ? "" : "\n  ");
}

std::string report_case(const CaseResult& result) {
  std::string text;
  for (const char c : case_json(result).dump(1, ' ', false, Json::error_handler_t::replace)) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

std::string report_tail(const Tally& tally) {
  return tally.cases() == 0 ? "]\n}\n" : "\n ]\n}\n";
}

std::string report_document(std::span<const CaseResult> results) {
  Tally tally;
  for (const CaseResult& result : results) count(tally, result);
  std::string text = report_head(tally);
  for (const CaseResult& result : results) {
    text += (&result == results.data() ? "" : kBetweenReportCases) + report_case(result);
  }
  return text + report_tail(tally);
}

std::string report_schema() {
  return R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "talus report",
  "description": "what came of the cases of a run",
  "type": "object",
  "properties": {
    "format": {"const": "talus report"},
    "version": {"const": 1},
    "generator": {"type": "string"},
    "passed": {"$ref": "#/$defs/count"},
    "failed": {"$ref": "#/$defs/count"},
    "errors": {"$ref": "#/$defs/count", "description": "cases that could not be run"},
    "cases": {"type": "array", "items": {"$ref": "#/$defs/case"}}
  },
  "required": ["format", "version", "generator", "passed", "failed", "errors", "cases"],
  "$defs": {
    "count": {"type": "integer", "minimum": 0},
    "hash": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    "expectation": {
      "type": "object",
      "properties": {
        "that": {"type": "string"},
        "passed": {"type": "boolean"},
        "expected": {"type": "string"},
        "found": {"type": "string"},
        "body": {"type": "string", "description": "empty where it is about none"},
        "time_s": {"type": "number", "description": "when it was looked at"},
        "why": {"type": "string"},
        "file": {"type": "string"},
        "path": {"type": "string", "description": "of the expectation in the file (RFC 6901)"},
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1}
      },
      "required": ["that", "passed", "expected", "found", "body", "time_s", "why", "file", "path",
                   "line", "column"]
    },
    "case": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "file": {"type": "string"},
        "hash": {"$ref": "#/$defs/hash", "description": "of the scenario's content"},
        "parameters": {
          "type": "object",
          "additionalProperties": {"type": ["number", "string", "boolean"]}
        },
        "seed": {"type": "string", "pattern": "^[0-9]+$"},
        "verdict": {"enum": ["passed", "failed", "error"]},
        "took_s": {"type": "number", "description": "by the clock, of a batch"},
        "error": {"type": "string"},
        "pieces": {"$ref": "#/$defs/count"},
        "at_rest": {"type": "boolean"},
        "rest_s": {"type": ["number", "null"], "description": "since when nothing moved"},
        "time_s": {"type": "number"},
        "steps": {"$ref": "#/$defs/count"},
        "blocks": {
          "type": "object",
          "properties": {
            "built": {"$ref": "#/$defs/count"},
            "standing": {"$ref": "#/$defs/count"},
            "in_pieces": {"$ref": "#/$defs/count"},
            "removed": {"$ref": "#/$defs/count"},
            "lost": {"$ref": "#/$defs/count"}
          },
          "required": ["built", "standing", "in_pieces", "removed", "lost"]
        },
        "trajectory_hash": {"$ref": "#/$defs/hash"},
        "expectations": {"type": "array", "items": {"$ref": "#/$defs/expectation"}}
      },
      "required": ["name", "file", "hash", "parameters", "seed", "verdict"]
    }
  }
}
)json";
}

}  // namespace talus
