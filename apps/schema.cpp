// `talus schema`: the JSON Schemas of what talus reads and writes.
#include <CLI/CLI.hpp>

#include "arguments.h"
#include "command_line.h"
#include "io/trajectory_schema.h"
#include "scenario/report_text.h"
#include "streams.h"

namespace talus {

void add_schema(CLI::App& program, CommandLine& line) {
  const auto name = std::make_shared<std::string>("scenario");
  CLI::App* verb =
      add_verb(program, "schema", "The JSON Schema of scenarios, trajectories, reports",
               "  talus schema > scenario.schema.json\n"
               "  talus schema trajectory");
  verb->add_option("format", *name, "scenario (the default), trajectory or report");
  verb->callback([&line, name] {
    line.action = [name](const Shell&) {
      static const std::vector<std::string> kNames = {"scenario", "trajectory", "report"};
      using Writer = std::string (*)();
      constexpr Writer kWriters[] = {scenario_schema, trajectory_schema, report_schema};
      StandardOutput out;
      out.write(kWriters[choice_argument("format", *name, kNames)]());
      out.flush();
      return 0;
    };
  });
}

}  // namespace talus
