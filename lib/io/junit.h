// JUnit XML, as the schema of Jenkins (junit-10.xsd) and the readers of GitLab and GitHub take it.
#pragma once

#include <span>
#include <string>
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

struct JunitSuite {
  std::string name, hostname;
  std::vector<JunitCase> cases;
};

/// The document, counts and sums of times included. Characters that XML has no place for are left
/// out, and what is not UTF-8 becomes U+FFFD. Times have three decimals.
std::string junit_document(const std::string& name, std::span<const JunitSuite> suites);

}  // namespace talus
