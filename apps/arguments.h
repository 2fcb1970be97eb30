// Texts of the command line to values. Every complaint names the option, what was given, and the
// mend.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec.h"

namespace talus {

/// Coordinates go this far, metres: where doubles still tell micrometres apart.
inline constexpr double kFarthest = 1e9;

/// A finite number.
double number_argument(std::string_view option, std::string_view text);

/// `count` numbers with commas between, each at most kFarthest from 0: "304,4,-64". `shape` is how
/// they are called: "x,y,z".
std::vector<double> point_argument(std::string_view option, std::string_view text,
                                   std::size_t count, std::string_view shape);

/// A whole number from `lo` to `hi`.
std::int64_t integer_argument(std::string_view option, std::string_view text, std::int64_t lo,
                              std::int64_t hi);

/// Which of `names` the text is.
std::size_t choice_argument(std::string_view option, std::string_view text,
                            const std::vector<std::string>& names);

/// Which of `names` the words between commas are; none where the text is empty.
std::vector<std::size_t> choices_argument(std::string_view option, std::string_view text,
                                          const std::vector<std::string>& names);

/// The words with ", " between.
std::string joined(const std::vector<std::string>& words);

/// The value of -j: from 1 to 1024; the cores this process may use when empty.
int threads_argument(std::string_view text);

}  // namespace talus
