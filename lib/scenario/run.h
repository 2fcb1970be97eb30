// Scenario -> World -> Report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "scenario/scenario.h"
#include "trajectory/trajectory.h"

namespace talus {

/// A value under which a failed expectation would have passed.
struct FoundValue {
  std::string key;  // of the expectation
  std::string json;
};

struct ExpectationResult {
  std::string kind;  // as in the file: "position"
  Place place;
  bool passed = false;
  std::string expected, found;
  std::string body;   // its name; empty where it is about none
  double time_s = 0;  // when it was looked at
  std::string why;
  std::vector<FoundValue> updates;  // none: passed, or no value makes it pass
};

/// A block of the run, and what became of it.
struct BlockHistory {
  Block block;
  double placed_s = 0;
  std::optional<double> removed_s;  // taken out, or blown up
  int body = -1;  // the body that it is part of in the end; -1: it stands or was removed
};

/// What a ball of the trajectory is made of.
struct RoundHistory {
  int body;  // its id there
  std::string material;
};

struct GroundEdit {
  double time_s = 0;
  Brush brush;  // in the world's coordinates
};

/// Rock that fell, as it was in the ground.
struct RockHistory {
  std::size_t body = 0;
  std::shared_ptr<const Mesh> surface;
};

struct Report {
  std::string name, hash;
  std::vector<ExpectationResult> expectations;  // in the order of the file
  Trajectory trajectory;
  std::vector<BlockHistory> blocks;  // as they were placed; then those of pieces that never stood
  std::vector<RoundHistory> rounds;  // the balls
  std::vector<GroundEdit> ground_edits;  // by the script, and what fell out of it; in order
  std::vector<RockHistory> rocks;
  BlockCounts counts;
  std::int64_t steps = 0;
  double time_s = 0;
  bool at_rest = false;
  std::optional<double> rest_s;  // since when all was at rest; none where something moves

  bool passed() const;
};

/// Runs one case from start to end. The same bits for the same scenario. Throws Error for what
/// make_plan finds, and (Trouble::Simulation) for a body whose numbers are not finite, blocks that
/// got lost in the books and a trajectory over kMostRows. `progress` counts steps up to the time
/// limit, though a run may rest earlier; throws Interrupted when it asks to stop.
Report run(const Scenario& scenario, const Progress& progress = {});

}  // namespace talus
