#include "shell.h"

#include <chrono>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "core/error.h"

namespace talus {

namespace {

volatile sig_atomic_t caught_signal = 0;

void remember_signal(int number) {
  caught_signal = number;
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

bool set_in_environment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

bool dumb_terminal() {
  const char* term = std::getenv("TERM");
  return term && std::string_view(term) == "dumb";
}

void write_error(std::string_view text) {
  // Whoever closed stderr does not want to hear of it.
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = remember_signal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a read that waits for input returns, so that the flag is seen.
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction inherited = {};
    sigaction(number, nullptr, &inherited);
    // A job that a shell put in the background, or nohup, ignores it; so do we.
    if (inherited.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
}

int stop_signal() {
  return caught_signal;
}

void throw_if_stopped() {
  if (caught_signal) throw Interrupted{};
}

void note(const Shell& shell, std::string_view message) {
  if (!shell.quiet) write_error(fmt::format("{}: {}\n", shell.verb, message));
}

void detail(const Shell& shell, std::string_view message) {
  if (shell.verbose) note(shell, message);
}

void complain(const Shell& shell, std::string_view message) {
  const bool color = color_wanted(shell);
  write_error(fmt::format("{}: {}error:{} {}\n", shell.verb, color ? "\033[1;31m" : "",
                          color ? "\033[0m" : "", message));
}

bool typed_at_terminal() {
  return isatty(STDIN_FILENO);
}

bool color_wanted(const Shell& shell) {
  return !shell.no_color && !set_in_environment("NO_COLOR") && !dumb_terminal() &&
         isatty(STDERR_FILENO);
}

namespace {

// Prints at most so often, and clears its line when it goes.
class ProgressPrinter {
 public:
  ProgressPrinter(const Shell& shell, std::string what)
      : verb_(shell.verb),
        what_(std::move(what)),
        live_(isatty(STDERR_FILENO) && !dumb_terminal() && !set_in_environment("CI")),
        pause_(live_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10)) {}

  ProgressPrinter(const ProgressPrinter&) = delete;
  ProgressPrinter& operator=(const ProgressPrinter&) = delete;
  ~ProgressPrinter() {
    if (live_ && shown_) write_error("\r\033[K");
  }

  void report(std::int64_t done, std::int64_t total) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < pause_) return;
    last_ = now;
    shown_ = true;
    const std::int64_t percent = total > 0
                                     ? static_cast<std::int64_t>(100.0 * static_cast<double>(done) /
                                                                 static_cast<double>(total))
                                     : 100;
    const std::string text =
        fmt::format("{}: {} of {} {} ({} %)", verb_, done, total, what_, percent);
    write_error(live_ ? "\r\033[K" + text : text + "\n");
  }

 private:
  std::string verb_, what_;
  bool live_;
  std::chrono::steady_clock::duration pause_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

}  // namespace

Progress show_progress(const Shell& shell, std::string what) {
  Progress progress;
  progress.stop_asked = [] { return caught_signal != 0; };
  if (shell.quiet) return progress;
  const auto printer = std::make_shared<ProgressPrinter>(shell, std::move(what));
  progress.report = [printer](std::int64_t done, std::int64_t total) {
    printer->report(done, total);
  };
  return progress;
}

}  // namespace talus
