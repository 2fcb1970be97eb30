// A stream of rows, each with a point in it, to the same rows with answers added.
//
// Rows are CSV with a header (RFC 4180: quotes, commas and line ends within them) or JSON Lines,
// told apart by the first byte that is no blank. Every row is handed on byte for byte, with the
// answers after its last column. Memory does not grow with the stream.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "streams.h"

namespace talus {

/// Nothing (an empty CSV field, null), a number, or a word without commas and quotes.
using Answer = std::variant<std::monostate, double, std::string>;

struct Question {
  std::vector<std::string> inputs;   // columns that make the point: x, y, z
  std::vector<std::string> outputs;  // columns that are added
  /// One answer an output. The point's numbers are finite and within kFarthest of 0.
  std::function<std::vector<Answer>(std::span<const double> point)> answer;
  /// Where it is set, asked instead: several answers to a point, at least one. A row is handed on
  /// once with each.
  std::function<std::vector<std::vector<Answer>>(std::span<const double> point)> answers{};
};

/// Answers standard input to standard output, until its end or until nobody reads on. Throws Error
/// with the line's number: "-:12: x: not a finite number: 'abc'".
void answer_rows(const Question& question, StandardInput& in, StandardOutput& out);

/// All answers to a point.
std::vector<std::vector<Answer>> answers_to(const Question& question,
                                            std::span<const double> point);

/// How an answer is written in CSV, and in JSON.
std::string csv_text(const Answer& answer);
std::string json_text(const Answer& answer);

}  // namespace talus
