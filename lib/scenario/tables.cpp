#include "scenario/tables.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace talus {

namespace {

constexpr Range kCells{-1e6, 1e6};
constexpr Range kLengths{1, 1e6};  // in blocks
constexpr Range kTimes{0, 3600};   // s
constexpr Range kSpeeds{-1e4, 1e4};
constexpr Range kSizes{0.01, 1e4};  // m
constexpr Range kCounts{0, 4e6};
constexpr const char* kOperationRef = R"({"$ref":"#/$defs/operation"})";

std::vector<std::string> shapes() {
  std::vector<std::string> names;
  for (const std::string_view name : shape_names()) names.emplace_back(name);
  return names;
}

const std::vector<std::string> kAlong{"x", "y", "z"};

void read_operation(const Node& node, Operation& op) {
  op.place = node.place();
  op.kind = static_cast<Operation::Kind>(read_kind(node, "op", operation_kinds(), op));
}

struct Repeat {
  int count = 1;
  IVec3 by{0};
};

Row<Operation> repeat_row() {
  const std::vector<Row<Repeat>> rows{
      required(integer("count", &Repeat::count, kLengths, "how often in all")),
      required(cells("by", &Repeat::by, kCells, "cells from one to the next"))};
  return {"repeat", "builds it several times", rows_schema(rows),
          [rows](const Node& n, Operation& op) {
            Repeat repeat;
            read_rows(n, rows, repeat);
            op.count = repeat.count;
            op.by = repeat.by;
          }};
}

std::vector<Row<Operation>> where_rows() {
  return {cells("cell", &Operation::cell, kCells, "least corner, in cells of half a metre"),
          words("name", &Operation::name, "what script and expectations call it"), repeat_row()};
}

/// The rows that every kind made of blocks has, and its own.
std::vector<Row<Operation>> with_block_rows(std::vector<Row<Operation>> own) {
  for (auto& row : where_rows()) own.push_back(std::move(row));
  own.push_back(
      integer("size", &Operation::size, {1, kMaxBlockSize}, "cells along a block's edge"));
  own.push_back(words("material", &Operation::material, "name of a material"));
  own.push_back(name_of("shape", &Operation::shape, shapes(), "what is cut off each block"));
  own.push_back(integer("turns", &Operation::turns, {0, 3}, "quarter turns of the shape about +y"));
  return own;
}

Row<Operation> length(const char* key, int Operation::*to, const char* meaning) {
  return integer(key, to, kLengths, meaning);
}
Row<Operation> along() {
  return choice("along", &Operation::along, kAlong, "axis that it runs along");
}

std::vector<KindRows<Operation>> make_operation_kinds() {
  using Op = Operation;
  return {
      {"block", "one block", with_block_rows({})},
      {"box", "a solid box of blocks",
       with_block_rows({required(cells("blocks", &Op::blocks, kLengths, "blocks along x, y, z"))})},
      {"wall", "an upright wall",
       with_block_rows({along(), required(length("length", &Op::length, "blocks along it")),
                        required(length("height", &Op::height, "blocks up")),
                        length("thickness", &Op::thickness, "blocks through")})},
      {"column", "blocks on top of each other",
       with_block_rows({required(length("height", &Op::height, "blocks up"))})},
      {"beam", "blocks in a line",
       with_block_rows({along(), required(length("length", &Op::length, "blocks along it"))})},
      {"floor", "a level slab",
       with_block_rows({required(length("length", &Op::length, "blocks along x")),
                        required(length("width", &Op::width, "blocks along z")),
                        length("thickness", &Op::thickness, "blocks up")})},
      {"stairs", "solid stairs that rise along an axis",
       with_block_rows({along(), required(length("steps", &Op::steps, "number of steps")),
                        length("width", &Op::width, "blocks across")})},
      {"arch", "a half ring that stands on its two feet",
       with_block_rows({along(), required(length("span", &Op::span, "blocks between the feet")),
                        length("thickness", &Op::thickness, "blocks of the ring"),
                        length("width", &Op::width, "blocks across")})},
      {"dome", "a hollow half ball",
       with_block_rows({required(length("span", &Op::span, "inner diameter, in blocks")),
                        length("thickness", &Op::thickness, "blocks of the shell")})},
      {"group", "operations in a frame of their own", [] {
         auto rows = where_rows();
         rows.push_back(required(list<Op, Op>("structure", &Op::structure, kOperationRef,
                                              read_operation, "what it consists of", 1)));
         return rows;
       }()}};
}

// ---- terrain and site

void read_seed(const Node& node, TerrainSpec& spec) {
  spec.seed = static_cast<std::uint32_t>(read_integer(node, {0, 4294967295.0}));
}

Row<TerrainSpec> parameters_row(const PresetInfo& preset) {
  std::vector<Row<TerrainSpec>> rows;
  for (const ParameterInfo& p : preset.parameters) {
    const Range range{p.least, p.most};
    rows.push_back({p.name, p.meaning, or_parameter(number_schema(range)),
                    [range, name = p.name](const Node& n, TerrainSpec& spec) {
                      spec.parameters.emplace_back(name, read_number(n, range));
                    }});
  }
  return {"parameters", "numbers of the preset that differ from its defaults", rows_schema(rows),
          [rows](const Node& n, TerrainSpec& spec) { read_rows(n, rows, spec); }};
}

std::vector<KindRows<TerrainSpec>> terrain_kinds() {
  std::vector<KindRows<TerrainSpec>> kinds;
  for (const PresetInfo& preset : preset_table()) {
    if (preset.name == "heightmap") continue;  // its heights come from a file
    kinds.push_back({preset.name,
                     preset.summary,
                     {{"seed", "of the random stream",
                       or_parameter(integer_schema({0, 4294967295.0})), read_seed},
                      parameters_row(preset)}});
  }
  return kinds;
}

Row<Scenario> terrain_row() {
  const auto kinds = terrain_kinds();
  return {"terrain", "the ground", kinds_schema("preset", kinds),
          [kinds](const Node& n, Scenario& s) {
            const std::size_t which = read_kind(n, "preset", kinds, s.terrain);
            s.terrain.preset = kinds[which].name;
            try {
              make_preset(s.terrain);
            } catch (const Error& error) {
              n.fail(error.what());
            }
          }};
}

std::vector<Row<Brush>> brush_rows() {
  return {choice("shape", &Brush::shape, {"sphere", "box", "capsule"}, "of what is dug or filled"),
          required(vector("center_m", &Brush::center, kAnyLength,
                          "middle, or one end of a capsule, from the site")),
          vector("end_m", &Brush::end, kAnyLength, "a capsule's other end"),
          vector("half_size_m", &Brush::half_size, {0, 1e4}, "half a box's edges"),
          number("radius_m", &Brush::radius, {0, 1e4}, "of a sphere or capsule")};
}

void check_brush(const Node& node, const Brush& brush) {
  const bool is_box = brush.shape == Brush::Shape::Box;
  if (is_box && std::min({brush.half_size.x, brush.half_size.y, brush.half_size.z}) <= 0) {
    node.fail("a box needs \"half_size_m\" over 0");
  }
  if (!is_box && brush.radius <= 0) node.fail("needs a \"radius_m\" over 0");
}

std::vector<Row<Brush>> edit_rows() {
  auto rows = brush_rows();
  rows.push_back(required(choice("mode", &Brush::mode, {"dig", "fill"}, "what it does")));
  return rows;
}

void read_edit(const Node& node, Brush& brush) {
  static const auto kRows = edit_rows();
  read_rows(node, kRows, brush);
  check_brush(node, brush);
}

// ---- materials and loose pieces

std::vector<Row<Material>> material_rows() {
  return {
      required(words("name", &Material::name, "what operations call it")),
      required(number("density_kg_m3", &Material::density_kg_m3, {1, 1e5}, "its density")),
      {"color", "as #rrggbb", or_parameter(R"({"type":"string","pattern":"^#[0-9a-fA-F]{6}$"})"),
       [](const Node& n, Material& m) {
         const std::string text = read_text(n);
         const char* end = text.data() + text.size();
         if (text.size() != 7 || text[0] != '#' ||
             std::from_chars(text.data() + 1, end, m.srgb, 16).ptr != end) {
           n.fail("must be a colour as #rrggbb, got '" + text.substr(0, 40) + "'");
         }
       }}};
}

void read_material(const Node& node, Material& material) {
  static const auto kRows = material_rows();
  read_rows(node, kRows, material);
}

std::vector<Row<LoosePiece>> piece_rows() {
  return {required(words("name", &LoosePiece::name, "what script and expectations call it")),
          required(list<LoosePiece, Operation>("structure", &LoosePiece::structure, kOperationRef,
                                               read_operation, "its blocks", 1)),
          vector("velocity_m_s", &LoosePiece::velocity_m_s, kSpeeds, "at the start"),
          vector("spin_rad_s", &LoosePiece::spin_rad_s, {-1e3, 1e3}, "at the start")};
}

void read_piece(const Node& node, LoosePiece& piece) {
  static const auto kRows = piece_rows();
  piece.place = node.place();
  read_rows(node, kRows, piece);
}

// ---- settings

std::vector<Row<ClassicSettings>> classic_rows() {
  using S = ClassicSettings;
  return {number("gravity_m_s2", &S::gravity, {0, 1000}, "downward"),
          integer("passes", &S::passes, {1, 1000}, "over all contact rows, each step"),
          number("friction", &S::friction, {0, 10}, "of the normal impulse"),
          number("touch_distance_m", &S::touch_distance, {0.001, 0.5}, "a point this near touches"),
          number("bounce_speed_m_s", &S::bounce_speed, {0, 1e4}, "slower meetings do not bounce"),
          number("bounce", &S::bounce, {0, 1}, "share of the closing speed"),
          number("slop_m", &S::slop, {0, 1}, "depth that is left alone"),
          number("push_share", &S::push_share, {0, 1}, "of the depth, pushed out each step"),
          number("push_speed_m_s", &S::push_speed, {0, 1e4}, "at most"),
          number("spin_damping_per_s", &S::spin_damping, {0, 10}, "while touching"),
          number("still_speed_m_s", &S::still_speed, {0, 100}, "slower may come to rest"),
          number("still_spin_rad_s", &S::still_spin, {0, 100}, "slower may come to rest"),
          number("still_time_s", &S::still_time, {0, 1000}, "still for so long: at rest"),
          number("oldest_s", &S::oldest, {0, 3600}, "at rest wherever it is")};
}

std::vector<Row<WorldSettings>> world_rows() {
  using S = WorldSettings;
  return {number("step_s", &S::step_s, {1e-4, 0.1}, "length of a step"),
          number("lost_below_m", &S::lost_below_m, kAnyLength, "a body lower than this is lost"),
          number("hit_speed_m_s", &S::hit_speed, {0, 1e4}, "slower meetings are no event")};
}

std::vector<Row<Settings>> settings_rows() {
  return {name_of("preset", &Settings::preset, {"classic"}, "the solver"),
          object("classic", &Settings::classic, classic_rows(), "overrides of preset classic"),
          object("world", &Settings::world, world_rows(), "steps, and when a body is lost")};
}

// ---- script

std::vector<Row<When>> when_rows() {
  return {
      number("time_s", &When::time_s, kTimes, "at this time"),
      flag("at_rest", &When::at_rest, "once all is at rest and earlier actions are done"),
      number("height_m", &When::height_m, kAnyLength, "once a body's centre passes this height"),
      words("body", &When::body, "which body passes the height; any where not given")};
}

Row<Action> when_row() {
  static const auto kRows = when_rows();
  return {"when", "what it waits for; the start where not given", rows_schema(kRows),
          [](const Node& n, Action& a) {
            read_rows(n, kRows, a.when);
            const int given = static_cast<int>(a.when.time_s.has_value()) +
                              static_cast<int>(a.when.at_rest) +
                              static_cast<int>(a.when.height_m.has_value());
            if (given != 1) n.fail("needs one of \"time_s\", \"at_rest\": true, \"height_m\"");
          }};
}

Row<Action> box_row() {
  const std::vector<Row<CellBox>> rows{
      required(cells("cell", &CellBox::cell, kCells, "least corner")),
      cells("cells", &CellBox::cells, kLengths, "cells along x, y, z; 1 where not given")};
  return object("box", &Action::box, rows, "all blocks with a cell in the box");
}

Row<Action> block_row() {
  const auto rows = with_block_rows({});
  return required(
      Row<Action>{"block", "what is placed", rows_schema(rows), [rows](const Node& n, Action& a) {
                    read_rows(n, rows, a.block);
                    a.block.place = n.place();
                    if (a.block.count != 1) n.fail("one block is placed at a time");
                  }});
}

Row<Action> brush_row() {
  static const auto kRows = brush_rows();
  return required(Row<Action>{"brush", "what is dug or filled", rows_schema(kRows),
                              [](const Node& n, Action& a) {
                                read_rows(n, kRows, a.brush);
                                check_brush(n, a.brush);
                              }});
}

Row<Action> explosion_row() {
  const std::vector<Row<Explosion>> rows{
      required(vector("center_m", &Explosion::center, kAnyLength, "from the site")),
      number("radius_m", &Explosion::radius, kSizes, "blocks nearer than this are gone"),
      number("speed_m_s", &Explosion::speed, {0, 1e3}, "given to pieces at the centre")};
  return required(object("explosion", &Action::explosion, rows, "where and how strong"));
}

const std::vector<KindRows<Action>>& action_kinds() {
  static const std::vector<KindRows<Action>> kKinds{
      {"remove",
       "takes out blocks",
       {when_row(), words("name", &Action::name, "all that was named so"), box_row()}},
      {"place", "places a block", {when_row(), block_row()}},
      {"dig", "takes ground away", {when_row(), brush_row()}},
      {"fill", "adds ground", {when_row(), brush_row()}},
      {"explode", "removes blocks and pushes pieces", {when_row(), explosion_row()}},
      {"push",
       "changes a body's speed",
       {when_row(), required(words("name", &Action::name, "the body")),
        vector("velocity_m_s", &Action::velocity_m_s, kSpeeds, "added"),
        vector("spin_rad_s", &Action::spin_rad_s, {-1e3, 1e3}, "added")}}};
  return kKinds;
}

void read_action(const Node& node, Action& action) {
  action.place = node.place();
  action.kind = static_cast<Action::Kind>(read_kind(node, "do", action_kinds(), action));
  if (action.kind == Action::Kind::Remove && action.name.empty() == !action.box) {
    node.fail("needs either a \"name\" or a \"box\"");
  }
  if (action.kind == Action::Kind::Dig) action.brush.mode = Brush::Mode::Dig;
  if (action.kind == Action::Kind::Fill) action.brush.mode = Brush::Mode::Fill;
}

// ---- expectations

Row<Expectation> value_row(const char* key, Range range, const char* meaning) {
  return required(number(key, &Expectation::value, range, meaning));
}
Row<Expectation> tolerance_row(const char* key) {
  return number(key, &Expectation::tolerance, {0, 1e9}, "how far off is still right");
}

/// `at_s` is for kinds that look at one moment; the others watch the whole run.
std::vector<Row<Expectation>> expected(std::vector<Row<Expectation>> own, bool at = true) {
  own.push_back(words("why", &Expectation::why, "shown where it fails"));
  if (at)
    own.push_back(number("at_s", &Expectation::at_s, kTimes, "when; the end where not given"));
  return own;
}

const std::vector<KindRows<Expectation>>& expectation_kinds() {
  using E = Expectation;
  const auto name = required(words("name", &E::name, "of the body, or of something in it"));
  static const std::vector<KindRows<Expectation>> kKinds{
      {"pieces", "how many bodies there are",
       expected({integer("count", &E::count, kCounts, "exactly"),
                 integer("least", &E::least, kCounts, "at least"),
                 integer("most", &E::most, kCounts, "at most")})},
      {"broke_off", "all that was named so is in pieces",
       expected({name, flag("together", &E::together, "all of it in one piece")})},
      {"stands", "all that was named so stands", expected({name})},
      {"mass", "of a body",
       expected({name, value_row("kg", {0, 1e15}, "its mass"), tolerance_row("tolerance_kg")})},
      {"position", "a body's centre is near a point",
       expected({name, required(vector("near_m", &E::point, kAnyLength, "from the site")),
                 tolerance_row("within_m")})},
      {"inside", "a body's centre is in a box",
       expected({name, required(vector("least_m", &E::point, kAnyLength, "from the site")),
                 required(vector("most_m", &E::other, kAnyLength, "from the site"))})},
      {"at_rest", "nothing moves any more",
       expected({number("by_s", &E::at_s, kTimes, "the latest; the end where not given")}, false)},
      {"first_contact", "when a body first touches something",
       expected({name, value_row("time_s", kTimes, "when"), tolerance_row("tolerance_s")}, false)},
      {"penetration", "no point of a body is deeper in anything solid",
       expected({value_row("most_m", {0, 1e4}, "at most")}, false)},
      {"speed", "no body's centre is faster",
       expected({value_row("most_m_s", {0, 1e6}, "at most")}, false)},
      {"energy", "no step adds energy to the bodies",
       expected({tolerance_row("tolerance_j")}, false)},
      {"blocks", "where the blocks are",
       expected({integer("standing", &E::standing, kCounts, "in place"),
                 integer("in_pieces", &E::in_pieces, kCounts, "in bodies"),
                 integer("removed", &E::removed, kCounts, "taken out"),
                 integer("lost", &E::lost, kCounts, "fallen out of the world")})}};
  return kKinds;
}

void read_expectation(const Node& node, Expectation& e) {
  e.place = node.place();
  e.kind = static_cast<Expectation::Kind>(read_kind(node, "that", expectation_kinds(), e));
  if (e.kind == Expectation::Kind::Pieces && !e.count && !e.least && !e.most) {
    node.fail("needs \"count\", \"least\" or \"most\"");
  }
}

void read_materials(const Node& node, Scenario& s) {
  node.require(JsonValue::Kind::List);
  if (node.value.items.size() > 1000) node.fail("more than 1000 materials");
  for (std::size_t i = 0; i < node.value.items.size(); ++i) {
    Material material;
    read_material(node.item(i), material);
    if (find_material(s.materials, material.name)) {
      node.item(i).fail("there is a material '" + material.name + "' already");
    }
    s.materials.push_back(material);
  }
}

Row<Scenario> site_row() {
  const std::vector<Row<Site>> rows{
      cells("cell", &Site::cell, kCells, "the cell of the origin"),
      vector("on_surface_m", &Site::on_surface_m, {-1e5, 1e5},
             "the origin is on the ground over this x and z; y is added")};
  return object("site", &Scenario::site, rows, "where cells and metres count from");
}

/// Keys that say nothing about the case: read elsewhere, or for editors.
Row<Scenario> ignored(const char* key, const char* meaning, const char* schema) {
  return {key, meaning, schema, [](const Node&, Scenario&) {}};
}

std::vector<Row<Scenario>> make_scenario_rows() {
  using S = Scenario;
  return {required(integer("talus", &S::talus, {1, 1}, "version of the format")),
          ignored("$schema", "for editors", R"({"type":"string"})"),
          words("about", &S::about, "what it shows"),
          terrain_row(),
          list<S, Brush>("edits", &S::edits, rows_schema(edit_rows()), read_edit,
                         "what was dug and filled before; metres of the world"),
          {"materials", "besides those that are built in",
           R"({"type":"array","maxItems":1000,"items":)" + rows_schema(material_rows()) + "}",
           read_materials},
          site_row(),
          list<S, Operation>("structure", &S::structure, kOperationRef, read_operation,
                             "what is built"),
          list<S, LoosePiece>("pieces", &S::pieces, rows_schema(piece_rows()), read_piece,
                              "what moves from the start"),
          object("settings", &S::settings, settings_rows(), "of the physics"),
          list<S, Action>("script", &S::script, kinds_schema("do", action_kinds()), read_action,
                          "what is done to it"),
          object("until", &S::until,
                 std::vector<Row<Until>>{
                     number("time_s", &Until::time_s, kTimes, "at the latest"),
                     flag("at_rest", &Until::at_rest, "earlier, once all is at rest and done")},
                 "when it ends"),
          list<S, Expectation>("expect", &S::expect, kinds_schema("that", expectation_kinds()),
                               read_expectation, "what makes it a test"),
          object("record", &S::record,
                 std::vector<Row<Record>>{
                     number("every_s", &Record::every_s, {1e-4, 3600}, "time between frames")},
                 "what the trajectory holds"),
          ignored("matrix", "values of parameters; every combination is a case",
                  R"({"type":"object","additionalProperties":{"type":"array","minItems":1,"items":)"
                  R"({"type":["number","string","boolean"]}}})")};
}

}  // namespace

const std::vector<KindRows<Operation>>& operation_kinds() {
  static const auto kKinds = make_operation_kinds();
  return kKinds;
}

const std::vector<Row<Scenario>>& scenario_rows() {
  static const auto kRows = make_scenario_rows();
  return kRows;
}

}  // namespace talus
