// Standard input by the line and standard output by the block, straight on the file descriptors, so
// that a full disk, a closed pipe and a signal are each told apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace talus {

/// Standard output. A reader who went away (`| head`) is no error: what follows is dropped, and
/// closed() tells a long stream to end. Any other failure throws Error (Trouble::Output).
class StandardOutput {
 public:
  void write(std::string_view text);
  /// Hands over what is buffered. To be called at the end, and before waiting for more input.
  void flush();
  bool closed() const { return closed_; }

 private:
  std::string buffer_;
  bool closed_ = false;
};

/// Standard input, line by line, in bounded memory.
class StandardInput {
 public:
  /// A line longer than this is refused: it is no row of numbers.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;

  /// The next line without its end (LF or CR LF), valid until the next call; false at the end of
  /// input. A byte order mark before the first line is skipped. `out` is flushed before waiting for
  /// input. Throws Error when reading fails or a line is too long, Interrupted when INT or TERM
  /// came.
  bool next_line(std::string_view& line, StandardOutput& out);
  /// Number of the line last given, from 1.
  std::int64_t line_number() const { return line_number_; }
  /// How the line last given ended: LF or CR LF; LF at the end of input.
  std::string_view line_end() const { return carriage_return_ ? "\r\n" : "\n"; }

 private:
  bool fill(StandardOutput& out);

  std::string buffer_;
  std::size_t begin_ = 0;  // of what was not given yet
  bool ended_ = false;
  bool carriage_return_ = false;
  std::int64_t line_number_ = 0;
};

}  // namespace talus
