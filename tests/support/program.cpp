#include "support/program.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace talus {

namespace {

void check(bool good, const char* what) {
  if (!good) throw std::runtime_error(std::string(what) + ": " + std::strerror(errno));
}

struct Pipe {
  int read_end, write_end;
  Pipe() {
    int ends[2];
    check(pipe2(ends, O_CLOEXEC) == 0, "pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
};

void close_end(int& end) {
  if (end >= 0) close(end);
  end = -1;
}

// The child's half of a fork: only calls that are safe between fork and exec.
[[noreturn]] void become_program(const std::vector<char*>& arguments, const ProgramRun& how,
                                 const char* folder, int in, int out, int err) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const std::string& setting : how.environment) putenv(const_cast<char*>(setting.c_str()));
  // A test runner may ignore signals; the program under test starts as from a shell.
  for (const int number : {SIGINT, SIGTERM, SIGPIPE}) signal(number, SIG_DFL);
  if (*folder && chdir(folder) != 0) _exit(126);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Feeds and drains the child's pipes until both of its outputs are closed.
class Conversation {
 public:
  Conversation(const ProgramRun& how, pid_t child, int in, int out, int err)
      : how_(how), child_(child), in_(in), out_(out), err_(err) {
    fcntl(in_, F_SETFL, O_NONBLOCK);
  }

  void run(ProgramResult& result) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(how_.timeout_s);
    while (out_ >= 0 || err_ >= 0) {
      if (fed_ == how_.input.size()) close_end(in_);
      pollfd ends[3] = {{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}};
      poll(ends, 3, 5);
      if (ends[0].revents) feed();
      if (ends[1].revents) {
        drain(out_, result.out);
        if (result.out.size() >= how_.read_at_most) close_end(out_);
      }
      if (ends[2].revents) drain(err_, result.err);
      send_signal();
      if (!result.timed_out && std::chrono::steady_clock::now() > deadline) {
        result.timed_out = true;
        kill(child_, SIGKILL);
      }
    }
    close_end(in_);
  }

 private:
  void feed() {
    const ssize_t count = write(in_, how_.input.data() + fed_, how_.input.size() - fed_);
    if (count > 0) {
      fed_ += static_cast<std::size_t>(count);
    } else if (errno != EAGAIN) {
      fed_ = how_.input.size();  // it reads no more
    }
  }

  static void drain(int& end, std::string& into) {
    char block[1 << 14];
    const ssize_t count = read(end, block, sizeof block);
    if (count > 0) {
      into.append(block, static_cast<std::size_t>(count));
    } else {
      close_end(end);
    }
  }

  void send_signal() {
    if (signalled_ || !how_.signal_when) return;
    const int number = how_.signal_when();
    if (number == 0) return;
    kill(child_, number);
    signalled_ = true;
  }

  const ProgramRun& how_;
  pid_t child_;
  int in_, out_, err_;
  std::size_t fed_ = 0;
  bool signalled_ = false;
};

int exit_code_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramRun& how) {
  signal(SIGPIPE, SIG_IGN);  // of this process, when the program does not read its input
  std::vector<std::string> words = {TALUS_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  Pipe in, out, err;
  if (!how.output_file.empty()) {
    close_end(out.write_end);
    out.write_end = open(how.output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    check(out.write_end >= 0, how.output_file.c_str());
    close_end(out.read_end);
  }
  const pid_t child = fork();
  check(child >= 0, "fork");
  if (child == 0) {
    become_program(pointers, how, how.folder.c_str(), in.read_end, out.write_end, err.write_end);
  }
  close_end(in.read_end);
  close_end(out.write_end);
  close_end(err.write_end);

  ProgramResult result;
  Conversation(how, child, in.write_end, out.read_end, err.read_end).run(result);
  result.exit_code = exit_code_of(child);
  return result;
}

}  // namespace talus
