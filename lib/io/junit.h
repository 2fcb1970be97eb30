// JUnit XML, as the schema of Jenkins (junit-10.xsd) and the readers of GitLab and GitHub take it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

struct JunitCase {
  enum class Outcome { Passed, Failure, Error };  // Error: it could not be run
  std::string classname{}, name{};                // together unique
  double time_s = 0;
  Outcome outcome = Outcome::Passed;
  std::string kind{};     // of failure or error
  std::string message{};  // of failure or error, one line
  std::string text{};     // of failure or error, all that is to say
};

/// A suite, and what its cases come to.
struct JunitSuite {
  std::string name, hostname;
  std::size_t tests = 0, failures = 0, errors = 0;
  double time_s = 0;
};
void count(JunitSuite& suite, const JunitCase& junit_case);

/// The case as it stands in the document. Characters that XML has no place for are left out, and
/// what is not UTF-8 becomes U+FFFD. Times have three decimals.
std::string junit_case_text(const JunitCase& junit_case);

/// Writes the document to `out`, sums over all suites included. `write_cases(i)` is asked to write
/// there the texts of suite i's cases.
void write_junit(const std::string& name, std::span<const JunitSuite> suites,
                 const std::function<void(std::size_t)>& write_cases,
                 const std::function<void(std::string_view)>& out);

}  // namespace talus
