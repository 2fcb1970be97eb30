// JSON as people write it: with the line and column of every value, so that a message can say
// where.
//
// Taken besides RFC 8259: comments (// and /* */), a comma after the last element, a byte order
// mark, CR LF. Not taken: a key twice in one object, numbers that no double holds (1e999), nesting
// over kDeepestJson, more than kMostJsonValues values, files over kLongestJson bytes, control
// characters in strings, text that is not UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

inline constexpr int kDeepestJson = 100;
inline constexpr std::size_t kMostJsonValues = 1'000'000;
inline constexpr std::size_t kLongestJson = std::size_t{64} << 20;

struct JsonMember;

struct JsonValue {
  enum class Kind { Null, Bool, Number, Text, List, Object };

  Kind kind = Kind::Null;
  bool boolean = false;
  double number = 0;
  /// Text: the characters, unescaped, UTF-8. Number: as it was spelled, so that 64-bit integers can
  /// be read exactly.
  std::string text;
  std::vector<JsonValue> items;
  std::vector<JsonMember> members;  // in the order of the file, each key once
  int line = 1, column = 1;         // of its first character, from 1; columns count bytes
  std::size_t begin = 0, end = 0;   // its bytes in the text that was read

  const JsonValue* find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  JsonValue value;
  int line = 1, column = 1;  // of the key
};

/// "file:line:column: /path: message"; the path is left out where it is empty.
std::string json_message(const std::string& file, int line, int column, const std::string& path,
                         const std::string& message);

/// One step down a JSON path (RFC 6901): path + "/" + key, with ~ and / escaped.
std::string json_path(const std::string& path, std::string_view key);

/// `file` is for messages. Throws Error with the place. Cost: linear in the text.
JsonValue parse_json(std::string_view text, const std::string& file);

/// What kind of value it is, for messages: "a number".
const char* kind_name(JsonValue::Kind kind);

}  // namespace talus
