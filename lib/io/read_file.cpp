#include "io/read_file.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

namespace talus {
namespace {

constexpr std::uint64_t kMostFromDevice = std::uint64_t{1} << 28;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw Error(fmt::format("cannot read {}: {}", path, why));
}

struct Descriptor {
  int number;
  ~Descriptor() { ::close(number); }
};

}  // namespace

std::string read_file(const std::string& path, std::uint64_t most_bytes,
                      const std::function<bool()>& stop_asked) {
  const auto reason = [] { return std::generic_category().message(errno); };
  const auto try_again = [&] {
    if (errno == EINTR && stop_asked && stop_asked()) throw Interrupted{};
    return errno == EINTR;
  };
  int opened;
  while ((opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) < 0) {
    if (!try_again()) fail(path, reason());
  }
  const Descriptor file{opened};
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(path, reason());
  if (S_ISDIR(status.st_mode)) fail(path, "it is a folder");
  const bool regular = S_ISREG(status.st_mode);
  if (!regular) most_bytes = std::min(most_bytes, kMostFromDevice);

  // One byte more than expected, so that the end shows in the first round.
  std::string bytes;
  std::uint64_t expected = regular ? static_cast<std::uint64_t>(status.st_size) : 65536;
  for (std::uint64_t size = 0;; expected = 2 * size) {
    bytes.resize(std::min(expected, most_bytes) + 1);
    while (size < bytes.size()) {
      const ssize_t count = ::read(file.number, bytes.data() + size, bytes.size() - size);
      if (count < 0) {
        if (try_again()) continue;
        fail(path, reason());
      }
      if (count == 0) {
        bytes.resize(size);
        return bytes;
      }
      size += static_cast<std::uint64_t>(count);
    }
    if (size > most_bytes) {
      fail(path, fmt::format("it is longer than the limit of {} bytes", most_bytes));
    }
  }
}

}  // namespace talus
