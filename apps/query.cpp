// `talus query density|height|nearest|sweep`: one point, or a stream of rows.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "query_rows.h"
#include "query_sweep.h"
#include "terrain/field.h"
#include "world_options.h"

namespace talus {

namespace {

struct QueryOptions {
  WorldOptions world;
  std::string point;
  std::string reach = "10";
  std::string mesh;
  bool json = false;
};

Question ask_density(const QueryOptions& options) {
  return {{"x", "y", "z"},
          {"density"},
          [terrain = make_terrain(read_world(options.world))](auto point) {
            return std::vector<Answer>{density(terrain, {point[0], point[1], point[2]})};
          }};
}

Question ask_height(const QueryOptions& options) {
  return {
      {"x", "z"}, {"height_m"}, [terrain = make_terrain(read_world(options.world))](auto point) {
        return std::vector<Answer>{terrain.preset->height(point[0], point[1])};
      }};
}

Question ask_nearest(const QueryOptions& options) {
  const double reach = number_argument("--reach", options.reach);
  if (reach <= 0) throw Error(fmt::format("--reach: must be over 0 m, got {}", options.reach));
  const auto field = std::make_shared<Field>(make_terrain(read_world(options.world)));
  return {{"x", "y", "z"},
          {"distance_m", "nx", "ny", "nz", "what"},
          [field, reach](auto point) -> std::vector<Answer> {
            const NearestSurface found = field->nearest({point[0], point[1], point[2]});
            if (std::abs(found.distance) > reach) return {{}, {}, {}, {}, "none"};
            const Vec3 normal = found.normal + 0.0;  // no "-0"
            return {found.distance, normal.x, normal.y, normal.z, "terrain"};
          }};
}

Question ask_sweep_of(const QueryOptions& options) {
  return ask_sweep(options.world, options.mesh);
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
     "  talus query nearest --reach 5 < points.csv > with_distances.csv",
     ask_nearest},
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
  const auto answers = question.answer(point);
  out.write(options.json ? json_document(question, point, answers) : plain_text(question, answers));
  out.flush();
  return 0;
}

void add_kind(CLI::App& query, CommandLine& line, const Kind& kind) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App* verb = add_verb(query, kind.name, kind.description, kind.examples);
  add_text(*verb, "point", options->point, kind.shape,
           "The point, metres; without one, or '-': rows on stdin");
  verb->add_flag("--json", options->json, "The answer to one point as a JSON document");
  if (kind.ask == ask_nearest) {
    add_text(*verb, "--reach", options->reach, "M",
             "Farther than this there is no answer (default " + options->reach + ")");
  }
  if (kind.ask == ask_sweep_of) {
    add_text(*verb, "--mesh", options->mesh, "FILE",
             "Against the triangles of a mesh file (.glb, .gltf, .obj) instead of the terrain");
  }
  add_world_options(*verb, options->world);
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
  CLI::App* query = add_verb(program, "query", "Densities, heights, nearest surfaces and sweeps",
                             "  talus query height 320,-48\n"
                             "  talus query density < points.csv > with_density.csv\n"
                             "  talus query nearest 304,20,-64 --json");
  for (const Kind& kind : kKinds) add_kind(*query, line, kind);
}

}  // namespace talus
