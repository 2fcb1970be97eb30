#include "io/spool.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "core/error.h"

namespace talus {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 19;

[[noreturn]] void fail(const std::string& folder, int number) {
  throw Error(fmt::format("cannot keep temporary data in folder {}: {}", folder,
                          std::generic_category().message(number)),
              Trouble::Output);
}

int open_nameless(const std::string& folder) {
  std::string name = folder + "/.talus-spool-XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(folder, errno);
  ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

Spool::~Spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void Spool::write(const void* data, std::size_t count) {
  const auto* bytes = static_cast<const char*>(data);
  size_ += count;
  if (buffer_.size() + count > kBufferBytes) {
    put(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  if (count > kBufferBytes) return put(bytes, count);
  buffer_.insert(buffer_.end(), bytes, bytes + count);
}

void Spool::put(const char* data, std::size_t count) {
  if (descriptor_ < 0) descriptor_ = open_nameless(folder_);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, data, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(folder_, errno);
    data += written;
    count -= static_cast<std::size_t>(written);
  }
}

void Spool::copy_to(const ByteSink& out, std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t in_file = size_ - buffer_.size();
  const std::uint64_t file_end = std::min(end, in_file);
  std::vector<char> block(begin < file_end ? std::min<std::uint64_t>(file_end - begin, kBufferBytes)
                                           : 0);
  while (begin < file_end) {
    const std::size_t wanted = std::min<std::uint64_t>(block.size(), file_end - begin);
    const ssize_t count = ::pread(descriptor_, block.data(), wanted, static_cast<off_t>(begin));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(folder_, count < 0 ? errno : EIO);
    out({block.data(), static_cast<std::size_t>(count)});
    begin += static_cast<std::uint64_t>(count);
  }
  if (begin < end) out({buffer_.data() + (begin - in_file), end - begin});
}

}  // namespace talus
