#include "command_line.h"

#include <CLI/CLI.hpp>

#include "core/suggest.h"

namespace talus {

namespace {

// The deepest verb that was named; the program itself when none was.
const CLI::App& named_app(const CLI::App& program) {
  const CLI::App* app = &program;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
  return *app;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

// Examples before usage, one line a verb, no blank line twice.
class HelpStyle : public CLI::Formatter {
 public:
  HelpStyle() {
    column_width(34);
    label("OPTIONS", "options");
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "verb");
  }
  std::string make_subcommand(const CLI::App* sub) const override {
    const std::string description = sub->get_description();
    std::ostringstream out;
    CLI::detail::format_help(out, sub->get_name(), description.substr(0, description.find('\n')),
                             22);
    return out.str();
  }
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    std::string tidy;
    for (const char c : text) {
      if (c != '\n' || !tidy.ends_with("\n\n")) tidy += c;
    }
    while (tidy.ends_with("\n\n")) tidy.pop_back();
    return tidy;
  }
  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    // The name given holds a verb's parents only when it was parsed on the way.
    std::string path = app->get_name();
    for (const CLI::App* up = app->get_parent(); up; up = up->get_parent()) {
      path.insert(0, up->get_name() + " ");
    }
    return "\n" + CLI::Formatter::make_usage(app, path);
  }
};

}  // namespace

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& description,
                   const std::string& examples) {
  CLI::App* verb = parent.add_subcommand(name, description + "\n\nExamples:\n" + examples);
  verb->group("Verbs");
  verb->require_subcommand(0, 1);
  verb->footer("");
  return verb;
}

CLI::Option* add_text(CLI::App& verb, const std::string& name, std::string& value,
                      const std::string& shown, const std::string& description) {
  // An empty text is a variable that a script forgot to set, not "use the default".
  const auto not_empty = [](const std::string& text) {
    return text.empty() ? std::string("needs a value, got ''") : std::string();
  };
  return verb.add_option(name, value, description)
      ->option_text(shown)
      ->take_last()
      ->check(not_empty);
}

void set_help_style(CLI::App& program) {
  program.formatter(std::make_shared<HelpStyle>());
}

void add_shell_options(CLI::App& app, Shell& shell) {
  const char* group = "Messages";
  app.set_help_flag();
  app.set_help_flag("-h,--help", "This help")->group(group);
  app.add_flag("-q,--quiet", shell.quiet, "Errors only")->group(group);
  app.add_flag("-v,--verbose", shell.verbose, "Say what was done, and how long it took")
      ->group(group);
  app.add_flag("--no-color", shell.no_color, "Plain text; so do NO_COLOR and TERM=dumb")
      ->group(group);
  for (CLI::App* verb : app.get_subcommands({})) add_shell_options(*verb, shell);
}

std::string unknown_argument_message(const CLI::App& program) {
  const std::vector<std::string> rest = program.remaining(true);
  const std::string typed = rest.empty() ? "" : rest.front();
  const CLI::App& app = named_app(program);
  const std::string help = "; see '" + named_verbs(program) + " --help'";
  if (typed.starts_with("-")) {
    const std::string name = typed.substr(0, typed.find('='));
    const std::string nearest = nearest_word(name, option_names(app));
    return "unknown option '" + name + "'" +
           (nearest.empty() ? help : ": did you mean '" + nearest + "'?");
  }
  const std::vector<std::string> verbs = verb_names(app);
  if (!verbs.empty()) return unknown_word("verb", typed, verbs);
  return "unexpected argument '" + typed + "'" + help;
}

std::string named_verbs(const CLI::App& program) {
  std::string path = program.get_name();
  for (const CLI::App* app = &program; !app->get_subcommands().empty();) {
    app = app->get_subcommands().back();
    path += " " + app->get_name();
  }
  return path;
}

}  // namespace talus
