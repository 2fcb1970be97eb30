#include "streams.h"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "core/error.h"
#include "shell.h"

namespace talus {

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;

}  // namespace

void StandardOutput::write(std::string_view text) {
  if (closed_) return;
  buffer_ += text;
  if (buffer_.size() >= kBlock) flush();
}

void StandardOutput::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !closed_) {
    const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno == EINTR) {
      throw_if_stopped();
    } else {
      const int error = errno;
      buffer_.clear();
      throw Error(fmt::format("standard output: cannot be written: {}", std::strerror(error)),
                  Trouble::Output);
    }
  }
  buffer_.clear();
}

bool StandardInput::next_line(std::string_view& line, StandardOutput& out) {
  std::size_t searched = begin_;
  std::size_t end;
  while ((end = buffer_.find('\n', searched)) == std::string::npos) {
    const std::size_t had = buffer_.size() - begin_;
    if (had > kLongestLine) {
      throw Error(fmt::format("-:{}: line longer than {} bytes: rows go one a line",
                              line_number_ + 1, kLongestLine));
    }
    if (!fill(out)) {
      if (begin_ == buffer_.size()) return false;
      end = buffer_.size();
      break;
    }
    searched = begin_ + had;
  }
  line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = std::min(end + 1, buffer_.size());
  carriage_return_ = line.ends_with('\r');
  if (carriage_return_) line.remove_suffix(1);
  if (line_number_++ == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return true;
}

bool StandardInput::fill(StandardOutput& out) {
  if (ended_) return false;
  out.flush();
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBlock);
  ssize_t count;
  while (throw_if_stopped(), (count = ::read(STDIN_FILENO, buffer_.data() + had, kBlock)) < 0) {
    const int error = errno;
    if (error != EINTR) {
      throw Error(fmt::format("standard input: cannot be read: {}", std::strerror(error)));
    }
  }
  buffer_.resize(had + static_cast<std::size_t>(count));
  ended_ = count == 0;
  return !ended_;
}

}  // namespace talus
