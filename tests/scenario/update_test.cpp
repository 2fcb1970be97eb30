#include "scenario/update.h"

#include <gmock/gmock.h>

#include "scenario/cases.h"

namespace talus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<CaseResult> results_of(const std::string& text) {
  std::vector<CaseResult> results;
  for (const Scenario& scenario : parse_scenarios(text, "f.json")) {
    results.push_back(run_case(scenario));
    EXPECT_EQ(results.back().error, "");
  }
  return results;
}

UpdatedText updated(const std::string& text) {
  return update_expected(text, "f.json", results_of(text));
}

// A cube of a cubic metre, dropped from a metre on flat ground.
const std::string kHead =
    "{ // by hand\n  \"talus\": 1, \"terrain\": {\"preset\": \"flat\"},\n"
    "  \"pieces\": [{\"name\": \"cube\", \"structure\":"
    " [{\"op\": \"block\", \"size\": 2, \"cell\": [0, 2, 0]}]}],\r\n"
    "  \"expect\":  [\n";

TEST(UpdateExpected, OnlyValuesChange) {
  const std::string text = kHead +
                           "    {\"that\": \"pieces\", /* old */ \"count\": 7, },\n"
                           "    {\"that\": \"pieces\", \"least\": 1, \"most\": 3},\n"
                           "\t{\"kg\": 5, \"that\": \"mass\", \"name\": \"cube\"},\n"
                           "    {\"that\": \"energy\"}, {\"that\": \"speed\", \"most_m_s\":1e-3}]}";
  const UpdatedText result = updated(text);
  EXPECT_THAT(result.stuck, IsEmpty());
  EXPECT_EQ(result.text.substr(0, kHead.size()), kHead);
  EXPECT_THAT(result.text, HasSubstr("\"pieces\", /* old */ \"count\": 1, },\n    {\"that\": "
                                     "\"pieces\", \"least\": 1, \"most\": 3},\n\t{\"kg\": 2"));
  EXPECT_THAT(result.text, HasSubstr("00, \"that\": \"mass\""));
  for (const CaseResult& again : results_of(result.text)) {
    EXPECT_EQ(again.verdict, Verdict::Passed);
  }
}

TEST(UpdateExpected, FoundValuesPass) {
  const std::string text =
      kHead +
      "{\"that\": \"position\", \"name\": \"cube\", \"near_m\": [9, 9, 0.5], \"within_m\": 1e-6},"
      "{\"that\": \"inside\", \"name\": \"cube\", \"least_m\": [-1, 5, -1], \"most_m\": [0, 6, 9]},"
      "{\"that\": \"at_rest\", \"by_s\": 0.25},"
      "{\"that\": \"first_contact\", \"name\": \"cube\", \"time_s\": 9},"
      "{\"that\": \"penetration\", \"most_m\": 0},"
      "{\"that\": \"blocks\", \"standing\": 3, \"in_pieces\": 4, \"removed\": 0}]}";
  const std::vector<CaseResult> first = results_of(text);
  EXPECT_EQ(first[0].verdict, Verdict::Failed);
  const UpdatedText result = update_expected(text, "f.json", first);
  EXPECT_GE(result.changed, 5);
  EXPECT_THAT(result.stuck, IsEmpty());
  EXPECT_EQ(results_of(result.text)[0].verdict, Verdict::Passed) << result.text;
}

TEST(UpdateExpected, PassedExpectationsStayAsTheyAre) {
  const std::string text = kHead + "{\"that\": \"pieces\", \"count\": 1}]}";
  EXPECT_EQ(updated(text).text, text);
  EXPECT_EQ(updated(text).changed, 0);
}

TEST(UpdateExpected, WhatNoValueMendsIsSaid) {
  const std::string stands =
      "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"}, \"structure\": [{\"op\": \"block\", "
      "\"name\": \"a\"}],\n\"expect\": [{\"that\": \"broke_off\", \"name\": \"a\"}]}";
  EXPECT_THAT(updated(stands).stuck, ElementsAre(HasSubstr("f.json:2:12: /expect/0")));
  EXPECT_EQ(updated(stands).text, stands);
  const std::string matrix =
      kHead + "{\"that\": \"pieces\", \"count\": {\"$\": \"n\"}}], \"matrix\": {\"n\": [5]}}";
  EXPECT_THAT(updated(matrix).stuck, ElementsAre(HasSubstr("matrix")));
  EXPECT_EQ(updated(matrix).text, matrix);
}

TEST(UpdateExpected, CasesMustAgree) {
  const std::string text =
      "{\"talus\": 1, \"terrain\": {\"preset\": \"flat\"}, \"matrix\": {\"size\": [1, 2]},"
      "\"pieces\": [{\"name\": \"cube\", \"structure\": [{\"op\": \"block\", \"size\": {\"$\": "
      "\"size\"}}]}], \"until\": {\"time_s\": 0.1}, \"expect\": [\n"
      "{\"that\": \"mass\", \"name\": \"cube\", \"kg\": 1}, {\"that\": \"pieces\", \"count\": 2}]}";
  const UpdatedText result = updated(text);
  EXPECT_THAT(result.stuck,
              ElementsAre(HasSubstr("f.json:2:1: /expect/0: 'mass' stays: the cases")));
  EXPECT_EQ(result.changed, 1);
  EXPECT_THAT(result.text, HasSubstr("\"count\": 1}"));
}

}  // namespace
}  // namespace talus
