#include "io/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace talus {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot write {}: {}", path, why), Trouble::Output);
}

[[noreturn]] void fail_with_errno(const std::string& path, int number) {
  fail(path, std::generic_category().message(number));
}

bool looks_like(FileKind kind, std::string_view head) {
  switch (kind) {
    case FileKind::Any:
      return true;
    case FileKind::Text:
      return head.find('\0') == std::string_view::npos;
    case FileKind::Json: {
      if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
      const std::size_t first = head.find_first_not_of(" \t\r\n");
      return first == std::string_view::npos || head[first] == '{' || head[first] == '[';
    }
    case FileKind::Glb:
      return head.substr(0, 4) == "glTF";
    case FileKind::Png:
      return head.substr(0, 8) == "\x89PNG\r\n\x1A\n";
  }
  return false;
}

const char* kind_name(FileKind kind) {
  static constexpr const char* kNames[] = {"", "a text file", "a JSON file", "a binary glTF file",
                                           "a PNG image"};
  return kNames[static_cast<int>(kind)];
}

void refuse_another_kind(const std::string& path, const std::string& target, FileKind kind) {
  const int descriptor = ::open(target.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(path, errno);
  char head[4096];
  const ssize_t count = ::read(descriptor, head, sizeof head);
  ::close(descriptor);
  if (count > 0 && !looks_like(kind, {head, static_cast<std::size_t>(count)})) {
    fail(path, fmt::format("a file is there that is not {}; remove it, or choose another name",
                           kind_name(kind)));
  }
}

constexpr std::string_view kTemporaryBegin = ".talus-", kTemporaryEnd = ".tmp";

/// Locks the new file, so that nobody takes it for stale. False: somebody did. Where the file
/// system knows no locks, nobody can.
bool claim(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

int open_temporary(const std::string& path, const std::string& target, std::string& name) {
  static std::atomic<unsigned> counter{0};
  const std::string folder = folder_of(target);
  for (int attempt = 0;; ++attempt) {
    name =
        fmt::format("{}/{}{}-{}{}", folder, kTemporaryBegin, ::getpid(), counter++, kTemporaryEnd);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      if (claim(descriptor)) return descriptor;
      ::close(descriptor);
      continue;
    }
    if (errno == EEXIST && attempt < 1000) continue;
    const int number = errno;
    if (number == ENOENT && !std::filesystem::exists(folder))
      fail(path, fmt::format("there is no folder {}; create it first", folder));
    fail(path, fmt::format("nothing can be created in folder {} ({}); choose another folder",
                           folder, std::generic_category().message(errno)));
  }
}

}  // namespace

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

void check_output(const std::string& path, FileKind kind) {
  struct stat status {};
  const bool is_device =
      ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (!is_device) {
    const AtomicFile never_committed(path, kind);
  } else if (::access(path.c_str(), W_OK) != 0) {
    fail_with_errno(path, errno);
  }
}

AtomicFile::AtomicFile(const std::string& path, FileKind kind) : path_(path), target_(path) {
  if (path.empty()) fail("a file without a name", "give it one");
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(path, "it is a folder; add a file name");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_with_errno(path, errno);
    return;
  }
  if (exists) {
    std::error_code ignored;
    const auto followed = std::filesystem::canonical(path, ignored);
    if (!ignored) target_ = followed.string();
    if (status.st_size > 0 && kind != FileKind::Any) refuse_another_kind(path, target_, kind);
  }
  descriptor_ = open_temporary(path, target_, temporary_);
  if (exists) ::fchmod(descriptor_, status.st_mode & 0777);
}

AtomicFile::~AtomicFile() {
  drop();
}

void AtomicFile::drop() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::write(const void* data, std::size_t count) {
  const auto* bytes = static_cast<const char*>(data);
  size_ += count;
  if (buffer_.size() + count > kBufferBytes) flush();
  if (count >= kBufferBytes) return write_out(bytes, count);
  buffer_.insert(buffer_.end(), bytes, bytes + count);
}

void AtomicFile::flush() {
  write_out(buffer_.data(), buffer_.size());
  buffer_.clear();
}

void AtomicFile::write_out(const char* data, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, data, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int number = errno;
      drop();
      fail_with_errno(path_, number);
    }
    data += written;
    count -= static_cast<std::size_t>(written);
  }
}

/// Closes the file and gives it its name; false with errno. A second descriptor keeps the lock
/// until the file has its name.
bool AtomicFile::close_and_rename() {
  const int lock = ::dup(descriptor_);
  bool good = ::close(descriptor_) == 0;
  descriptor_ = -1;
  if (good && !temporary_.empty()) good = ::rename(temporary_.c_str(), target_.c_str()) == 0;
  const int number = errno;
  if (lock >= 0) ::close(lock);
  errno = number;
  return good;
}

void AtomicFile::commit() {
  flush();
  if (!close_and_rename()) {
    const int number = errno;
    drop();
    fail_with_errno(path_, number);
  }
  temporary_.clear();
}

void remove_stale_temporaries(const std::string& folder) {
  std::error_code trouble;
  for (std::filesystem::directory_iterator it(folder, trouble), end; !trouble && it != end;
       it.increment(trouble)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(kTemporaryBegin) || !name.ends_with(kTemporaryEnd)) continue;
    const int descriptor =
        ::open(it->path().c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(it->path().c_str());
    ::close(descriptor);
  }
}

}  // namespace talus
