// A scenario: what stands where, what is done to it, and what is expected to come of it. Plain
// data, as one case of a file says it; scenarios/*.json are examples, `talus schema` lists every
// key.
//
// Structures stand on the grid of half-metre cells. Cells, and metres in script and expectations,
// count from the site.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "physics/world.h"
#include "scenario/fields.h"

namespace talus {

/// Most blocks of one scenario.
inline constexpr std::int64_t kMostBlocks = 4'000'000;

enum class Along { X, Y, Z };

/// One step of building: some blocks, or operations of its own (Group), repeated.
struct Operation {
  enum class Kind { Block, Box, Wall, Column, Beam, Floor, Stairs, Arch, Dome, Import, Group };
  Kind kind = Kind::Block;
  IVec3 cell{0};  // least corner of what is built
  int size = 1;   // cells along a block's edge
  std::string material = "stone";
  std::string shape = "cube";
  std::vector<std::pair<int, Cut>> cuts;  // by edge, over those of the shape
  int turns = 0;                          // quarter turns of the shape about +y
  std::string name;                       // of what it builds; several operations may share one
  // Lengths count blocks.
  IVec3 blocks{1};         // Box
  Along along = Along::X;  // Wall, Beam, Stairs, Arch
  int length = 1, height = 1, width = 1, thickness = 1;
  int steps = 1;                     // Stairs
  int span = 1;                      // Arch, Dome: inner diameter
  std::vector<Operation> structure;  // Group
  // Import
  std::string file;             // as the scenario names it
  double cell_m = kCell;        // of a mesh: what becomes a cell, in its unit
  int largest = kMaxBlockSize;  // of a mesh: cells along a block's edge, at most
  std::shared_ptr<const std::vector<Operation>> imported;  // what the file holds
  int count = 1;                                           // how often, each time `by` cells on
  IVec3 by{0};
  Place place;
};

/// Heights of preset `heightmap`: where they are read from, and where they stand.
struct HeightFile {
  std::string file;  // as the scenario names it
  std::optional<double> spacing_m, origin_x_m, origin_z_m;
  Place place;
};

/// A piece that never stood: it moves from the start.
struct LoosePiece {
  std::string name;
  std::vector<Operation> structure;
  Vec3 velocity_m_s{0};
  Vec3 spin_rad_s{0};
  Place place;
};

/// Where the local frame stands: a cell, or the ground's surface over a column.
struct Site {
  IVec3 cell{0};
  std::optional<Vec3> on_surface_m;  // x and z; y is not looked at
};

/// Someone who walks about, and what it wants.
struct WalkerSpec {
  std::string name;
  Vec3 at_m{0};  // under its feet
  WalkerSettings settings;
  std::vector<WalkerGoal> goals;  // targets from the site
  Place place;
};

/// A ball as the script brings it in.
struct BallSpec {
  Ball ball;  // position from the site
  std::string material = "stone";
  std::optional<double> density_kg_m3;  // in place of the material's
};

struct When {
  std::optional<double> time_s;
  bool at_rest = false;            // all at rest and every action before this one done
  std::optional<double> height_m;  // a body's centre passes it, up or down
  std::string body;                // which one; empty: any
};

struct CellBox {
  IVec3 cell{0};
  IVec3 cells{1};
};

struct Action {
  enum class Kind { Remove, Place, Dig, Fill, Explode, Push, Throw, Drop };
  Kind kind = Kind::Remove;
  When when;
  // Remove: what was named so; Push: the body; Throw, Drop: what the ball is called.
  std::string name;
  std::optional<CellBox> box;           // Remove: blocks with a cell in it
  Operation block;                      // Place
  Brush brush;                          // Dig, Fill: centres from the site
  Explosion explosion;                  // Explode
  Vec3 velocity_m_s{0}, spin_rad_s{0};  // Push
  BallSpec ball;                        // Throw, Drop
  Place place;
};

struct Expectation {
  enum class Kind {
    Pieces,
    BrokeOff,
    Stands,
    Mass,
    Position,
    Inside,
    AtRest,
    FirstContact,
    Penetration,
    Speed,
    Energy,
    Blocks,
    Height,
    Reaches,
    StandsOn,
    NeverInside
  };
  Kind kind = Kind::Pieces;
  std::optional<double> at_s;             // when it is looked at; the end where not given
  std::string name;                       // of the body, or of what was built
  std::string over;                       // Height: of what else was built; StandsOn: on what
  std::string why;                        // shown where it fails
  std::optional<int> count, least, most;  // Pieces
  bool together = false;                  // BrokeOff: all of it in one piece
  double value = 0;                       // kg, s, m, m/s, J by kind
  double tolerance = 0;                   // of value, same unit
  Vec3 point{0}, other{0};  // Position, Reaches: near; Inside: lo and hi. Metres from the site.
  std::optional<int> standing, in_pieces, removed, lost;  // Blocks
  Place place;
};

struct Until {
  double time_s = 30;
  bool at_rest = true;  // ends when all is at rest and every action is done
};

struct Record {
  double every_s = 1.0 / 30;
};

struct Settings {
  std::string preset = "modern";
  bool terrain_islands = false;
  std::string terrain_contact = "field";  // or "mesh"
  ModernSettings modern;
  ClassicSettings classic;
  WorldSettings world;
  bool break_on_impact = false;

