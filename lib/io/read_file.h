// A whole file in memory, within a limit.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace talus {

/// The bytes of the file. Throws Error when it cannot be read or is longer than `most_bytes`, which
/// the message names. What is no regular file (a pipe, a device) may have 256 MiB at most.
/// `stop_asked` is asked when a signal comes while it waits for a pipe: true throws Interrupted.
std::string read_file(const std::string& path, std::uint64_t most_bytes,
                      const std::function<bool()>& stop_asked = {});

}  // namespace talus
