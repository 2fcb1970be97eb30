#include "core/number_text.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace talus {

namespace {

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  // from_chars knows no plus sign; "+-1" must not become a number by dropping it.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> read_number(std::string_view text) {
  const auto value = read_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> read_integer(std::string_view text) {
  return read_whole<std::int64_t>(text);
}

std::string number_text(double value) {
  return fmt::format("{}", value);
}

}  // namespace talus
