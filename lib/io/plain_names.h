// Names that every importer keeps as they are: letters, digits, _ and -, each once in a file.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace talus {

class PlainNames {
 public:
  /// The name made plain ("node" where there is none), with _2, _3, ... behind it where it was
  /// given before.
  std::string add(const std::string& name);

 private:
  std::unordered_map<std::string, std::uint64_t> taken_;  // and the number to try next
};

}  // namespace talus
