#include "scenario/batch_reports.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/spool.h"
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

JunitCase::Outcome outcome_of(Verdict verdict) {
  constexpr JunitCase::Outcome kOutcomes[] = {
      JunitCase::Outcome::Passed, JunitCase::Outcome::Failure, JunitCase::Outcome::Error};
  return kOutcomes[static_cast<std::size_t>(verdict)];
}

JunitCase junit_case(const BatchResult& result) {
  JunitCase c;
  c.classname = result.path;
  c.name = name_in_file(result);
  c.time_s = result.result.took_s.value_or(0);
  c.outcome = outcome_of(result.result.verdict);
  if (c.outcome == JunitCase::Outcome::Passed) return c;
  const bool failure = c.outcome == JunitCase::Outcome::Failure;
  c.kind = failure ? "expectation" : result.timed_out ? "timeout" : "error";
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

/// A line that lacks its number, which comes behind "ok" or "not ok".
std::string tap_text(const CaseResult& result) {
  std::string text = fmt::format(" - {}\n", tap_name(result.name));
  if (result.verdict == Verdict::Passed) return text;
  return text + fmt::format("  ---\n  severity: {}\n  message: {}  ...\n",
                            result.verdict == Verdict::Failed ? "fail" : "error",
                            yaml_block(trouble_text(result), "    "));
}

std::string folder_of_temporary_files() {
  std::error_code trouble;
  const auto folder = std::filesystem::temp_directory_path(trouble);
  return trouble ? "." : folder.string();
}

}  // namespace

struct BatchReports::Spools {
  explicit Spools(const std::string& folder)
      : junit(folder), html(folder), json(folder), tap(folder) {}
  Spool junit, html, json, tap;
};

CaseTexts case_texts(const BatchResult& result, const ReportKinds& kinds) {
  CaseTexts texts;
  texts.path = result.path;
  texts.host = result.host;
  texts.verdict = result.result.verdict;
  texts.exit_code = result.result.exit_code;
  texts.took_s = result.result.took_s.value_or(0);
  if (kinds.junit) texts.junit = junit_case_text(junit_case(result));
  if (kinds.html) texts.html = html_row(result, kinds.saved_folder);
  if (kinds.json) texts.json = report_case(result.result);
  if (kinds.tap) texts.tap = tap_text(result.result);
  return texts;
}

BatchReports::BatchReports(const ReportKinds& kinds)
    : kinds_(kinds), spools_(std::make_unique<Spools>(folder_of_temporary_files())) {}

BatchReports::~BatchReports() = default;

void BatchReports::add(const CaseTexts& texts) {
  const bool first = tally_.cases() == 0;
  count(tally_, texts.verdict, texts.exit_code);
  if (kinds_.junit) {
    if (suites_.empty() || suites_.back().name != texts.path) {
      suites_.push_back({.name = texts.path, .hostname = texts.host});
      suite_ends_.push_back(0);
    }
    count(suites_.back(), {.time_s = texts.took_s, .outcome = outcome_of(texts.verdict)});
    spools_->junit.write(texts.junit);
    suite_ends_.back() = spools_->junit.size();
  }
  if (kinds_.html) spools_->html.write(texts.html);
  if (kinds_.json) spools_->json.write((first ? "" : kBetweenReportCases) + texts.json);
  if (kinds_.tap) {
    spools_->tap.write(fmt::format("{}ok {}{}", texts.verdict == Verdict::Passed ? "" : "not ",
                                   tally_.cases(), texts.tap));
  }
}

void BatchReports::write_junit(const Out& out) const {
  talus::write_junit(
      "talus", suites_,
      [&](std::size_t i) {
        spools_->junit.copy_to(out, i == 0 ? 0 : suite_ends_[i - 1], suite_ends_[i]);
      },
      out);
}

void BatchReports::write_html(const Out& out) const {
  out(html_head(tally_));
  spools_->html.copy_to(out);
  out(html_tail());
}

void BatchReports::write_json(const Out& out) const {
  out(report_head(tally_));
  spools_->json.copy_to(out);
  out(report_tail(tally_));
}

void BatchReports::write_tap(const Out& out) const {
  out(fmt::format("TAP version 14\n1..{}\n", tally_.cases()));
  spools_->tap.copy_to(out);
}

std::string json_line(const BatchResult& result) {
  return case_json(result.result)
             .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

}  // namespace talus
