// A file that appears under its name whole, or not at all.
//
// Bytes go to a temporary name in the same folder; commit() closes it and renames it into place.
// Without commit() the temporary is removed and an older file of that name stays as it was. A
// device, a pipe or a terminal (/dev/stdout, /dev/full) is written directly, for there is nothing
// to rename.
//
// Every function that can fail throws Error (Trouble::Output) with the path and the system's
// reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

/// What an existing file must look like to be written over. An empty file is of every kind.
enum class FileKind {
  Any,
  Text,  // no zero byte in its first 4 KiB
  Json,  // begins with { or [, after white space and a byte order mark
  Glb,   // begins with glTF
  Png,   // begins with the PNG signature
};

class AtomicFile {
 public:
  /// Checks that the folder can be written and that an older file is of the same kind.
  AtomicFile(const std::string& path, FileKind kind);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(const void* data, std::size_t count);
  void write(std::string_view text) { write(text.data(), text.size()); }
  /// Bytes taken so far.
  std::uint64_t size() const { return size_; }
  /// Writes what is buffered, closes, and gives the file its name. Once.
  void commit();

 private:
  void flush();
  void write_out(const char* data, std::size_t count);
  void drop();
  bool close_and_rename();

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // where the file shall stand: path_ with links followed
  std::string temporary_;  // empty when the target is written directly
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::vector<char> buffer_;
};

/// Throws what AtomicFile would, before there is anything to write. Leaves no trace; a pipe is not
/// opened.
void check_output(const std::string& path, FileKind kind);

/// Removes temporary files of programs that were killed: those that no living program, here or on
/// another host that shares the folder, holds a lock on (flock). What cannot be removed stays.
void remove_stale_temporaries(const std::string& folder);

/// The folder that a file of this path stands in: "." when it names none.
std::string folder_of(const std::string& path);

}  // namespace talus
