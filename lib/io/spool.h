// Bytes put aside until it is known where in a file they go: in memory while they are few, then in
// a temporary file that has no name and vanishes with the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

/// Where bytes go on to: a file, a counter.
using ByteSink = std::function<void(std::string_view)>;

class Spool {
 public:
  /// The file, if one is needed, takes its space in `folder`.
  explicit Spool(std::string folder) : folder_(std::move(folder)) {}
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  /// Throws Error (Trouble::Output) when there is no room.
  void write(const void* data, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  std::uint64_t size() const { return size_; }
  /// Gives everything to `out`, in the order it was written.
  void copy_to(const ByteSink& out) const { copy_to(out, 0, size_); }
  /// Only the bytes from `begin` to before `end`.
  void copy_to(const ByteSink& out, std::uint64_t begin, std::uint64_t end) const;

 private:
  void put(const char* data, std::size_t count);

  std::string folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::vector<char> buffer_;  // the bytes that are not in the file yet
};

}  // namespace talus
