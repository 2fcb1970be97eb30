// What came of a batch, in the formats of CI systems and test harnesses. Reports grow case by case
// and are kept out of memory, however many cases there are:
//
//   result -> texts, on any thread -> reports, in the order of the cases -> documents
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/junit.h"
#include "scenario/results.h"

namespace talus {

class Spool;

/// Which reports there are to be.
struct ReportKinds {
  bool junit = false, html = false, json = false, tap = false;
  std::string saved_folder{};  // where saved files are, as seen from the HTML page
};

/// What the reports say of a case; empty where they do not want it.
struct CaseTexts {
  std::string path, host;
  Verdict verdict = Verdict::Passed;
  int exit_code = 0;
  double took_s = 0;
  std::string junit, html, json, tap;
  std::string told;  // to those who follow the batch
};
CaseTexts case_texts(const BatchResult& result, const ReportKinds& kinds);

class BatchReports {
 public:
  explicit BatchReports(const ReportKinds& kinds);
  ~BatchReports();

  const ReportKinds& kinds() const { return kinds_; }
  /// The next case. Throws Error (Trouble::Output) when there is no room for temporary files.
  void add(const CaseTexts& texts);
  const Tally& tally() const { return tally_; }

  using Out = std::function<void(std::string_view)>;
  /// JUnit XML: a suite a file, a case a case. A failure is an expectation, an error a case that
  /// could not be run.
  void write_junit(const Out& out) const;
  /// One page that needs nothing else: a table of cases to filter and to sort, what was expected
  /// and found, height and energy over time, links to saved files. Works without scripts, but for
  /// filter and sort.
  void write_html(const Out& out) const;
  /// What report_document() makes of the cases.
  void write_json(const Out& out) const;
  /// TAP 14 (Test Anything Protocol).
  void write_tap(const Out& out) const;

 private:
  struct Spools;

  ReportKinds kinds_;
  Tally tally_;
  std::vector<JunitSuite> suites_;
  std::vector<std::uint64_t> suite_ends_;  // bytes of their cases
  std::unique_ptr<Spools> spools_;
};

/// One line of JSON, its end included: what the JSON report says of the case.
std::string json_line(const BatchResult& result);

/// The HTML page's row of a case, and what comes before and after all rows.
std::string html_row(const BatchResult& result, const std::string& saved_folder);
std::string html_head(const Tally& tally);
std::string html_tail();

}  // namespace talus
