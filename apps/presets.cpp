// `talus presets`: the kinds of terrain and their parameters, as the library tells them.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line.h"
#include "streams.h"
#include "terrain/preset.h"

namespace talus {

namespace {

std::string table_text() {
  std::string text;
  for (const PresetInfo& preset : preset_table()) {
    text += fmt::format("{}: {}\n", preset.name, preset.summary);
    for (const ParameterInfo& parameter : preset.parameters) {
      text +=
          fmt::format("  {:<24} {:>8}  {} ({} to {})\n", parameter.name, parameter.default_value,
                      parameter.meaning, parameter.least, parameter.most);
    }
  }
  return text;
}

}  // namespace

void add_presets(CLI::App& program, CommandLine& line) {
  CLI::App* verb = add_verb(
      program, "presets", "The kinds of terrain, and the parameters that --set takes",
      "  talus presets\n"
      "  talus mesh --preset hills --set cave_radius=0.12 --around 320,-48 --size 64 -o a.glb");
  verb->callback([&line] {
    line.action = [](const Shell&) {
      StandardOutput out;
      out.write(table_text());
      out.flush();
      return 0;
    };
  });
}

}  // namespace talus
