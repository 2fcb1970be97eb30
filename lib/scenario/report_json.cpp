#include "scenario/report_json.h"

#include <charconv>

#include <fmt/format.h>

#include "core/error.h"

namespace talus {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ExpectationResult& e) {
  Json json = {{"that", e.kind},       {"passed", e.passed},      {"expected", e.expected},
               {"found", e.found},     {"body", e.body},          {"time_s", e.time_s},
               {"why", e.why},         {"file", e.place.file},    {"path", e.place.path},
               {"line", e.place.line}, {"column", e.place.column}};
  return json;
}

ExpectationResult read_expectation(const Json& json) {
  ExpectationResult e;
  json.at("that").get_to(e.kind);
  json.at("passed").get_to(e.passed);
  json.at("expected").get_to(e.expected);
  json.at("found").get_to(e.found);
  json.at("body").get_to(e.body);
  json.at("time_s").get_to(e.time_s);
  json.at("why").get_to(e.why);
  json.at("file").get_to(e.place.file);
  json.at("path").get_to(e.place.path);
  json.at("line").get_to(e.place.line);
  json.at("column").get_to(e.place.column);
  return e;
}

void add_report(Json& json, const CaseResult& result) {
  const Report& report = result.report;
  const BlockCounts& blocks = report.counts;
  json["pieces"] = result.pieces;
  json["at_rest"] = report.at_rest;
  json["rest_s"] = report.rest_s ? Json(*report.rest_s) : Json();
  json["time_s"] = report.time_s;
  json["steps"] = report.steps;
  json["blocks"] = {{"built", blocks.built},
                    {"standing", blocks.standing},
                    {"in_pieces", blocks.in_pieces},
                    {"removed", blocks.removed},
                    {"lost", blocks.lost}};
  json["trajectory_hash"] = fmt::format("{:016x}", result.trajectory_hash);
  json["expectations"] = Json::array();
  for (const auto& e : report.expectations) json["expectations"].push_back(to_json(e));
}

void read_report(const Json& json, CaseResult& result) {
  Report& report = result.report;
  report.name = result.name;
  report.hash = result.hash;
  json.at("pieces").get_to(result.pieces);
  json.at("at_rest").get_to(report.at_rest);
  if (!json.at("rest_s").is_null()) report.rest_s = json["rest_s"].get<double>();
  json.at("time_s").get_to(report.time_s);
  json.at("steps").get_to(report.steps);
  const Json& blocks = json.at("blocks");
  blocks.at("built").get_to(report.counts.built);
  blocks.at("standing").get_to(report.counts.standing);
  blocks.at("in_pieces").get_to(report.counts.in_pieces);
  blocks.at("removed").get_to(report.counts.removed);
  blocks.at("lost").get_to(report.counts.lost);
  const auto text = json.at("trajectory_hash").get<std::string>();
  std::from_chars(text.data(), text.data() + text.size(), result.trajectory_hash, 16);
  for (const Json& e : json.at("expectations")) report.expectations.push_back(read_expectation(e));
}

}  // namespace

Json case_json(const CaseResult& result) {
  Json json = {{"name", result.name},
               {"file", result.file},
               {"hash", result.hash},
               {"parameters", Json::object()},
               {"seed", std::to_string(result.seed)},
               {"verdict", verdict_name(result.verdict)}};
  for (const Parameter& p : result.parameters) json["parameters"][p.name] = Json::parse(p.json);
  if (result.took_s) json["took_s"] = *result.took_s;
  if (result.verdict == Verdict::Error) {
    json["error"] = result.error;
  } else {
    add_report(json, result);
  }
  return json;
}

CaseResult read_case_json(const Json& json) {
  CaseResult result;
  json.at("name").get_to(result.name);
  json.at("file").get_to(result.file);
  json.at("hash").get_to(result.hash);
  for (const auto& [name, value] : json.at("parameters").items()) {
    result.parameters.push_back({name, value.dump()});
  }
  const auto seed = json.at("seed").get<std::string>();
  std::from_chars(seed.data(), seed.data() + seed.size(), result.seed);
  if (json.contains("took_s")) result.took_s = json["took_s"].get<double>();
  const auto verdict = json.at("verdict").get<std::string>();
  if (verdict == verdict_name(Verdict::Error)) {
    result.verdict = Verdict::Error;
    result.exit_code = static_cast<int>(Trouble::Input);
    json.at("error").get_to(result.error);
  } else {
    const bool passed = verdict == verdict_name(Verdict::Passed);
    result.verdict = passed ? Verdict::Passed : Verdict::Failed;
    result.exit_code = passed ? 0 : 1;
    read_report(json, result);
  }
  return result;
}

}  // namespace talus
