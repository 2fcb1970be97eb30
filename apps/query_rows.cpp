#include "query_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "core/error.h"
#include "core/number_text.h"

namespace talus {

namespace {

constexpr int kDeepestJson = 100;

[[noreturn]] void refuse(const StandardInput& in, const std::string& message) {
  throw Error(fmt::format("-:{}: {}", in.line_number(), message));
}

double checked_coordinate(const StandardInput& in, const std::string& column, double value) {
  if (std::abs(value) <= kFarthest) return value;
  refuse(in, fmt::format("{}: coordinates go from -{} to {} m, got {}", column, kFarthest,
                         kFarthest, value));
}

void refuse_column_there_already(const StandardInput& in, const std::string& name) {
  refuse(in, fmt::format("column '{}' is there already: rename or drop it, the answer goes there",
                         name));
}

// --- CSV ---

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Makes `record`, whose last line was just read, whole: while a quote is open the next line belongs
// to it.
void complete_record(StandardInput& in, StandardOutput& out, std::string& record) {
  const std::int64_t first = in.line_number();
  while (std::count(record.begin(), record.end(), '"') % 2 != 0) {
    record += in.line_end();
    std::string_view line;
    if (record.size() > StandardInput::kLongestLine || !in.next_line(line, out)) {
      throw Error(fmt::format("-:{}: a quote opens here and never closes", first));
    }
    record += line;
  }
}

bool next_record(StandardInput& in, StandardOutput& out, std::string& record) {
  std::string_view line;
  if (!in.next_line(line, out)) return false;
  record = line;
  complete_record(in, out, record);
  return true;
}

// The values of a record's columns: blanks around them and quotes taken off.
void split_record(std::string_view record, std::vector<std::string>& values) {
  values.clear();
  for (std::size_t at = 0; at <= record.size();) {
    bool quoted = false;
    std::size_t end = at;
    for (; end < record.size() && (quoted || record[end] != ','); ++end)
      quoted ^= record[end] == '"';
    std::string_view text = trimmed(record.substr(at, end - at));
    std::string value(text);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
      value.clear();
      text = text.substr(1, text.size() - 2);
      for (std::size_t i = 0; i < text.size(); ++i) {
        value += text[i];
        if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') ++i;
      }
    }
    values.push_back(std::move(value));
    at = end + 1;
  }
}

// Where each input stands among the header's columns.
std::vector<std::size_t> find_inputs(const Question& question, const StandardInput& in,
                                     const std::vector<std::string>& header) {
  std::vector<std::size_t> columns;
  for (const std::string& input : question.inputs) {
    const auto found = std::find(header.begin(), header.end(), input);
    if (found == header.end()) {
      refuse(in,
             fmt::format("no column '{}': the first line must be a header with {}, separated by "
                         "commas; it has: {}",
                         input, joined(question.inputs), joined(header)));
    }
    if (std::count(header.begin(), header.end(), input) > 1) {
      refuse(in, fmt::format("column '{}' is there twice: drop one", input));
    }
    columns.push_back(static_cast<std::size_t>(found - header.begin()));
  }
  for (const std::string& output : question.outputs) {
    if (std::count(header.begin(), header.end(), output) > 0)
      refuse_column_there_already(in, output);
  }
  return columns;
}

void answer_csv(const Question& question, StandardInput& in, StandardOutput& out,
                std::string record) {
  complete_record(in, out, record);
  std::vector<std::string> values;
  split_record(record, values);
  const std::size_t width = values.size();
  const std::vector<std::size_t> columns = find_inputs(question, in, values);
  out.write(record);
  for (const std::string& output : question.outputs) {
    out.write(",");
    out.write(output);
  }
  out.write(in.line_end());

  std::vector<double> point(columns.size());
  while (!out.closed() && next_record(in, out, record)) {
    if (trimmed(record).empty()) continue;
    split_record(record, values);
    if (values.size() != width) {
      refuse(in, fmt::format("{} columns, but the header has {}", values.size(), width));
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& text = values[columns[i]];
      const auto value = read_number(text);
      if (!value)
        refuse(in, fmt::format("{}: not a finite number: '{}'", question.inputs[i], text));
      point[i] = checked_coordinate(in, question.inputs[i], *value);
    }
    for (const auto& answers : answers_to(question, point)) {
      out.write(record);
      for (const Answer& answer : answers) {
        out.write(",");
        out.write(csv_text(answer));
      }
      out.write(in.line_end());
    }
  }
}

// --- JSON Lines ---

using Json = nlohmann::ordered_json;

// The object on one line. Refuses what the parser itself would let pass: nesting without end, a
// column of the question twice or already answered.
Json parse_row(const Question& question, const StandardInput& in, std::string_view line) {
  std::vector<std::string> seen;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepestJson) refuse(in, fmt::format("nested deeper than {}", kDeepestJson));
    if (event != Json::parse_event_t::key || depth != 1) return true;
    const auto& key = parsed.get_ref<const std::string&>();
    if (std::count(question.outputs.begin(), question.outputs.end(), key) > 0) {
      refuse_column_there_already(in, key);
    }
    if (std::count(question.inputs.begin(), question.inputs.end(), key) > 0) {
      if (std::count(seen.begin(), seen.end(), key) > 0) {
        refuse(in, fmt::format("key '{}' is there twice: drop one", key));
      }
      seen.push_back(key);
    }
    return true;
  };
  try {
    return Json::parse(line, watch);
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..."
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    constexpr std::string_view kPlace = "parse error at line 1, ";
    if (what.starts_with(kPlace)) what.remove_prefix(kPlace.size());
    refuse(in, fmt::format("not a JSON object: {}", what));
  }
}

