// `talus diff`: where two trajectories part, and by how much.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "command_line.h"
#include "core/error.h"
#include "io/trajectory_reader.h"
#include "streams.h"

namespace talus {

namespace {

struct DiffOptions {
  std::vector<std::string> files;
  std::string position = "0", angle = "0", velocity = "0", spin = "0";
  bool json = false;
};

double tolerance_argument(const char* option, const std::string& text) {
  const double value = number_argument(option, text);
  if (value < 0) throw Error(fmt::format("{}: must not be below 0, got {}", option, text));
  return value;
}

Tolerance read_tolerance(const DiffOptions& options) {
  return {tolerance_argument("--tolerance", options.position),
          tolerance_argument("--angle", options.angle),
          tolerance_argument("--velocity", options.velocity),
          tolerance_argument("--spin", options.spin)};
}

const char* unit_of(const std::string& what) {
  if (what == "frame") return "s";
  if (what == "position") return "m";
  if (what == "rotation") return "rad";
  if (what == "linear velocity") return "m/s";
  if (what == "angular velocity") return "rad/s";
  return "";
}

bool is_of_body(const Parting& parting) {
  return parting.what != "frame" && parting.what != "bodies";
}

std::string plain_text(const Parting& parting, const Trajectory& a, const Trajectory& b) {
  const std::string at = fmt::format("frame {} ({} s): ", parting.frame, parting.t_s);
  if (parting.what == "frame") {
    return at + fmt::format("the frames differ: {} frames against {}, {} s apart here\n",
                            a.t_s.size(), b.t_s.size(), parting.difference);
  }
  if (parting.what == "bodies") {
    return at + fmt::format("{} bodies against {}\n", a.bodies.size(), b.bodies.size());
  }
  const std::string body =
      fmt::format("body {} '{}': ", a.bodies[parting.body].id, a.bodies[parting.body].name);
  if (parting.what == "rows") return at + body + "is in one of them only\n";
  if (parting.what == "asleep") return at + body + "sleeps in one of them only\n";
  return at + body +
         fmt::format("{} differs by {} {}\n", parting.what, parting.difference,
                     unit_of(parting.what));
}

std::string json_document(const std::optional<Parting>& parting, const Trajectory& a) {
  using Json = nlohmann::ordered_json;
  Json document = {{"equal", !parting}};
  if (parting) {
    document["what"] = parting->what;
    document["frame"] = parting->frame;
    document["time_s"] = parting->t_s;
    document["body"] = is_of_body(*parting) ? Json(a.bodies[parting->body].id) : Json();
    document["name"] = is_of_body(*parting) ? Json(a.bodies[parting->body].name) : Json();
    document["difference"] = parting->difference;
    document["unit"] = unit_of(parting->what);
  }
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

int run_diff(const Shell& shell, const DiffOptions& options) {
  const Tolerance tolerance = read_tolerance(options);
  const Trajectory a = read_trajectory(options.files[0]);
  const Trajectory b = read_trajectory(options.files[1]);
  const auto parting = first_parting(a, b, tolerance);
  StandardOutput out;
  if (options.json) {
    out.write(json_document(parting, a));
  } else if (parting) {
    out.write(plain_text(*parting, a, b));
  } else {
    note(shell, fmt::format("equal: {} {}, {} frames", a.bodies.size(),
                            a.bodies.size() == 1 ? "body" : "bodies", a.t_s.size()));
  }
  out.flush();
  return parting ? 1 : 0;
}

}  // namespace

void add_diff(CLI::App& program, CommandLine& line) {
  const auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = add_verb(program, "diff", "Where two trajectories part, and by how much",
                            "  talus diff yesterday.json today.json\n"
                            "  talus diff gcc.csv clang.csv --tolerance 0.001 --angle 0.01 "
                            "--velocity 0.01 --spin 0.1");
  verb->add_option("files", options->files, "Two trajectories: .json, .jsonl or .csv")
      ->option_text("A B");
  const char* group = "Tolerances (0 where not given: to the last bit)";
  add_text(*verb, "--tolerance", options->position, "M", "Between positions, metres")->group(group);
  add_text(*verb, "--angle", options->angle, "RAD", "Between rotations, radians")->group(group);
  add_text(*verb, "--velocity", options->velocity, "M/S", "Between velocities")->group(group);
  add_text(*verb, "--spin", options->spin, "RAD/S", "Between angular velocities")->group(group);
  verb->add_flag("--json", options->json, "A JSON document");
  verb->footer("Exits with 0 where they agree, 1 where they part, 2 where one cannot be read.");
  verb->callback([&line, options, verb] {
    line.action = [options, verb](const Shell& shell) {
      if (options->files.size() != 2) {
        complain(shell, "which two trajectories?\n\n" + verb->help());
        return 2;
      }
      return run_diff(shell, *options);
    };
  });
}

}  // namespace talus
