#include "scenario/batch.h"

#include <bit>

#include <gmock/gmock.h>

#include "support/temp_folder.h"

namespace talus {
namespace {

using ::testing::HasSubstr;

Trajectory falling(double bump) {
  Trajectory t;
  t.step_s = 0.1;
  t.gravity_m_s2 = 9.81;
  t.bodies.resize(1);
  t.bodies[0].name = "cube";
  t.bodies[0].mass_kg = 2;
  for (int i = 0; i < 500; ++i) {
    add_frame(t, 0.1 * i);
    append(t, 0, {.position_m = {0, 500 - i + (i == 7 ? bump : 0), 0}});
  }
  return t;
}

TEST(Batch, RepeatsMustAgreeToTheBit) {
  const Trajectory first = falling(0);
  EXPECT_TRUE(judge_repeat(first, falling(0), 2, 3, {}).passed);
  const ExpectationResult result = judge_repeat(first, falling(1e-12), 3, 3, {});
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.body, "cube");
  EXPECT_THAT(result.found, HasSubstr("run 3 differs from run 1 from frame 7 on: position, by"));
}

TEST(Batch, CurvesKeepBothEndsAndFewPoints) {
  const Curves curves = curves_of(falling(0));
  ASSERT_EQ(curves.t_s.size(), 120u);
  EXPECT_EQ(curves.height_m.size(), 120u);
  EXPECT_EQ(curves.t_s.front(), 0);
  EXPECT_NEAR(curves.t_s.back(), 49.9, 1e-9);
  EXPECT_EQ(curves.height_m.front(), 500);
  EXPECT_EQ(curves.energy_j.front(), 2 * 9.81 * 500);
  EXPECT_TRUE(curves_of({}).t_s.empty());
  EXPECT_EQ(curves_of(falling(0), 1).t_s.size(), 1u);
}

BatchResult some_result() {
  BatchResult r;
  r.key = "0123456789abcdef";
  r.path = "x/tower.json";
  r.index = 3;
  r.host = "here";
  r.saved = {"a.glb"};
  r.curves = {{0, 1}, {2, 3}, {4, 5}};
  CaseResult& c = r.result;
  c.name = "x/tower.json::tower[height=4]";
  c.hash = "fedcba9876543210";
  c.file = r.path;
  c.parameters = {{"height", "4"}, {"wood", "\"oak\""}};
  c.seed = 4'000'000'000;
  c.verdict = Verdict::Failed;
  c.exit_code = 1;
  c.took_s = 0.1;
  c.pieces = 2;
  c.trajectory_hash = 0xfedcba9876543210;
  c.report.rest_s = 1.25;
  c.report.steps = 7;
  c.report.expectations = {
      {"mass", {"x/tower.json", "/expect/0", 4, 5}, false, "1 kg", "2 kg", "cube", 0.5, "so", {}}};
  return r;
}

TEST(Results, ReadingWhatWasWrittenGivesTheSame) {
  const TempFolder folder;
  const BatchResult written = some_result();
  write_result(written, folder.path());
  const std::string path =
      folder.file(result_stem(written.result.name) + std::string(kResultEnding));
  const BatchResult read = read_result(path);
  const std::string text = read_text(path);
  write_result(read, folder.path());
  EXPECT_EQ(read_text(path), text);
  EXPECT_EQ(read.key, written.key);
  EXPECT_EQ(read.index, 3u);
  EXPECT_EQ(read.result.seed, 4'000'000'000);
  EXPECT_EQ(read.result.trajectory_hash, written.result.trajectory_hash);
  EXPECT_EQ(read.result.report.expectations.at(0).place.path, "/expect/0");
  EXPECT_EQ(read.curves.energy_j, written.curves.energy_j);
  EXPECT_EQ(folder.count(), 1);
}

TEST(Results, KeysFollowAllThatAResultDependsOn) {
  Scenario a;
  a.hash = "1";
  Scenario b = a;
  EXPECT_EQ(result_key(a, 1), result_key(b, 1));
  EXPECT_NE(result_key(a, 1), result_key(a, 2));
  b.parameters = {{"height", "4"}};
  EXPECT_NE(result_key(a, 1), result_key(b, 1));
  b = a;
  b.hash = "2";
  EXPECT_NE(result_key(a, 1), result_key(b, 1));
  b = a;
  b.settings.preset = "another";
  EXPECT_NE(result_key(a, 1), result_key(b, 1));
  EXPECT_NE(broken_key("line 1: no"), broken_key("line 2: no"));
}

TEST(Results, StemsTellFoldersApart) {
  EXPECT_NE(result_stem("a/x.json::x[n=1]"), result_stem("b/x.json::x[n=1]"));
  EXPECT_THAT(result_stem("a/x.json::x[n=1]"), ::testing::StartsWith("x-n=1-"));
  EXPECT_THAT(result_stem("a/x.json"), ::testing::StartsWith("x.json-"));
  EXPECT_EQ(result_stem("../../x.json").find('/'), std::string::npos);
}

}  // namespace
}  // namespace talus
