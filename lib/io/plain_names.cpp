#include "io/plain_names.h"

#include <fmt/format.h>

namespace talus {
namespace {

std::string plain_name(const std::string& name) {
  std::string plain = name.empty() ? "node" : name;
  for (char& c : plain) {
    const bool kept = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                      c == '_' || c == '-';
    if (!kept) c = '_';
  }
  return plain;
}

}  // namespace

std::string PlainNames::add(const std::string& name) {
  std::string plain = plain_name(name);
  const auto [entry, is_new] = taken_.try_emplace(plain, 2);
  if (is_new) return plain;
  std::uint64_t number = entry->second;
  std::string unique;
  do unique = fmt::format("{}_{}", plain, number++);
  while (!taken_.try_emplace(unique, 2).second);
  taken_[plain] = number;
  return unique;
}

}  // namespace talus