double coordinate(const StandardInput& in, const Json& row, const std::string& key) {
  const auto found = row.find(key);
  if (found == row.end()) refuse(in, fmt::format("no key '{}'", key));
  if (!found->is_number()) {
    refuse(in, fmt::format("{}: not a number: {}", key,
                           found->dump(-1, ' ', false, Json::error_handler_t::replace)));
  }
  return checked_coordinate(in, key, found->get<double>());
}

void answer_json_line(const Question& question, const StandardInput& in, StandardOutput& out,
                      std::string_view line) {
  const Json row = parse_row(question, in, line);
  if (!row.is_object())
    refuse(in, "not a JSON object: every line must be one, like {\"x\": 1, ...}");
  std::vector<double> point;
  for (const std::string& key : question.inputs) point.push_back(coordinate(in, row, key));
  // The row's own bytes up to its last brace, so that its other numbers stay as they were written.
  std::string_view head = line.substr(0, line.rfind('}'));
  while (!head.empty() && trimmed(head.substr(head.size() - 1)).empty()) head.remove_suffix(1);
  for (const auto& answers : answers_to(question, point)) {
    out.write(head);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      out.write(fmt::format(",\"{}\":{}", question.outputs[i], json_text(answers[i])));
    }
    out.write("}");
    out.write(in.line_end());
  }
}

}  // namespace

std::vector<std::vector<Answer>> answers_to(const Question& question,
                                            std::span<const double> point) {
  if (question.answers) return question.answers(point);
  return {question.answer(point)};
}

std::string csv_text(const Answer& answer) {
  if (const auto* number = std::get_if<double>(&answer)) return number_text(*number);
  if (const auto* word = std::get_if<std::string>(&answer)) return *word;
  return "";
}

std::string json_text(const Answer& answer) {
  if (const auto* number = std::get_if<double>(&answer)) return number_text(*number);
  if (const auto* word = std::get_if<std::string>(&answer)) return fmt::format("\"{}\"", *word);
  return "null";
}

namespace {

void answer_all(const Question& question, StandardInput& in, StandardOutput& out) {
  std::string_view line;
  do {
    if (!in.next_line(line, out)) {
      throw Error(
          fmt::format("-: no rows on standard input: give CSV with a header that has {}, or JSON "
                      "Lines with these keys",
                      joined(question.inputs)));
    }
  } while (trimmed(line).empty());
  if (!trimmed(line).starts_with('{')) return answer_csv(question, in, out, std::string(line));
  do {
    if (!trimmed(line).empty()) answer_json_line(question, in, out, line);
  } while (!out.closed() && in.next_line(line, out));
}

}  // namespace

void answer_rows(const Question& question, StandardInput& in, StandardOutput& out) {
  try {
    answer_all(question, in, out);
  } catch (...) {
    out.flush();  // what was answered before the trouble is good
    throw;
  }
  out.flush();
}

}  // namespace talus
