#include "arguments.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/number_text.h"
#include "core/parallel.h"
#include "core/suggest.h"

namespace talus {

double number_argument(std::string_view option, std::string_view text) {
  const auto value = read_number(text);
  if (!value) throw Error(fmt::format("{}: must be a finite number, got '{}'", option, text));
  return *value;
}

std::vector<double> point_argument(std::string_view option, std::string_view text,
                                   std::size_t count, std::string_view shape) {
  std::vector<double> point;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const auto value = read_number(part);
    if (!value) {
      throw Error(
          fmt::format("{} {}: must be {}: {} finite numbers with commas between and no blanks, "
                      "like {}; '{}' is none",
                      option, text, shape, count, count == 2 ? "304,-64" : "304,4,-64", part));
    }
    if (std::abs(*value) > kFarthest) {
      throw Error(fmt::format("{} {}: coordinates go from -{} to {} m; {} is farther", option, text,
                              kFarthest, kFarthest, part));
    }
    point.push_back(*value);
    begin = end + 1;
  }
  if (point.size() != count) {
    throw Error(fmt::format("{} {}: must be {}: {} numbers, got {}", option, text, shape, count,
                            point.size()));
  }
  return point;
}

std::int64_t integer_argument(std::string_view option, std::string_view text, std::int64_t lo,
                              std::int64_t hi) {
  const auto value = read_integer(text);
  if (!value || *value < lo || *value > hi) {
    throw Error(
        fmt::format("{}: must be a whole number from {} to {}, got '{}'", option, lo, hi, text));
  }
  return *value;
}

std::size_t choice_argument(std::string_view option, std::string_view text,
                            const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == text) return i;
  }
  throw Error(fmt::format("{}: {}", option, unknown_word("value", text, names)));
}

std::vector<std::size_t> choices_argument(std::string_view option, std::string_view text,
                                          const std::vector<std::string>& names) {
  std::vector<std::size_t> choices;
  if (text.empty()) return choices;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    choices.push_back(choice_argument(option, text.substr(begin, end - begin), names));
    begin = end + 1;
  }
  return choices;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

int threads_argument(std::string_view text) {
  if (text.empty()) return available_threads();
  return static_cast<int>(integer_argument("-j", text, 1, 1024));
}

}  // namespace talus
