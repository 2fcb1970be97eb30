// A whole file in memory, within a limit.
#pragma once

#include <cstdint>
#include <string>

namespace talus {

/// The bytes of the file. Throws Error when it cannot be read or is longer than `most_bytes`, which
/// the message names. What is no regular file (a pipe, a device) may have 256 MiB at most.
std::string read_file(const std::string& path, std::uint64_t most_bytes);

}  // namespace talus
