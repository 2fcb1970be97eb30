#include "io/junit.h"

#include <utility>

#include <gmock/gmock.h>

namespace talus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Cases = std::vector<JunitCase>;

std::string document_of(const std::vector<std::pair<std::string, Cases>>& files) {
  std::vector<JunitSuite> suites;
  for (const auto& [name, cases] : files) {
    suites.push_back({.name = name, .hostname = "here"});
    for (const JunitCase& c : cases) count(suites.back(), c);
  }
  std::string document;
  const auto out = [&](std::string_view text) { document += text; };
  const auto write_cases = [&](std::size_t i) {
    for (const JunitCase& c : files[i].second) out(junit_case_text(c));
  };
  write_junit("talus", suites, write_cases, out);
  return document;
}

TEST(Junit, CountsAndTimesAddUp) {
  const std::string xml = document_of(
      {{"a", {{.classname = "a", .name = "1", .time_s = 0.0004}}},
       {"b",
        {{.classname = "b",
          .name = "1",
          .time_s = 12345.6789,
          .outcome = JunitCase::Outcome::Error},
         {.classname = "b", .name = "2", .time_s = 1, .outcome = JunitCase::Outcome::Failure}}}});
  EXPECT_THAT(
      xml,
      HasSubstr(R"(<testsuites name="talus" tests="3" failures="1" errors="1" time="12346.679">)"));
  EXPECT_THAT(xml,
              HasSubstr(R"(<testsuite name="a" tests="1" failures="0" errors="0" time="0.000")"));
  EXPECT_THAT(xml, HasSubstr(R"(<testcase classname="b" name="1" time="12345.679">)"));
}

TEST(Junit, HoldsNothingThatXmlHasNoPlaceFor) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  for (const char* text :
       {"\xEF\xBF\xBE", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3\xA9", "\xE2\x82"}) {
    all += text;
  }
  const std::string xml = document_of({{"<!--cases-->",
                                        {{.classname = all,
                                          .name = all,
                                          .outcome = JunitCase::Outcome::Failure,
                                          .kind = all,
                                          .message = all,
                                          .text = all}}}});
  EXPECT_THAT(xml, HasSubstr("name=\"&lt;!--cases--"));
  for (const char c : xml)
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t' || c == '\r');
  EXPECT_THAT(xml, Not(HasSubstr("\xEF\xBF\xBE")));
  EXPECT_THAT(xml, Not(HasSubstr("\xED\xA0\x80")));
  EXPECT_THAT(xml, Not(HasSubstr("&#01;")));
  EXPECT_THAT(xml, Not(HasSubstr("&#27;")));
  EXPECT_THAT(xml, HasSubstr("\xC3\xA9"));
  EXPECT_THAT(xml, HasSubstr("\xEF\xBF\xBD"));
}

}  // namespace
}  // namespace talus
