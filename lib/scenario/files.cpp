#include "scenario/files.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "bake/height_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "io/atomic_file.h"
#include "io/mesh_reader.h"
#include "io/read_file.h"
#include "scenario/structure_file.h"
#include "scenario/tables.h"

namespace talus {

namespace {

/// Structure files that name one another.
constexpr std::size_t kDeepestImport = 8;

std::string beside(const Place& place, const std::string& name) {
  return name.starts_with("/") ? name : folder_of(place.file) + "/" + name;
}

std::vector<Operation> import_mesh(const std::string& path, const Operation& op) {
  const auto boxes = merge_cells(voxelise(read_mesh_file(path), op.cell_m), op.largest);
  check_box_count(boxes.size());
  if (boxes.empty()) throw Error("no cell's middle is inside the mesh: take a smaller cell");
  std::vector<Operation> operations;
  for (const BlockBox& box : boxes) {
    Operation& each = operations.emplace_back();
    each.kind = Operation::Kind::Box;
    each.cell = box.cell;
    each.size = box.size;
    each.blocks = box.blocks;
    each.material = op.material;
    each.place = op.place;
  }
  return operations;
}

std::uint64_t hash_of(const std::vector<Operation>& boxes) {
  Hash64 hash;
  for (const Operation& box : boxes) hash.add(box.cell).add(box.size).add(box.blocks);
  return hash.value();
}

std::uint64_t hash_of(const HeightGrid& grid) {
  return Hash64()
      .add(grid.origin_x)
      .add(grid.origin_z)
      .add(grid.spacing)
      .add(grid.columns)
      .add(grid.rows)
      .add(std::span<const double>(grid.heights))
      .value();
}

bool has_ending(const std::string& path, const char* ending) {
  return path.ends_with(ending);
}

}  // namespace

ScenarioFiles::Import ScenarioFiles::import_structure(const std::string& path,
                                                      const std::string& text) {
  const JsonValue root = parse_json(text, path);
  Scenario part;
  read_rows({root, path, ""}, structure_file_rows(), part);
  const std::vector<std::uint64_t> outer = std::exchange(named_, {});
  open_.push_back(path);
  load(part.structure);
  open_.pop_back();
  Hash64 hash;
  hash.bytes(text.data(), text.size()).add(std::span<const std::uint64_t>(named_));
  named_ = outer;
  return {std::make_shared<const std::vector<Operation>>(std::move(part.structure)), hash.value()};
}

ScenarioFiles::Import ScenarioFiles::import(const Operation& op) {
  const std::string path = beside(op.place, op.file);
  if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
    fail_at(op.place, "the file imports itself: " + op.file);
  }
  if (open_.size() >= kDeepestImport) {
    fail_at(op.place, fmt::format("imports go over {} files deep", kDeepestImport));
  }
  const auto key = std::make_tuple(path, op.cell_m, op.largest, op.material);
  if (const auto known = imports_.find(key); known != imports_.end()) return known->second;
  if (has_ending(path, ".json")) {
    std::string text;
    try {
      text = read_file(path, kLongestJson);
    } catch (const Error& error) {
      fail_at(op.place, error.what());
    }
    return imports_[key] = import_structure(path, text);
  }
  if (!has_ending(path, ".obj") && !has_ending(path, ".glb")) {
    fail_at(op.place, "must be a .json, .obj or .glb file, got '" + op.file + "'");
  }
  try {
    auto boxes = std::make_shared<const std::vector<Operation>>(import_mesh(path, op));
    const std::uint64_t hash = hash_of(*boxes);
    return imports_[key] = {std::move(boxes), hash};
  } catch (const Error& error) {
    fail_at(op.place, op.file + ": " + error.what());
  }
}

void ScenarioFiles::load(std::vector<Operation>& operations) {
  for (Operation& op : operations) {
    load(op.structure);
    if (op.kind != Operation::Kind::Import) continue;
    const Import found = import(op);
    op.imported = found.operations;
    named_.push_back(found.hash);
  }
}

void ScenarioFiles::load_heights(Scenario& scenario) {
  const HeightFile& file = scenario.heights;
  const std::string path = beside(file.place, file.file);
  const auto key = std::make_tuple(path, file.spacing_m, file.origin_x_m, file.origin_z_m);
  auto known = heights_.find(key);
  try {
    if (known == heights_.end()) {
      TerrainSpec spec = scenario.terrain;
      if (file.spacing_m) place_heights(spec, "spacing_m", *file.spacing_m);
      if (file.origin_x_m) place_heights(spec, "origin_x_m", *file.origin_x_m);
      if (file.origin_z_m) place_heights(spec, "origin_z_m", *file.origin_z_m);
      talus::load_heights(spec, path);
      known = heights_.emplace(key, Heights{spec.heights, hash_of(*spec.heights)}).first;
    }
    scenario.terrain.heights = known->second.grid;
    named_.push_back(known->second.hash);
    make_preset(scenario.terrain);
  } catch (const Error& error) {
    fail_at(file.place, error.what());
  }
}

void ScenarioFiles::load(Scenario& scenario) {
  named_.clear();
  load(scenario.structure);
  for (LoosePiece& piece : scenario.pieces) load(piece.structure);
  if (scenario.terrain.preset == "heightmap") load_heights(scenario);
  if (named_.empty()) return;
  Hash64 hash;
  hash.bytes(scenario.hash.data(), scenario.hash.size());
  hash.add(std::span<const std::uint64_t>(named_));
  scenario.hash = fmt::format("{:016x}", hash.value());
}

}  // namespace talus
