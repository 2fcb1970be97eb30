// Numbers from text, whole and strict: no locale, no blanks, no trailing letters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace talus {

/// The number that the whole of `text` spells ("-1.5", "+2", "1e3"), finite. Nothing for any other
/// text, for nan and inf, and for a number outside double's range.
std::optional<double> read_number(std::string_view text);

/// The same for a whole number in decimal digits that fits into 64 bits.
std::optional<std::int64_t> read_integer(std::string_view text);

/// The shortest text that reads back to the same bits; `value` is finite.
std::string number_text(double value);

}  // namespace talus
