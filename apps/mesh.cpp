// `talus mesh`: a region of terrain to a mesh file, or to a file a chunk.
#include <chrono>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "bake/bake.h"
#include "case_options.h"
#include "command_line.h"
#include "core/error.h"
#include "io/scene.h"
#include "scenario/animation.h"
#include "streams.h"
#include "world_options.h"

namespace talus {

namespace {

// As typed; empty where not given.
struct MeshOptions {
  WorldOptions world;
  std::string scenario, scenario_case;
  std::string from, to, around, size;
  std::string step = "1", chunk = "32", threads;
  std::string mesher = "surface-nets";
  std::string file, tiles, tile_format = "glb";
  bool closed = false, flat = false, colors = false, no_merge = false;
  bool quantize = false, compress = false, verify_skips = false, json = false;
};

const char* const kExamples =
    "  talus mesh --around 320,-48 --size 256 -o hills.glb\n"
    "  talus mesh --from 304,-20,-64 --to 368,60,0 --closed --colors -o block.obj\n"
    "  talus mesh --around 0,0 --size 2048 --step 2 --tiles tiles --compress\n"
    "  talus mesh --scenario tower.json -o tower.glb";

// What was typed about the region; empty where nothing was.
std::string region_text(const MeshOptions& options) {
  return options.from + options.to + options.around + options.size;
}

Vec3 corner(const char* option, const std::string& text) {
  const auto xyz = point_argument(option, text, 3, "x,y,z");
  return {xyz[0], xyz[1], xyz[2]};
}

// Runs a function of the library on what the options say; its complaints get the options' names.
template <class Work>
auto blaming(const std::string& options, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(options + ": " + error.what(), error.trouble());
  }
}

IBox region_argument(const MeshOptions& options, const Terrain& terrain, double step) {
  const bool corners = !options.from.empty() || !options.to.empty();
  const bool around = !options.around.empty() || !options.size.empty();
  if (corners == around) {
    throw Error(
        "which region? give either --from x,y,z and --to x,y,z, or --around x,z and --size m");
  }
  if (corners) {
    if (options.from.empty() || options.to.empty()) {
      throw Error(fmt::format("--from and --to go together: {} is missing",
                              options.from.empty() ? "--from" : "--to"));
    }
    return blaming("--from " + options.from + " --to " + options.to, [&] {
      return region_from_corners(corner("--from", options.from), corner("--to", options.to), step);
    });
  }
  if (options.around.empty() || options.size.empty()) {
    throw Error(fmt::format("--around and --size go together: {} is missing",
                            options.around.empty() ? "--around" : "--size"));
  }
  const auto xz = point_argument("--around", options.around, 2, "x,z");
  const double size = number_argument("--size", options.size);
  return blaming("--around " + options.around + " --size " + options.size,
                 [&] { return region_around(terrain, xz[0], xz[1], size, step); });
}

BakeRequest bake_request(const MeshOptions& options) {
  BakeRequest request;
  const TerrainFile world = read_world(options.world);
  request.terrain = make_terrain(world);
  request.spec = world.spec;
  request.step = number_argument("--step", options.step);
  request.region = region_argument(options, request.terrain, request.step);
  request.mesher = blaming("--mesher", [&] { return mesher_from_name(options.mesher); });
  if (options.no_merge && request.mesher != Mesher::Blocks) {
    throw Error("--no-merge: only '--mesher blocks' merges faces; leave it out");
  }
  request.closed = options.closed;
  request.flat = options.flat;
  request.colors = options.colors;
  request.merge = !options.no_merge;
  request.chunk = static_cast<int>(integer_argument("--chunk", options.chunk, 4, 128));
  request.threads = threads_argument(options.threads);
  request.verify_skips = options.verify_skips;
  if (options.quantize) request.encoding = MeshEncoding::Quantized;
  if (options.compress) request.encoding = MeshEncoding::Compressed;
  return request;
}

std::string json_document(const BakeResult& result, const std::string& where) {
  using Json = nlohmann::ordered_json;
  const Json document = {{"output", where},
                         {"triangles", result.triangles},
                         {"vertices", result.vertices},
                         {"chunks", result.chunks},
                         {"surface_chunks", result.surface_chunks}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// What a scenario builds, without the ground that it stands on.
int run_structure(const Shell& shell, const MeshOptions& options) {
  if (!region_text(options).empty() || !options.tiles.empty()) {
    throw Error("--scenario: a structure goes to one file, -o, and takes no region and no --tiles");
  }
  if (options.file.empty()) throw Error("where to? give -o FILE (.glb, .gltf, .obj)");
  check_scene_path(options.file);
  CaseOptions chosen;
  chosen.paths = {options.scenario};
  if (!options.scenario_case.empty()) chosen.patterns = {options.scenario_case};
  const std::vector<CaseFile> files = chosen_cases(shell, chosen);
  const std::size_t cases = count_cases(files);
  if (cases == 0) return no_cases_code(shell, chosen);
  if (cases > 1) {
    throw Error(fmt::format("--scenario: {} cases are chosen: choose one with --case", cases));
  }
  for (const CaseFile& file : files) {
    for (const Scenario& scenario : file.cases) write_structure(scenario, options.file);
  }
  note(shell, options.file + ": written");
  return 0;
}

int run_mesh(const Shell& shell, const MeshOptions& options) {
  const bool tiled = !options.tiles.empty();
  if (tiled == !options.file.empty()) {
    throw Error("where to? give either -o FILE (.glb, .gltf, .obj) or --tiles DIR");
  }
  const BakeRequest request = bake_request(options);
  static const std::vector<std::string> kFormats = {"glb", "gltf", "obj"};
  choice_argument("--tile-format", options.tile_format, kFormats);

  const auto start = std::chrono::steady_clock::now();
  BakeResult result;
  {
    const Progress progress = show_progress(shell, "chunks");
    result = tiled ? bake_tiles(request, options.tiles, options.tile_format, progress)
                   : bake_merged(request, options.file, progress);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  const std::string& where = tiled ? options.tiles : options.file;
  note(shell,
       fmt::format("{}: {} triangles, {} vertices{}", where, result.triangles, result.vertices,
                   tiled ? fmt::format(", {} tiles", result.surface_chunks) : ""));
  if (result.triangles == 0) {
    note(shell, "no surface crosses the region; 'talus query height' tells where the ground is");
  }
  detail(shell, fmt::format("{} of {} chunks hold surface; {:.3f} s on {} threads",
                            result.surface_chunks, result.chunks, taken.count(), request.threads));
  if (options.json) {
    StandardOutput out;
    out.write(json_document(result, where));
    out.flush();
  }
  return 0;
}

void add_region_options(CLI::App& verb, MeshOptions& options) {
  const char* group = "Region";
  add_text(verb, "--from", options.from, "X,Y,Z", "One corner, metres; y is up")->group(group);
  add_text(verb, "--to", options.to, "X,Y,Z", "The opposite corner")->group(group);
  add_text(verb, "--around", options.around, "X,Z", "Or: the ground around this column")
      ->group(group);
  add_text(verb, "--size", options.size, "M", "and how wide")->group(group);
  add_text(verb, "--step", options.step, "M",
           "Metres between samples: a multiple of 1/64, up to 64 (default 1)")
      ->group(group);
  add_text(verb, "--scenario", options.scenario, "FILE",
           "Or, instead of terrain: what this scenario builds, as it stands at the start")
      ->group(group);
  add_text(verb, "--case", options.scenario_case, "NAME",
           "Its case of this name, if it has several")
      ->group(group);
}

void add_surface_options(CLI::App& verb, MeshOptions& options) {
  const char* group = "Surface";
  add_text(verb, "--mesher", options.mesher, "NAME",
           joined(mesher_names()) + " (default " + options.mesher + ")")
      ->group(group);
  verb.add_flag("--closed", options.closed, "Cap the mesh at the region's box: watertight")
      ->group(group);
  verb.add_flag("--flat", options.flat, "One normal a face")->group(group);
  verb.add_flag("--colors", options.colors, "Colours by slope and depth")->group(group);
  verb.add_flag("--no-merge", options.no_merge, "blocks: every face its own quad, no T-junctions")
      ->group(group);
}

void add_output_options(CLI::App& verb, MeshOptions& options) {
  const char* group = "Output";
  add_text(verb, "-o,--output", options.file, "FILE", "One mesh: .glb, .gltf or .obj")
      ->group(group);
  add_text(verb, "--tiles", options.tiles, "DIR", "Or: a file a chunk, and index.json")
      ->group(group);
  add_text(verb, "--tile-format", options.tile_format, "NAME", "glb, gltf or obj (default glb)")
      ->group(group);
  add_text(verb, "--chunk", options.chunk, "N", "Cells along a chunk's side, 4 to 128 (default 32)")
      ->group(group);
  verb.add_flag("--quantize", options.quantize, "glTF: 16-bit positions (KHR_mesh_quantization)")
      ->group(group);
  verb.add_flag("--compress", options.compress, "glTF: that, and EXT_meshopt_compression")
      ->group(group);
  verb.add_flag("--json", options.json, "What was written, as a JSON document on stdout")
      ->group(group);
}

}  // namespace

void add_mesh(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<MeshOptions>();
  CLI::App* verb =
      add_verb(program, "mesh", "A region of terrain to .glb, .gltf or .obj", kExamples);
  add_region_options(*verb, *options);
  add_world_options(*verb, options->world);
  add_surface_options(*verb, *options);
  add_output_options(*verb, *options);
  add_text(*verb, "-j,--jobs", options->threads, "N",
           "Threads; the result does not depend on it (default: all cores)")
      ->group("Work");
  verb->add_flag("--verify-skips", options->verify_skips,
                 "Sample also what is known to be empty, and fail if it was not")
      ->group("Work");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (!options->scenario.empty()) return run_structure(shell, *options);
      if (!options->scenario_case.empty()) throw Error("--case: goes with --scenario FILE");
      const bool bare = (region_text(*options) + options->file + options->tiles).empty();
      if (bare) {
        complain(shell, "which region, and where to?\n\n" + verb->help());
        return 2;
      }
      return run_mesh(shell, *options);
    };
  });
}

}  // namespace talus