  bool is_classic() const { return preset == "classic"; }
  double gravity() const { return is_classic() ? classic.gravity : modern.gravity; }
};

/// A value that the matrix gave to a case.
struct Parameter {
  std::string name;
  std::string json;  // as JSON spells it: 4, "oak", true
};

struct Scenario {
  std::string name;  // of the case: "tower.json::tower[height=4]"
  std::string hash;  // of the content that it was read from
  std::vector<Parameter> parameters;
  int talus = 1;  // version of the format
  std::string about;
  TerrainSpec terrain;
  HeightFile heights;
  std::vector<Brush> edits;
  Water water;
  std::vector<Material> materials = default_materials();
  Site site;
  std::vector<Operation> structure;
  std::vector<LoosePiece> pieces;
  std::vector<WalkerSpec> walkers;
  Settings settings;
  std::vector<Action> script;
  Until until;
  std::vector<Expectation> expect;
  Record record;
  Place place;
};

/// All cases of a file, with the structures and heights that it names, in the order of its matrix
/// (the last parameter changes fastest); without a matrix, one. Throws Error with the place of
/// whatever is wrong.
std::vector<Scenario> read_scenarios(const std::string& path);
/// The same from text; `file` is for messages and names.
std::vector<Scenario> parse_scenarios(std::string_view text, const std::string& file);

/// The JSON Schema (draft 2020-12) of scenario files, from the tables that read them.
std::string scenario_schema();

/// What script and expectations call the first piece of rock that falls (terrain_islands).
inline constexpr const char* kRockName = "rock";

/// What a scenario builds, ready for a World: names resolved, limits checked.
struct Plan {
  std::vector<Block> blocks;
  /// By name: places in `blocks`. Every part has one that stands for its body.
  std::map<std::string, std::vector<std::size_t>> parts;
  std::vector<std::vector<Block>> pieces;  // one for each of Scenario::pieces
  IVec3 site{0};                           // the origin's cell
  Terrain terrain;                         // edits included
};

/// Throws Error with the place: blocks in each other's way, unknown names, too many blocks.
Plan make_plan(const Scenario& scenario);
/// All that make_plan could throw, one a step of building and a name; none: it takes the scenario.
std::vector<Error> plan_errors(const Scenario& scenario);
/// What StandsOn calls the ground.
inline constexpr const char* kGroundName = "ground";
/// The ball of a Throw or Drop action, where it starts. Requires that make_plan took the scenario.
Ball planned_ball(const Scenario& scenario, const Plan& plan, const BallSpec& spec);
/// The one block of a Place action. Requires that make_plan took the scenario.
Block planned_block(const Scenario& scenario, const Plan& plan, const Operation& block);

}  // namespace talus
