#include "scenario/tables.h"

namespace talus {

namespace {

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

/// Keys that say nothing about the case: read elsewhere, or for editors.
Row<Scenario> ignored(const char* key, const char* meaning, const char* schema) {
  return {key, meaning, schema, [](const Node&, Scenario&) {}};
}

Row<Scenario> until_row() {
  const std::vector<Row<Until>> rows{
      number("time_s", &Until::time_s, kTimes, "at the latest"),
      flag("at_rest", &Until::at_rest, "earlier, once all is at rest and done")};
  return object("until", &Scenario::until, rows, "when it ends");
}

Row<Scenario> record_row() {
  const std::vector<Row<Record>> rows{
      number("every_s", &Record::every_s, {1e-4, 3600}, "time between frames")};
  return object("record", &Scenario::record, rows, "what the trajectory holds");
}

Row<Scenario> structure_row() {
  return list<Scenario, Operation>("structure", &Scenario::structure, kOperationRef, read_operation,
                                   "what is built");
}

Row<Scenario> version_row() {
  return required(integer("talus", &Scenario::talus, {1, 1}, "version of the format"));
}

std::vector<Row<Scenario>> make_scenario_rows() {
  using S = Scenario;
  return {version_row(),
          ignored("$schema", "for editors", R"({"type":"string"})"),
          words("about", &S::about, "what it shows"),
          terrain_row(),
          edits_row(),
          pools_row(),
          materials_row(),
          site_row(),
          structure_row(),
          list<S, LoosePiece>("pieces", &S::pieces, rows_schema(piece_rows()), read_piece,
                              "what moves from the start"),
          walkers_row(),
          settings_row(),
          script_row(),
          until_row(),
          expect_row(),
          record_row(),
          ignored("matrix", "values of parameters; every combination is a case",
                  R"({"type":"object","additionalProperties":{"type":"array","minItems":1,"items":)"
                  R"({"type":["number","string","boolean"]}}})")};
}

}  // namespace

const std::vector<Row<Scenario>>& scenario_rows() {
  static const auto kRows = make_scenario_rows();
  return kRows;
}

const std::vector<Row<Scenario>>& structure_file_rows() {
  static const std::vector<Row<Scenario>> kRows{
      version_row(), ignored("$schema", "for editors", R"({"type":"string"})"),
      words("about", &Scenario::about, "what it is"), required(structure_row())};
  return kRows;
}

}  // namespace talus
