// `talus inspect`: what a file holds; of a mesh, whether it is whole.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "inspect_trajectory.h"
#include "io/mesh_reader.h"
#include "mesh/measure.h"
#include "streams.h"

namespace talus {

namespace {

struct InspectOptions {
  std::vector<std::string> files;
  std::vector<std::string> required;
  std::string output;
  bool energy = false, json = false;
};

// A defect that can be counted, and what asks for there being none of it.
struct Defect {
  const char* name;
  std::uint64_t MeshMeasure::*count;
  bool allowed_when_clean;  // a clean mesh may have a border; a closed one may not
};

constexpr Defect kDefects[] = {
    {"open edges", &MeshMeasure::open_edges, true},
    {"edges with more than two triangles", &MeshMeasure::crowded_edges, false},
    {"edges with two triangles the same way", &MeshMeasure::misdirected_edges, false},
    {"degenerate triangles", &MeshMeasure::degenerate_triangles, false},
    {"flipped triangles", &MeshMeasure::flipped_triangles, false},
};

const std::vector<std::string> kRequirements = {"closed", "clean"};

// What keeps the mesh from being `requirement`; "" when it is that.
std::string shortcomings(const MeshMeasure& found, const std::string& requirement) {
  if (requirement == "closed" && found.triangles == 0) return "no triangles";
  std::string text;
  for (const Defect& defect : kDefects) {
    if (found.*defect.count == 0 || (requirement == "clean" && defect.allowed_when_clean)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", found.*defect.count, defect.name);
  }
  return text;
}

std::string plain_text(const MeshMeasure& found) {
  std::string text;
  const auto add = [&text](std::string name, const std::string& value) {
    name.resize(39, ' ');
    text += name + value + "\n";
  };
  add("triangles", fmt::format("{}", found.triangles));
  add("vertices", fmt::format("{} at {} places", found.vertices, found.welded_vertices));
  add("components", fmt::format("{}", found.components));
  if (found.triangles > 0) {
    const auto& [lo, hi] = found.bounds;
    add("bounds, m", fmt::format("{},{},{} to {},{},{}", lo.x, lo.y, lo.z, hi.x, hi.y, hi.z));
  }
  add("area, m2", fmt::format("{}", found.area_m2));
  add("volume, m3", found.closed() ? fmt::format("{}", found.volume_m3) : "none, it is not closed");
  for (const Defect& defect : kDefects) add(defect.name, fmt::format("{}", found.*defect.count));
  for (const std::string& requirement : kRequirements) {
    add(requirement, shortcomings(found, requirement).empty() ? "yes" : "no");
  }
  return text;
}

std::string json_document(const InspectOptions& options, const MeshMeasure& found, bool passed) {
  using Json = nlohmann::ordered_json;
  const auto& [lo, hi] = found.bounds;
  Json bounds;
  if (found.triangles > 0) bounds = {{"min", {lo.x, lo.y, lo.z}}, {"max", {hi.x, hi.y, hi.z}}};
  const Json document = {
      {"files", options.files},
      {"triangles", found.triangles},
      {"vertices", found.vertices},
      {"welded_vertices", found.welded_vertices},
      {"components", found.components},
      {"bounds_m", bounds},
      {"area_m2", found.area_m2},
      {"volume_m3", found.closed() ? Json(found.volume_m3) : Json()},
      {"open_edges", found.open_edges},
      {"crowded_edges", found.crowded_edges},
      {"misdirected_edges", found.misdirected_edges},
      {"degenerate_triangles", found.degenerate_triangles},
      {"flipped_triangles", found.flipped_triangles},
      {"closed", shortcomings(found, "closed").empty()},
      {"clean", shortcomings(found, "clean").empty()},
      {"required", options.required},
      {"passed", passed},
  };
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int inspect_meshes(const Shell& shell, const InspectOptions& options) {
  if (options.energy || !options.output.empty()) {
    throw Error(fmt::format("{}: is for trajectories (.json, .jsonl, .csv)",
                            options.energy ? "--energy" : "--output"));
  }
  for (const std::string& name : options.required)
    choice_argument("--require", name, kRequirements);
  std::vector<Mesh> meshes;
  for (const std::string& file : options.files) {
    throw_if_stopped();
    for (Mesh& mesh : read_mesh_file(file)) meshes.push_back(std::move(mesh));
  }
  const MeshMeasure found = measure(meshes);

  int code = 0;
  for (const std::string& name : options.required) {
    const std::string missing = shortcomings(found, name);
    if (missing.empty()) continue;
    complain(shell, fmt::format("{}: not {}: {}", joined(options.files), name, missing));
    code = 1;
  }
  StandardOutput out;
  out.write(options.json ? json_document(options, found, code == 0) : plain_text(found));
  out.flush();
  return code;
}

int run_inspect(const Shell& shell, const InspectOptions& options) {
  const auto& files = options.files;
  if (std::none_of(files.begin(), files.end(), names_trajectory)) {
    return inspect_meshes(shell, options);
  }
  if (files.size() > 1) throw Error("one trajectory at a time, and no mesh beside it");
  if (!options.required.empty()) throw Error("--require: is for meshes");
  return inspect_trajectory(shell, {files.front(), options.output, options.energy, options.json});
}

}  // namespace

void add_inspect(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* verb = add_verb(program, "inspect", "What a mesh or a trajectory holds",
                            "  talus inspect tiles/*.glb --require clean --json\n"
                            "  talus inspect tower.json\n"
                            "  talus inspect tower.json --energy > energy.csv\n"
                            "  talus inspect tower.json -o tower.csv");
  verb->add_option("file", options->files,
                   "Mesh files, taken together as one surface; or a trajectory, .json .jsonl .csv "
                   "or - for standard input")
      ->option_text("FILE ...");
  verb->add_option("--require", options->required, "Exit with 1 unless it is: closed, clean")
      ->option_text("WHAT,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_flag("--energy", options->energy, "Energy of a trajectory over time, as CSV");
  add_text(*verb, "-o,--output", options->output, "FILE",
           "Convert a trajectory to .json, .jsonl or .csv");
  verb->add_flag("--json", options->json, "A JSON document");
  verb->footer(
      "clean: no edge with more than two triangles or with two the same way, no triangle "
      "degenerate or\n"
      "facing away from its normals. closed: clean, and no edge with one triangle. Vertices at the "
      "same\n"
      "place count as one.");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->files.empty()) {
        complain(shell, "which file?\n\n" + verb->help());
        return 2;
      }
      return run_inspect(shell, *options);
    };
  });
}

}  // namespace talus
