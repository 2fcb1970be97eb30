// Balls and walkers in scenario files, and in what a run leaves behind.
#include <gtest/gtest.h>

#include "io/trajectory_reader.h"
#include "io/trajectory_writer.h"
#include "scenario/run.h"

namespace talus {
namespace {

Scenario scenario(const std::string& sections) {
  return parse_scenarios(R"({"talus": 1, "terrain": {"preset": "flat"}, )" + sections + "}",
                         "test.json")
      .at(0);
}

/// What is wrong with it; empty: nothing.
std::string trouble(const std::string& sections) {
  try {
    run(scenario(sections));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Actors, AreFoundByTheirNames) {
  const Report report = run(scenario(R"(
    "walkers": [{"name": "anna", "at_m": [3, 0, 0], "goals": [{"goal": "walk_to", "to_m": [6, 0, 0]}]}],
    "script": [{"do": "drop", "name": "pearl", "ball": {"from_m": [0, 2, 0], "radius_m": 0.1}}],
    "expect": [
      {"that": "mass", "name": "pearl", "kg": 10.89, "tolerance_kg": 0.01},
      {"that": "first_contact", "name": "pearl", "time_s": 0.622, "tolerance_s": 0.01},
      {"that": "position", "name": "pearl", "near_m": [0, 0.1, 0], "within_m": 0.01},
      {"that": "reaches", "name": "anna", "near_m": [6, 0, 0], "within_m": 0.2},
      {"that": "stands_on", "name": "anna", "on": "ground"},
      {"that": "never_inside"}
    ])"));
  for (const ExpectationResult& result : report.expectations) {
    EXPECT_TRUE(result.passed) << result.kind << ": " << result.found;
  }
  ASSERT_EQ(report.trajectory.bodies.size(), 2u);
  EXPECT_EQ(report.trajectory.bodies[0].name, "anna");
  EXPECT_EQ(report.trajectory.bodies[0].height_m, 1.8);
  EXPECT_EQ(report.trajectory.bodies[1].name, "pearl");
  EXPECT_EQ(report.trajectory.bodies[1].radius_m, 0.1);
}

TEST(Actors, WhatDoesNotComeTrueFails) {
  const Report report = run(scenario(R"(
    "structure": [{"op": "block", "name": "stone", "cell": [20, 0, 0]}],
    "walkers": [{"name": "anna", "at_m": [3, 0, 0], "goals": [{"goal": "wait", "seconds": 0.5}]}],
    "expect": [
      {"that": "reaches", "name": "anna", "near_m": [6, 0, 0], "within_m": 0.2},
      {"that": "stands_on", "name": "anna", "on": "stone"}
    ])"));
  for (const ExpectationResult& result : report.expectations) EXPECT_FALSE(result.passed);
}

TEST(Actors, TroubleIsToldWithItsPlace) {
  expect_says(trouble(R"("structure": [{"op": "block", "size": 4}],
                         "walkers": [{"name": "anna", "at_m": [1, 0, 1]}])"),
              "/walkers/0: 'anna' would be inside something");
  expect_says(trouble(R"("script": [{"do": "throw", "ball": {"from_m": [0, 1, 0]}}])"),
              "velocity_m_s");
  expect_says(trouble(R"("script": [{"do": "drop", "ball": {"from_m": [0, 1, 0],
                                                            "material": "stoen"}}])"),
              "stone");
  expect_says(trouble(R"("walkers": [{"name": "anna", "at_m": [0, 0, 0]},
                                     {"name": "anna", "at_m": [3, 0, 0]}])"),
              "given twice");
  expect_says(trouble(R"("walkers": [{"name": "anna", "at_m": [0, 0, 0]}],
                         "script": [{"do": "place", "block": {"cell": [0, 1, 0]}}])"),
              "a walker is in the way");
}

TEST(Actors, TheTrajectoryReadsBackWithThem) {
  const Report report = run(scenario(R"(
    "structure": [{"op": "wall", "length": 21, "height": 8, "material": "bricks"}],
    "settings": {"break_on_impact": true},
    "pieces": [{"name": "beam", "structure": [{"op": "beam", "cell": [0, 20, 30], "length": 12,
                                               "material": "bricks"}]}],
    "walkers": [{"name": "anna", "at_m": [3, 0, 6]}],
    "script": [{"do": "throw", "name": "ball",
                "ball": {"from_m": [5.25, 1.5, -4], "velocity_m_s": [0, 2, 14], "radius_m": 0.5}},
               {"do": "throw", "ball": {"from_m": [0.25, 10, 11], "velocity_m_s": [0, 0, 30],
                                        "radius_m": 0.4, "density_kg_m3": 7800}}],
    "until": {"time_s": 2})"));
  bool split = false;
  for (const BodyTrack& track : report.trajectory.bodies) split = split || track.split_from;
  EXPECT_TRUE(split);
  EXPECT_TRUE(report.counts.conserved());
  std::string text;
  write_trajectory(report.trajectory, TrajectoryFormat::Json,
                   [&](std::string_view part) { text += part; });
  const Trajectory read = parse_trajectory(text, "test.json", TrajectoryFormat::Json);
  EXPECT_EQ(hash(read), hash(report.trajectory));
  ASSERT_EQ(read.bodies.size(), report.trajectory.bodies.size());
  for (std::size_t i = 0; i < read.bodies.size(); ++i) {
    EXPECT_EQ(read.bodies[i].radius_m, report.trajectory.bodies[i].radius_m);
    EXPECT_EQ(read.bodies[i].height_m, report.trajectory.bodies[i].height_m);
    EXPECT_EQ(read.bodies[i].split_from, report.trajectory.bodies[i].split_from);
  }
}

}  // namespace
}  // namespace talus
