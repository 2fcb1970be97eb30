// How the program is put together: every verb adds itself to the command line, and leaves behind
// what there is to do.
#pragma once

#include <string>

#include "shell.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
class Option;
}  // namespace CLI

namespace talus {

struct CommandLine {
  Shell shell;
  VerbAction action;  // of the verb that was named; empty when none was
};

// One file each. Every verb's options are texts until its action reads them, so that all complaints
// are in talus's own words, and come after those about unknown options.
void add_mesh(CLI::App& program, CommandLine& line);
void add_run(CLI::App& program, CommandLine& line);
void add_batch(CLI::App& program, CommandLine& line);
void add_merge(CLI::App& program, CommandLine& line);
void add_check(CLI::App& program, CommandLine& line);
void add_list(CLI::App& program, CommandLine& line);
void add_query(CLI::App& program, CommandLine& line);
void add_inspect(CLI::App& program, CommandLine& line);
void add_import(CLI::App& program, CommandLine& line);
void add_diff(CLI::App& program, CommandLine& line);
void add_presets(CLI::App& program, CommandLine& line);
void add_schema(CLI::App& program, CommandLine& line);
void add_completion(CLI::App& program, CommandLine& line);
void add_manual(CLI::App& program, CommandLine& line);

/// A verb. `description` starts with one line that says what it
/// does; `examples` are two or three whole lines, shown first.
CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& description,
                   const std::string& examples);

/// An option that takes one text, shown as `--name VALUE`; the last one given counts.
CLI::Option* add_text(CLI::App& verb, const std::string& name, std::string& value,
                      const std::string& shown, const std::string& description);

/// Help as talus prints it: what it is, examples, usage, options. Before any verb is added.
void set_help_style(CLI::App& program);

/// The options that all verbs share, last in everyone's help. After every verb was added.
void add_shell_options(CLI::App& program, Shell& shell);

/// What was typed and is not known, with the nearest known word.
std::string unknown_argument_message(const CLI::App& program);

/// "talus query density" for the verbs that were named.
std::string named_verbs(const CLI::App& program);

}  // namespace talus
