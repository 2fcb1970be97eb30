// What every verb owes the shell: its output, its messages, its manners when told to stop.
//
// Exit codes: 0 all well; 1 an expectation failed; 2 usage or bad input; 3 nothing selected;
// 4 simulation error; 5 output could not be written; 130 and 143 after INT and TERM.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/progress.h"

namespace talus {

/// The options that all verbs share.
struct Shell {
  bool quiet = false;    // errors only
  bool verbose = false;  // what was done, and how long it took
  bool no_color = false;
  std::string verb = "talus";  // for messages: "talus mesh"
};

/// What a verb does once its options are read; gives the exit code.
using VerbAction = std::function<int(const Shell&)>;

/// The first INT or TERM only sets a flag, that stop_signal() gives (0: none came); a second one
/// kills. A closed pipe is an error of write(), not a signal.
void catch_signals();
int stop_signal();
/// Throws Interrupted once INT or TERM came.
void throw_if_stopped();

/// A line on stderr, unless quiet. `note` is for everyone, `detail` only for -v.
void note(const Shell& shell, std::string_view message);
void detail(const Shell& shell, std::string_view message);
/// "talus mesh: error: ..." on stderr, always.
void complain(const Shell& shell, std::string_view message);

/// Whether standard input is a person at a terminal, who did not mean to type rows of numbers.
bool typed_at_terminal();

/// Whether stderr is a terminal that shows colours and the user wants them: not with --no-color,
/// NO_COLOR (set to anything but nothing) or TERM=dumb.
bool color_wanted(const Shell& shell);

/// Progress of long work, on stderr: a line that overwrites itself on a terminal, else (a log, CI)
/// a line every ten seconds; nothing when quiet. Asks to stop once INT or TERM came. `what` is
/// counted: "chunks".
Progress show_progress(const Shell& shell, std::string what);

}  // namespace talus
