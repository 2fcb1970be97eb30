// `talus man`: the manual page, from the same texts as the help.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line.h"
#include "streams.h"

namespace talus {

namespace {

// roff reads lines that start with a dot or a quote, and backslashes, as commands; and a bare minus
// as a hyphen that cannot be pasted into a shell.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (escaped.empty() || escaped.back() == '\n')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string verb_sections(const CLI::App& app, const std::string& path) {
  std::string text;
  for (const CLI::App* verb : app.get_subcommands({})) {
    const std::string name = path + " " + verb->get_name();
    text += fmt::format(".SH \"{}\"\n.nf\n{}.fi\n", roff(name), roff(verb->help()));
    text += verb_sections(*verb, name);
  }
  return text;
}

}  // namespace

void add_manual(CLI::App& program, CommandLine& line) {
  CLI::App* verb =
      add_verb(program, "man", "The manual page",
               "  talus man | man -l -\n  talus man > ~/.local/share/man/man1/talus.1");
  verb->callback([&program, &line] {
    line.action = [&program](const Shell&) {
      // Help is asked of the verbs one by one; the program's own would give that of the verb now
      // running.
      const std::string description = program.get_description();
      const std::string first = description.substr(0, description.find('\n'));
      const std::string rest = description.substr(description.find('\n'));
      StandardOutput out;
      out.write(
          fmt::format(".TH TALUS 1 \"\" \"talus {}\"\n.SH NAME\ntalus \\- {}\n.SH DESCRIPTION\n"
                      ".nf{}\n.fi\n",
                      TALUS_VERSION, roff(first), roff(rest)));
      out.write(verb_sections(program, "talus"));
      out.write(fmt::format(".SH \"EXIT STATUS\"\n.nf\n{}\n.fi\n", roff(program.get_footer())));
      out.flush();
      return 0;
    };
  });
}

}  // namespace talus
