#include "scenario/json.h"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <unordered_set>

#include <fmt/format.h>

#include "core/error.h"

namespace talus {

namespace {

/// Bytes of the UTF-8 character at the front (after Unicode 15, table 3-7); 0: there is none.
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned b = byte(0), c = byte(1);
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b <= 0xDF) return tail(1) ? 2 : 0;
  if (b >= 0xE0 && b <= 0xEF) {
    const bool second = tail(1) && !(b == 0xE0 && c < 0xA0) && !(b == 0xED && c > 0x9F);
    return second && tail(2) ? 3 : 0;
  }
  if (b >= 0xF0 && b <= 0xF4) {
    const bool second = tail(1) && !(b == 0xF0 && c < 0x90) && !(b == 0xF4 && c > 0x8F);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  JsonValue document() {
    JsonValue value = read_value("", 0);
    skip_blanks();
    if (at_ < text_.size()) fail("", "nothing may follow the document: remove what is here");
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& path, const std::string& message) const {
    throw Error(json_message(file_, line_, column(), path, message));
  }
  int column() const { return static_cast<int>(at_ - line_start_) + 1; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool next_is(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void step_over() {
    if (text_[at_++] == '\n') {
      ++line_;
      line_start_ = at_;
    }
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        step_over();
      } else if (next_is("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (next_is("/*")) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos) fail("", "this comment has no end: add */");
    while (at_ < end + 2) step_over();
  }

  JsonValue read_value(const std::string& path, int depth) {
    skip_blanks();
    if (++count_ > kMostJsonValues) {
      fail(path, fmt::format("more than {} values in one file", kMostJsonValues));
    }
    JsonValue value;
    value.line = line_;
    value.column = column();
    value.begin = at_;
    const char c = peek();
    if (at_ >= text_.size()) fail(path, "the file ends where a value should be");
    if (c == '{' || c == '[') {
      if (depth >= kDeepestJson) {
        fail(path.substr(0, 60), fmt::format("nested over {} deep", kDeepestJson));
      }
      c == '{' ? read_object(value, path, depth) : read_list(value, path, depth);
    } else if (c == '"') {
      value.kind = JsonValue::Kind::Text;
      value.text = read_text(path);
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      read_number(value, path);
    } else {
      read_word(value, path);
    }
    value.end = at_;
    return value;
  }

  /// After an element: true where another one follows.
  bool more(char end, const std::string& path) {
    skip_blanks();
    if (peek() == ',') {
      ++at_;
      skip_blanks();
    } else if (peek() != end) {
      fail(path, at_ >= text_.size() ? fmt::format("the file ends before the closing {}", end)
                                     : fmt::format("expected , or {} here", end));
    }
    if (peek() != end) return true;
    ++at_;
    return false;
  }

  bool opens_empty(char end) {
    ++at_;
    skip_blanks();
    if (peek() != end) return false;
    ++at_;
    return true;
  }

  void read_list(JsonValue& list, const std::string& path, int depth) {
    list.kind = JsonValue::Kind::List;
    if (opens_empty(']')) return;
    do {
      list.items.push_back(read_value(path + "/" + std::to_string(list.items.size()), depth + 1));
    } while (more(']', path));
  }

  void read_object(JsonValue& object, const std::string& path, int depth) {
    object.kind = JsonValue::Kind::Object;
    if (opens_empty('}')) return;
    std::unordered_set<std::string> seen;
    do {
      JsonMember member;
      member.line = line_;
      member.column = column();
      if (peek() != '"') fail(path, "expected a key in double quotes here");
      const std::size_t start = at_;
      member.key = read_text(path);
      if (!seen.insert(member.key).second) {
        at_ = start;
        fail(json_path(path, member.key), "this key stands here twice: remove one");
      }
      skip_blanks();
      if (peek() != ':') fail(json_path(path, member.key), "expected : after the key");
      ++at_;
      member.value = read_value(json_path(path, member.key), depth + 1);
      object.members.push_back(std::move(member));
    } while (more('}', path));
  }

  std::string read_text(const std::string& path) {
    std::string out;
    for (++at_; peek() != '"' || at_ >= text_.size();) {
      if (at_ >= text_.size()) fail(path, "the file ends within a string");
      if (static_cast<unsigned char>(text_[at_]) < 0x20) {
        fail(path, "a line end or control character within a string: write it as \\n or \\u00XX");
      }
      if (text_[at_] == '\\') {
        read_escape(out, path);
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) fail(path, "this is not UTF-8: save the file as UTF-8");
      out.append(text_.substr(at_, length));
      at_ += length;
    }
    ++at_;
    return out;
  }

  void read_escape(std::string& out, const std::string& path) {
    constexpr std::string_view kLetters = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
    ++at_;
    if (peek() == 'u') {
      ++at_;
      append_utf8(out, read_code(path));
      return;
    }
    const std::size_t which = at_ < text_.size() ? kLetters.find(peek()) : std::string_view::npos;
    if (which == std::string_view::npos) fail(path, "unknown escape: write a backslash as \\\\");
    out.push_back(kMeaning[which]);
    ++at_;
  }

  std::uint32_t read_code(const std::string& path) {
    const std::uint32_t first = read_hex(path);
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first <= 0xDBFF && next_is("\\u")) {
      at_ += 2;
      const std::uint32_t second = read_hex(path);
      if (second >= 0xDC00 && second <= 0xDFFF) {
        return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
      }
    }
    fail(path, "half of a surrogate pair: write both halves, or the character itself");
  }

  std::uint32_t read_hex(const std::string& path) {
    const std::string_view digits = text_.substr(at_, 4);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) {
      fail(path, "\\u takes four hexadecimal digits");
    }
    at_ += 4;
    return code;
  }

  bool skip_digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > start;
  }

  void read_number(JsonValue& value, const std::string& path) {
    value.kind = JsonValue::Kind::Number;
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    const bool leading_zero =
        peek() == '0' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9';
    bool good = skip_digits() && !leading_zero;
    if (peek() == '.') {
      ++at_;
      good = skip_digits() && good;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      good = skip_digits() && good;
    }
    value.text = text_.substr(start, at_ - start);
    if (good) {
      const char* end = value.text.data() + value.text.size();
      const auto result = std::from_chars(value.text.data(), end, value.number);
      // Too small to hold is read as zero by no one: it is as unusable as one too large.
      good = result.ec == std::errc() && result.ptr == end && std::isfinite(value.number);
    }
    if (good) return;
    at_ = start;
    fail(path, "not a number that can be held: '" + value.text.substr(0, 40) + "'");
  }

  void read_word(JsonValue& value, const std::string& path) {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (!next_is(word)) continue;
      at_ += word.size();
      value.kind = word == "null" ? JsonValue::Kind::Null : JsonValue::Kind::Bool;
      value.boolean = word == "true";
      return;
    }
    fail(path,
         "expected a value here: an object, a list, a text in double quotes, a number, true, "
         "false or null");
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_start_ = 0, count_ = 0;
  int line_ = 1;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const JsonMember& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::string json_message(const std::string& file, int line, int column, const std::string& path,
                         const std::string& message) {
  return fmt::format("{}:{}:{}: {}{}{}", file, line, column, path, path.empty() ? "" : ": ",
                     message);
}

std::string json_path(const std::string& path, std::string_view key) {
  std::string out = path + "/";
  for (const char c : key.substr(0, 80)) {
    if (c == '~' || c == '/') {
      out += c == '~' ? "~0" : "~1";
    } else {
      out += c;
    }
  }
  return out;
}

JsonValue parse_json(std::string_view text, const std::string& file) {
  if (text.size() > kLongestJson) {
    throw Error(fmt::format("{}: longer than {} bytes", file, kLongestJson));
  }
  return Reader(text, file).document();
}

const char* kind_name(JsonValue::Kind kind) {
  constexpr const char* kNames[] = {"null",   "true or false", "a number",
                                    "a text", "a list",        "an object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace talus
