// The tables of the scenario format, a section a file. Reading and the schema both come from them.
#pragma once

#include <vector>

#include "scenario/scenario.h"

namespace talus {

const std::vector<Row<Scenario>>& scenario_rows();
/// Of a file that holds a structure only, for operation "import".
const std::vector<Row<Scenario>>& structure_file_rows();

// operation_tables.cpp
const std::vector<KindRows<Operation>>& operation_kinds();
inline constexpr const char* kOperationRef = R"({"$ref":"#/$defs/operation"})";
void read_operation(const Node& node, Operation& op);
std::vector<Row<Operation>> block_rows();

// world_tables.cpp
Row<Scenario> terrain_row();
Row<Scenario> edits_row();
Row<Scenario> pools_row();
Row<Scenario> materials_row();
Row<Scenario> site_row();
std::vector<Row<Brush>> brush_rows();
/// Fails where sizes are missing.
void check_brush(const Node& node, const Brush& brush);

// settings_tables.cpp
Row<Scenario> settings_row();
// script_tables.cpp
Row<Scenario> script_row();
// actor_tables.cpp
Row<Scenario> walkers_row();
std::vector<Row<BallSpec>> thrown_rows();
std::vector<Row<BallSpec>> dropped_rows();
// expectation_tables.cpp
Row<Scenario> expect_row();

inline constexpr Range kCells{-1e6, 1e6};
inline constexpr Range kLengths{1, 1e6};  // in blocks
inline constexpr Range kTimes{0, 3600};   // s
inline constexpr Range kSpeeds{-1e4, 1e4};
inline constexpr Range kSizes{0.01, 1e4};  // m
inline constexpr Range kCounts{0, 4e6};

}  // namespace talus
