#include "run_outputs.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "io/scene.h"
#include "io/trajectory_writer.h"
#include "scenario/animation.h"
#include "scenario/cases.h"

namespace talus {

namespace {

const std::vector<std::string> kFormats = {"json", "jsonl", "csv"};  // as in TrajectoryFormat
const std::vector<std::string> kExtras = {"animation", "mesh"};

bool is_animation(const std::string& path) {
  return path.ends_with(".glb") || path.ends_with(".gltf");
}

TrajectoryFormat printed_format(const RunOutputs& outputs) {
  if (outputs.format.empty()) return TrajectoryFormat::Csv;
  return static_cast<TrajectoryFormat>(choice_argument("--format", outputs.format, kFormats));
}

struct Extras {
  bool animation = false, mesh = false;
};

Extras extras(const RunOutputs& outputs) {
  Extras extras;
  for (const std::size_t kind : choices_argument("--with", outputs.extras, kExtras)) {
    (kind == 0 ? extras.animation : extras.mesh) = true;
  }
  return extras;
}

void require_one_case(const char* option, std::size_t cases) {
  if (cases <= 1) return;
  throw Error(
      fmt::format("{}: takes one case, and {} are chosen: choose one with --case, or give "
                  "--out DIR",
                  option, cases));
}

void check_trajectory(const RunOutputs& outputs) {
  const bool printed = prints_trajectory(outputs);
  if (!outputs.format.empty() && !printed) {
    throw Error("--format: goes with '--trajectory -'; a file's ending names its format");
  }
  if (printed) {
    printed_format(outputs);
  } else if (is_animation(outputs.trajectory)) {
    check_animation_path(outputs.trajectory);
  } else if (!outputs.trajectory.empty()) {
    check_trajectory_path(outputs.trajectory);
  }
}

void require_different(const RunOutputs& outputs) {
  std::vector<std::string> paths;
  for (const std::string& path : {outputs.trajectory, outputs.mesh, outputs.animation}) {
    if (path.empty() || path == "-") continue;
    paths.push_back(std::filesystem::absolute(path).lexically_normal().string());
  }
  std::sort(paths.begin(), paths.end());
  const auto twice = std::adjacent_find(paths.begin(), paths.end());
  if (twice != paths.end()) throw Error(*twice + ": is named by two options; give each its own");
}

void write_case_folder(const RunOutputs& outputs, const Scenario& scenario,
                       const CaseResult& result) {
  write_case_files(result, outputs.folder, file_stem(scenario));
  if (result.verdict == Verdict::Error) return;
  const std::string path = outputs.folder + "/" + file_stem(scenario);
  const auto [animation, mesh] = extras(outputs);
  if (animation) write_animation(scenario, result.report, path + ".animation.glb");
  if (mesh) {
    write_structure(scenario, result.report, StructureState::Final, path + ".mesh.glb");
  }
}

}  // namespace

void add_output_options(CLI::App& verb, RunOutputs& outputs) {
  const char* group = "Output";
  add_text(verb, "--trajectory", outputs.trajectory, "FILE",
           "The one case's trajectory: .json (all of it), .jsonl or .csv (a row a body and frame), "
           ".glb or .gltf (as --animation); - is standard output")
      ->group(group);
  add_text(verb, "--format", outputs.format, "NAME",
           "Of '--trajectory -': json, jsonl or csv (default csv)")
      ->group(group);
  add_text(verb, "--animation", outputs.animation, "FILE",
           "The one case to look at, with its ground: .glb or .gltf")
      ->group(group);
  add_text(verb, "--mesh", outputs.mesh, "FILE",
           "What stands and every piece, at the end: .glb, .gltf or .obj")
      ->group(group);
  add_text(verb, "--out", outputs.folder, "DIR",
           "For each case NAME.report.json and NAME.trajectory.json")
      ->group(group);
  add_text(verb, "--with", outputs.extras, "LIST",
           "and in DIR also 'animation' (NAME.animation.glb), 'mesh' (NAME.mesh.glb), or both "
           "with a comma")
      ->group(group);
}

bool prints_trajectory(const RunOutputs& outputs) {
  return outputs.trajectory == "-";
}

void check_outputs(const RunOutputs& outputs, std::size_t cases) {
  if (!outputs.trajectory.empty()) require_one_case("--trajectory", cases);
  if (!outputs.animation.empty()) require_one_case("--animation", cases);
  if (!outputs.mesh.empty()) require_one_case("--mesh", cases);
  require_different(outputs);
  check_trajectory(outputs);
  if (!outputs.animation.empty()) check_animation_path(outputs.animation);
  if (!outputs.mesh.empty()) check_scene_path(outputs.mesh);
  if (outputs.folder.empty() && !outputs.extras.empty()) {
    throw Error("--with: goes with --out DIR; for one case give --animation or --mesh a file");
  }
  extras(outputs);
  if (!outputs.folder.empty()) make_output_folder(outputs.folder);
}

void write_outputs(const Shell& shell, const RunOutputs& outputs, const Scenario& scenario,
                   const CaseResult& result, StandardOutput& out) {
  if (!outputs.folder.empty()) {
    write_case_folder(outputs, scenario, result);
    detail(shell, fmt::format("{}/{}.*", outputs.folder, file_stem(scenario)));
  }
  if (result.verdict == Verdict::Error) return;
  if (prints_trajectory(outputs)) {
    write_trajectory(result.report.trajectory, printed_format(outputs),
                     [&](std::string_view text) { out.write(text); });
    out.flush();
  } else if (is_animation(outputs.trajectory)) {
    write_animation(scenario, result.report, outputs.trajectory);
  } else if (!outputs.trajectory.empty()) {
    write_trajectory(result.report.trajectory, outputs.trajectory);
  }
  if (!outputs.animation.empty()) write_animation(scenario, result.report, outputs.animation);
  if (!outputs.mesh.empty()) {
    write_structure(scenario, result.report, StructureState::Final, outputs.mesh);
  }
  for (const std::string& path : {outputs.trajectory, outputs.animation, outputs.mesh}) {
    if (!path.empty() && path != "-") detail(shell, path);
  }
}

}  // namespace talus
