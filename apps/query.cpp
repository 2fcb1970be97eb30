// `talus query density|height|nearest|ray|box|sweep`: one point, or a stream of rows.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "query_rows.h"
#include "query_solids.h"
#include "query_sweep.h"
#include "terrain/terrain.h"

namespace talus {

namespace {

struct QueryOptions {
  SolidsOptions solids;
  std::string point;
  bool json = false;
};

Question ask_density(const QueryOptions& options) {
  return {{"x", "y", "z"},
          {"density"},
          [terrain = make_terrain(read_world(options.solids.world))](auto point) {
            return std::vector<Answer>{density(terrain, {point[0], point[1], point[2]})};
          }};
}

Question ask_height(const QueryOptions& options) {
  return {{"x", "z"},
          {"height_m"},
          [terrain = make_terrain(read_world(options.solids.world))](auto point) {
            return std::vector<Answer>{terrain.preset->height(point[0], point[1])};
          }};
}

Question ask_nearest(const QueryOptions& options) {
  return ask_nearest_of(options.solids);
}
Question ask_ray_of(const QueryOptions& options) {
  return ask_ray(options.solids);
}
Question ask_box_of(const QueryOptions& options) {
  return ask_box(options.solids);
}

Question ask_sweep_of(const QueryOptions& options) {
  return ask_sweep(options.solids.world, options.solids.mesh);
}

struct Kind {
  const char* name;
  const char* shape;  // of a point
  const char* description;
  const char* examples;
  Question (*ask)(const QueryOptions&);
};

constexpr Kind kKinds[] = {
    {"density", "x,y,z", "How far inside the ground a point is: above 0 rock and soil, below 0 air",
     "  talus query density 304,4,-64\n"
     "  talus query density < points.csv > with_density.csv",
     ask_density},
    {"height", "x,z", "The height of the ground over a point, metres, before overhangs and caves",
     "  talus query height 320,-48\n"
     "  printf 'x,z\\n0,0\\n320,-48\\n' | talus query height\n"
     "  talus query height --seed 7 < columns.jsonl > heights.jsonl",
     ask_height},
    {"nearest", "x,y,z",
     "The nearest surface: its distance (below 0 inside the ground) and which way is out",
     "  talus query nearest 304,20,-64 --json\n"
     "  talus query nearest --reach 5 < points.csv > with_distances.csv\n"
     "  talus query nearest 0.5,1.5,0.5 --scenario tower.json --at 3",
     ask_nearest},
    {"ray", "x,y,z,dx,dy,dz",
     "What a ray from x,y,z along dx,dy,dz meets first: how far on, where (p), the surface's\n"
     "normal (n), and what it is",
     "  talus query ray 304,60,-64,0,-1,0\n"
     "  talus query ray 2,3,-9,0,0,1 --scenario tower.json --at 3 --all\n"
     "  talus query ray --mesh rock.glb < rays.csv > hits.csv",
     ask_ray_of},
    {"box", "x0,y0,z0,x1,y1,z1",
     "What a box from the corner x0,y0,z0 to x1,y1,z1 overlaps: how many triangles, and of what",
     "  talus query box 300,0,-70,310,20,-60\n"
     "  talus query box 0,0,0,4,2,4 --scenario tower.json --at 3",
     ask_box_of},
    {"sweep", "x0,y0,z0,x1,y1,z1,radius",
     "What a ball touches first on its way from x0,y0,z0 to x1,y1,z1: when (time, 0 to 1), where\n"
     "(p), the way out (n), and with which feature (face, edge, corner)",
     "  talus query sweep 304,60,-64,310,-20,-60,0.5 --json\n"
     "  talus query sweep --mesh rock.glb < throws.csv > hits.csv",
     ask_sweep_of},
};

// The bare value, or a "name value" line for each of several.
std::string plain_text(const Question& question, const std::vector<Answer>& answers) {
  if (answers.size() == 1) return csv_text(answers[0]) + "\n";
  std::string text;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (std::holds_alternative<std::monostate>(answers[i])) continue;
    text += question.outputs[i] + " " + csv_text(answers[i]) + "\n";
  }
  return text;
}

std::string json_document(const Question& question, std::span<const double> point,
                          const std::vector<Answer>& answers) {
  std::string text;
  const auto add = [&](const std::string& name, const Answer& value) {
    text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",", name, json_text(value));
  };
  for (std::size_t i = 0; i < point.size(); ++i) add(question.inputs[i], point[i]);
  for (std::size_t i = 0; i < answers.size(); ++i) add(question.outputs[i], answers[i]);
  return text + "}\n";
}

