// `talus import`: a closed mesh to a structure file of blocks.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "io/atomic_file.h"
#include "io/mesh_reader.h"
#include "scenario/structure_file.h"
#include "streams.h"
#include "structure/voxelise.h"
#include "voxel/material.h"

namespace talus {

namespace {

struct ImportOptions {
  std::string mesh;
  std::string out;
  std::string cell, largest, material;
  bool to_origin = false;
};

double cell_of(const ImportOptions& options) {
  if (options.cell.empty()) return kCell;
  const double cell = number_argument("--cell", options.cell);
  if (cell >= 1e-4 && cell <= 1e4) return cell;
  throw Error(fmt::format("--cell: must be from 0.0001 to 10000, got {}", options.cell));
}

/// Names that are not built in are a scenario's own, so any is taken; none is empty.
std::string material_of(const ImportOptions& options) {
  return options.material.empty() ? default_materials().front().name : options.material;
}

std::vector<BlockBox> boxes_of(const ImportOptions& options, SolidCells& cells) {
  const int largest =
      options.largest.empty()
          ? kMaxBlockSize
          : static_cast<int>(integer_argument("--largest", options.largest, 1, kMaxBlockSize));
  try {
    cells = voxelise(read_mesh_file(options.mesh), cell_of(options));
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.find(options.mesh) != std::string::npos) throw;
    throw Error(options.mesh + ": " + what, error.trouble());
  }
  if (cells.solid.count() == 0) {
    throw Error(options.mesh + ": no cell's middle is inside the mesh: take a smaller --cell");
  }
  return merge_cells(cells, largest);
}

/// The least cell that is solid on each axis is not the box's: thin rims hold no middle.
IVec3 least_corner(const std::vector<BlockBox>& boxes) {
  IVec3 least = boxes.front().cell;
  for (const BlockBox& box : boxes) {
    for (int i = 0; i < 3; ++i) least[i] = std::min(least[i], box.cell[i]);
  }
  return least;
}

int run_import(const Shell& shell, const ImportOptions& options) {
  if (!options.out.ends_with(".json") && options.out != "-") {
    throw Error(fmt::format("-o: structures are written as .json, got '{}'", options.out));
  }
  SolidCells cells;
  const std::vector<BlockBox> boxes = boxes_of(options, cells);
  throw_if_stopped();
  const IVec3 from = options.to_origin ? least_corner(boxes) : IVec3(0);
  const std::string about = "from " + std::filesystem::path(options.mesh).filename().string();
  const std::string text = structure_file_text(boxes, material_of(options), from, about);
  if (options.out == "-") {
    StandardOutput out;
    out.write(text);
    out.flush();
  } else {
    AtomicFile file(options.out, FileKind::Json);
    file.write(text);
    file.commit();
  }
  std::int64_t blocks = 0;
  for (const BlockBox& box : boxes) {
    blocks += std::int64_t{box.blocks.x} * box.blocks.y * box.blocks.z;
  }
  note(shell, fmt::format("{}: {} cells, {} blocks in {} boxes", options.out, cells.solid.count(),
                          blocks, boxes.size()));
  return 0;
}

}  // namespace

void add_import(CLI::App& program, CommandLine& line) {
  CLI::App* verb = add_verb(
      program, "import",
      "A closed mesh to a structure file of blocks, for operation \"import\" of scenarios",
      "  talus import statue.obj -o statue.json\n"
      "  talus import statue.obj --cell 0.1 --largest 4 --material bricks -o statue.json\n"
      "  (in a scenario)  \"structure\": [{\"op\": \"import\", \"file\": \"statue.json\"}]");
  auto options = std::make_shared<ImportOptions>();
  verb->add_option("mesh", options->mesh, "A closed mesh: .obj, .glb or .gltf")
      ->option_text("MESH")
      ->required();
  add_text(*verb, "-o,--output", options->out, "FILE", "The structure file: .json, or - for stdout")
      ->required();
  add_text(*verb, "--cell", options->cell, "LENGTH",
           "How much of the mesh, in its unit, becomes one cell of half a metre (default 0.5)");
  add_text(*verb, "--largest", options->largest, "N",
           "Most cells along a block's edge, 1 to 16 (default 16)");
  add_text(*verb, "--material", options->material, "NAME",
           "What the blocks are of (default stone)");
  verb->add_flag("--to-origin", options->to_origin,
                 "Move the least corner to cell 0 0 0; else cells are where the mesh is");
  verb->callback([&line, options] {
    line.action = [options](const Shell& shell) { return run_import(shell, *options); };
  });
}

}  // namespace talus
