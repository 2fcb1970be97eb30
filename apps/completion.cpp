// `talus completion SHELL`: what a shell needs to complete talus's verbs and options, from the same
// tables that the program parses with.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "arguments.h"
#include "command_line.h"
#include "streams.h"

namespace talus {

namespace {

std::vector<std::string> shown_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// Calls visit(app, "mesh") for the program (""), every verb, and every verb's verbs ("query
// density").
template <class Visit>
void for_each_app(const CLI::App& app, const std::string& path, const Visit& visit) {
  visit(app, path);
  for (const CLI::App* verb : app.get_subcommands({})) {
    for_each_app(*verb, path.empty() ? verb->get_name() : path + " " + verb->get_name(), visit);
  }
}

std::string bash_completion(const CLI::App& program) {
  std::string cases;
  for_each_app(program, "", [&](const CLI::App& app, const std::string& path) {
    std::string words;
    for (const CLI::App* verb : app.get_subcommands({})) words += verb->get_name() + " ";
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : shown_names(*option)) words += name + " ";
    }
    cases += fmt::format("    '{}') words='{}' ;;\n", path, words);
  });
  // The path is the leading run of words that are no options; a verb that is unknown to `case` (a
  // file name) is dropped from its end.
  return fmt::format(R"(_talus() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} path= words= i
  for ((i = 1; i < COMP_CWORD && i < 3; i++)); do
    [[ ${{COMP_WORDS[i]}} =~ ^[a-z]+$ ]] && path+="${{path:+ }}${{COMP_WORDS[i]}}" || break
  done
  case $path in
{}    *) return ;;
  esac
  [[ $current == -* || -z $path || $path == query ]] &&
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _talus talus
)",
                     cases);
}

std::string zsh_completion(const CLI::App& program) {
  return "#compdef talus\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completion(program);
}

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text.substr(0, text.find('\n'))) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_completion(const CLI::App& program) {
  std::string text;
  for_each_app(program, "", [&](const CLI::App& app, const std::string& path) {
    std::string condition = "__fish_use_subcommand";
    if (!path.empty()) {
      condition = "__fish_seen_subcommand_from " + path.substr(path.rfind(' ') + 1);
    }
    for (const CLI::App* verb : app.get_subcommands({})) {
      text += fmt::format("complete -c talus -n '{}' -f -a {} -d {}\n", condition, verb->get_name(),
                          fish_quoted(verb->get_description()));
    }
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) continue;
      std::string names;
      for (const std::string& name : option->get_lnames()) names += " -l " + name;
      for (const std::string& name : option->get_snames()) names += " -s " + name;
      text += fmt::format("complete -c talus -n '{}'{}{} -d {}\n", condition, names,
                          option->get_type_size() > 0 ? " -r" : "",
                          fish_quoted(option->get_description()));
    }
  });
  return text;
}

}  // namespace

void add_completion(CLI::App& program, CommandLine& line) {
  const auto shell_name = std::make_shared<std::string>();
  CLI::App* verb =
      add_verb(program, "completion", "Tab completion for bash, zsh or fish",
               "  talus completion bash > ~/.local/share/bash-completion/completions/talus\n"
               "  talus completion fish > ~/.config/fish/completions/talus.fish");
  verb->add_option("shell", *shell_name, "bash, zsh or fish");
  verb->callback([&program, &line, shell_name] {
    line.action = [&program, shell_name](const Shell&) {
      static const std::vector<std::string> kNames = {"bash", "zsh", "fish"};
      using Writer = std::string (*)(const CLI::App&);
      constexpr Writer kWriters[] = {bash_completion, zsh_completion, fish_completion};
      StandardOutput out;
      out.write(kWriters[choice_argument("shell", *shell_name, kNames)](program));
      out.flush();
      return 0;
    };
  });
}

}  // namespace talus