int run_query(const Kind& kind, const QueryOptions& options) {
  const Question question = kind.ask(options);
  StandardOutput out;
  if (options.point.empty() || options.point == "-") {
    if (options.json)
      throw Error("--json: is for one point; rows are answered in their own format");
    StandardInput in;
    answer_rows(question, in, out);
    return 0;
  }
  const auto point = point_argument("point", options.point, question.inputs.size(), kind.shape);
  const auto all = answers_to(question, point);
  const bool list = options.json && question.answers;
  std::string text;
  for (const auto& answers : all) {
    if (!text.empty()) text += list ? "," : "\n";
    text += options.json ? json_document(question, point, answers) : plain_text(question, answers);
  }
  out.write(list ? "[" + text + "]\n" : text);
  out.flush();
  return 0;
}

void add_kind(CLI::App& query, CommandLine& line, const Kind& kind) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App* verb = add_verb(query, kind.name, kind.description, kind.examples);
  add_text(*verb, "point", options->point, kind.shape,
           "The point, metres; without one, or '-': rows on stdin");
  verb->add_flag("--json", options->json, "The answer to one point as a JSON document");
  const bool solids = kind.ask == ask_nearest || kind.ask == ask_ray_of || kind.ask == ask_box_of;
  if (solids) {
    add_text(*verb, "--scenario", options->solids.scenario, "FILE",
             "In a scenario: its terrain, what stands, and its pieces");
    add_text(*verb, "--at", options->solids.at, "S",
             "So long after the scenario's start, seconds (default 0)");
    add_text(*verb, "--case", options->solids.scenario_case, "NAME",
             "The case of a scenario that has several");
  }
  if (kind.ask == ask_nearest) {
    add_text(*verb, "--reach", options->solids.reach, "M",
             "Farther than this there is no answer (default 10)");
  }
  if (kind.ask == ask_ray_of) {
    add_text(*verb, "--reach", options->solids.reach, "M",
             "Farther than this there is no answer (default 100000)");
    verb->add_flag("--all", options->solids.all, "Every hit, nearest first, not only the first");
  }
  if (kind.ask != ask_density && kind.ask != ask_height) {
    add_text(*verb, "--mesh", options->solids.mesh, "FILE",
             "Against the triangles of a mesh file (.glb, .gltf, .obj) instead of the terrain");
  }
  add_world_options(*verb, options->solids.world);
  verb->footer(
      fmt::format("Rows are CSV with a header that has {}, or JSON Lines with these keys. They are "
                  "handed on in their order\nwith the answers added; other columns are kept.",
                  kind.shape));
  verb->callback([&line, options, &kind, verb] {
    line.action = [options, &kind, verb](const Shell& shell) {
      if (options->point.empty() && typed_at_terminal()) {
        complain(shell, "which point?\n\n" + verb->help());
        return 2;
      }
      return run_query(kind, *options);
    };
  });
}

}  // namespace

void add_query(CLI::App& program, CommandLine& line) {
  CLI::App* query =
      add_verb(program, "query", "Densities, heights, nearest surfaces, rays, boxes and sweeps",
               "  talus query height 320,-48\n"
               "  talus query density < points.csv > with_density.csv\n"
               "  talus query nearest 304,20,-64 --json");
  for (const Kind& kind : kKinds) add_kind(*query, line, kind);
}

}  // namespace talus
