#include <utility>

#include "scenario/tables.h"

namespace talus {

namespace {

std::vector<std::string> shapes() {
  std::vector<std::string> names;
  for (const std::string_view name : shape_names()) names.emplace_back(name);
  return names;
}

const std::vector<std::string> kAlong{"x", "y", "z"};

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

/// "+x-y": the edge between those two sides.
std::string edge_name(int edge) {
  std::string name;
  const IVec3 out = edge_outward(edge);
  for (int axis = 0; axis < 3; ++axis) {
    if (out[axis] != 0) name += std::string(out[axis] > 0 ? "+" : "-") + "xyz"[axis];
  }
  return name;
}

Row<Operation> cuts_row() {
  const std::vector<std::string> kinds{"round", "bevel", "ramp"};
  std::vector<Row<Operation>> rows;
  rows.reserve(kEdges);
  for (int edge = 0; edge < kEdges; ++edge) {
    rows.push_back({edge_name(edge), "the edge between these two sides",
                    or_parameter(choice_schema(kinds)),
                    [kinds, edge](const Node& n, Operation& op) {
                      op.cuts.emplace_back(edge, static_cast<Cut>(read_choice(n, kinds) + 1));
                    }});
  }
  return {"cuts", "what is cut off single edges, over what the shape cuts", rows_schema(rows),
          [rows](const Node& n, Operation& op) { read_rows(n, rows, op); }};
}

/// The rows that every kind made of blocks has, and its own.
std::vector<Row<Operation>> with_block_rows(std::vector<Row<Operation>> own) {
  for (auto& row : where_rows()) own.push_back(std::move(row));
  own.push_back(
      integer("size", &Operation::size, {1, kMaxBlockSize}, "cells along a block's edge"));
  own.push_back(words("material", &Operation::material, "name of a material"));
  own.push_back(name_of("shape", &Operation::shape, shapes(), "what is cut off each block"));
  own.push_back(cuts_row());
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
  // In the order of Operation::Kind.
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
      {"import", "what a structure file holds, or the inside of a mesh",
       [] {
         auto rows = where_rows();
         rows.push_back(required(words("file", &Op::file,
                                       "a structure file (.json) or a closed mesh (.obj, .glb), as "
                                       "seen from this file's folder")));
         rows.push_back(number("cell_m", &Op::cell_m, {1e-4, 1e4},
                               "of a mesh: how much of it, in its unit, becomes one cell"));
         rows.push_back(integer("largest", &Op::largest, {1, kMaxBlockSize},
                                "of a mesh: most cells along a block's edge"));
         rows.push_back(words("material", &Op::material, "of a mesh: what its blocks are made of"));
         return rows;
       }()},
      {"group", "operations in a frame of their own", [] {
         auto rows = where_rows();
         rows.push_back(required(list<Op, Op>("structure", &Op::structure, kOperationRef,
                                              read_operation, "what it consists of", 1)));
         return rows;
       }()}};
}

}  // namespace

const std::vector<KindRows<Operation>>& operation_kinds() {
  static const auto kKinds = make_operation_kinds();
  return kKinds;
}

std::vector<Row<Operation>> block_rows() {
  return with_block_rows({});
}

void read_operation(const Node& node, Operation& op) {
  op.place = node.place();
  op.kind = static_cast<Operation::Kind>(read_kind(node, "op", operation_kinds(), op));
}

}  // namespace talus
