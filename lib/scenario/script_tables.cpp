#include <utility>

#include "scenario/tables.h"

namespace talus {

namespace {

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
  const auto rows = block_rows();
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

Row<Action> ball_row(std::vector<Row<BallSpec>> rows) {
  return required(object("ball", &Action::ball, std::move(rows), "the ball"));
}
Row<Action> ball_name() {
  return words("name", &Action::name, "what expectations call it");
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
        vector("spin_rad_s", &Action::spin_rad_s, {-1e3, 1e3}, "added")}},
      {"throw", "brings in a ball in flight", {when_row(), ball_name(), ball_row(thrown_rows())}},
      {"drop", "brings in a ball at rest", {when_row(), ball_name(), ball_row(dropped_rows())}}};
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

}  // namespace

Row<Scenario> script_row() {
  return list<Scenario, Action>("script", &Scenario::script, kinds_schema("do", action_kinds()),
                                read_action, "what is done to it");
}

}  // namespace talus
