// Tables that say what a JSON object may hold. One table reads the object and describes it as JSON
// Schema, so that the two cannot differ.
//
//   const std::vector<Row<Ball>> kRows{number("radius_m", &Ball::radius, {0, 10}, "of the ball")};
//   read_rows(node, kRows, ball);          // throws Error with file, line, column and path
//   rows_schema(kRows);                    // {"type": "object", "properties": {...}, ...}
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/vec.h"
#include "scenario/json.h"

namespace talus {

/// Where something stands in a scenario file.
struct Place {
  std::string file;
  std::string path;  // RFC 6901
  int line = 1, column = 1;
};
/// Throws Error "file:line:column: /path: message".
[[noreturn]] void fail_at(const Place& place, const std::string& message);

/// A JSON value and where it stands.
struct Node {
  const JsonValue& value;
  const std::string& file;
  std::string path;

  Node item(std::size_t i) const { return {value.items[i], file, path + "/" + std::to_string(i)}; }
  Node member(const JsonMember& m) const { return {m.value, file, json_path(path, m.key)}; }
  Place place() const { return {file, path, value.line, value.column}; }
  [[noreturn]] void fail(const std::string& message) const { fail_at(place(), message); }
  /// Fails unless the value is of the kind.
  void require(JsonValue::Kind kind) const;
};

/// Closed: least <= value <= most.
struct Range {
  double least, most;
};
inline constexpr Range kAnyLength{-1e7, 1e7};  // m

double read_number(const Node& node, Range range);
std::int64_t read_integer(const Node& node, Range range);
bool read_bool(const Node& node);
std::string read_text(const Node& node);
Vec3 read_vector(const Node& node, Range range);
IVec3 read_cells(const Node& node, Range range);
/// The index of the text among the choices.
std::size_t read_choice(const Node& node, std::span<const std::string> choices);

std::string number_schema(Range range);
std::string integer_schema(Range range);
std::string vector_schema(const std::string& item);
std::string choice_schema(std::span<const std::string> choices);
/// The schema, or a matrix parameter in its place.
std::string or_parameter(const std::string& schema);

enum class Need { Optional, Required };

/// One key of an object that is read into a T.
template <class T>
struct Row {
  std::string key;
  std::string meaning;
  std::string schema;
  std::function<void(const Node&, T&)> read;
  Need need = Need::Optional;
};

template <class T>
Row<T> required(Row<T> row) {
  row.need = Need::Required;
  return row;
}

// M is what the member holds: a double, an std::optional<double>, ...
template <class T, class M>
Row<T> number(std::string key, M T::*to, Range range, std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(number_schema(range)),
          [=](const Node& n, T& t) { t.*to = read_number(n, range); }};
}
template <class T, class M>
Row<T> integer(std::string key, M T::*to, Range range, std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(integer_schema(range)),
          [=](const Node& n, T& t) { t.*to = static_cast<int>(read_integer(n, range)); }};
}
template <class T, class M>
Row<T> flag(std::string key, M T::*to, std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(R"({"type":"boolean"})"),
          [=](const Node& n, T& t) { t.*to = read_bool(n); }};
}
template <class T>
Row<T> words(std::string key, std::string T::*to, std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(R"({"type":"string","maxLength":1000})"),
          [=](const Node& n, T& t) { t.*to = read_text(n); }};
}
template <class T, class M>
Row<T> vector(std::string key, M T::*to, Range range, std::string meaning) {
  return {std::move(key), std::move(meaning), vector_schema(number_schema(range)),
          [=](const Node& n, T& t) { t.*to = read_vector(n, range); }};
}
template <class T, class M>
Row<T> cells(std::string key, M T::*to, Range range, std::string meaning) {
  return {std::move(key), std::move(meaning), vector_schema(integer_schema(range)),
          [=](const Node& n, T& t) { t.*to = read_cells(n, range); }};
}
/// The choices in the order of the enum M.
template <class T, class M>
Row<T> choice(std::string key, M T::*to, std::vector<std::string> choices, std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(choice_schema(choices)),
          [=](const Node& n, T& t) { t.*to = static_cast<M>(read_choice(n, choices)); }};
}
/// One of the texts, kept as it is.
template <class T>
Row<T> name_of(std::string key, std::string T::*to, std::vector<std::string> choices,
               std::string meaning) {
  return {std::move(key), std::move(meaning), or_parameter(choice_schema(choices)),
          [=](const Node& n, T& t) { t.*to = choices[read_choice(n, choices)]; }};
}

/// The member of that key among the rows, for messages about unknown ones.
[[noreturn]] void fail_unknown_key(const Node& node, const JsonMember& member,
                                   const std::vector<std::string>& known);
[[noreturn]] void fail_missing_key(const Node& node, const std::string& key,
                                   const std::string& meaning);

/// Reads an object; `tag` is a key that was looked at already.
template <class T>
void read_rows(const Node& node, const std::vector<Row<T>>& rows, T& into,
               const std::string& tag = "") {
  node.require(JsonValue::Kind::Object);
  for (const JsonMember& member : node.value.members) {
    if (member.key == tag) continue;
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row<T>& row) { return row.key == member.key; });
    if (found == rows.end()) {
      std::vector<std::string> known;
      known.reserve(rows.size());
      for (const Row<T>& row : rows) known.push_back(row.key);
      fail_unknown_key(node, member, known);
    }
    found->read(node.member(member), into);
  }
  for (const Row<T>& row : rows) {
    if (row.need == Need::Required && !node.value.find(row.key)) {
      fail_missing_key(node, row.key, row.meaning);
    }
  }
}

struct PropertySchema {
  const std::string& key;
  const std::string& meaning;
  const std::string& schema;
  bool required;
};
/// `tag` and `tag_value`: a key that must have that text; none where empty.
std::string object_schema(std::span<const PropertySchema> properties, const std::string& meaning,
                          const std::string& tag = "", const std::string& tag_value = "");

template <class T>
std::string rows_schema(const std::vector<Row<T>>& rows, const std::string& meaning = "",
                        const std::string& tag = "", const std::string& tag_value = "") {
  std::vector<PropertySchema> properties;
  properties.reserve(rows.size());
  for (const Row<T>& row : rows) {
    properties.push_back({row.key, row.meaning, row.schema, row.need == Need::Required});
  }
  return object_schema(properties, meaning, tag, tag_value);
}

/// One kind of an object that says by a key which kind it is.
template <class T>
struct KindRows {
  std::string name;
  std::string meaning;
  std::vector<Row<T>> rows;
};

std::size_t read_tag(const Node& node, const std::string& tag,
                     const std::vector<std::string>& kinds);
std::string any_of(const std::vector<std::string>& schemas);

/// Reads an object by the rows of its kind; gives the kind's index.
template <class T>
std::size_t read_kind(const Node& node, const std::string& tag,
                      const std::vector<KindRows<T>>& kinds, T& into) {
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const auto& kind : kinds) names.push_back(kind.name);
  const std::size_t which = read_tag(node, tag, names);
  read_rows(node, kinds[which].rows, into, tag);
  return which;
}

template <class T>
std::string kinds_schema(const std::string& tag, const std::vector<KindRows<T>>& kinds) {
  std::vector<std::string> schemas;
  schemas.reserve(kinds.size());
  for (const auto& kind : kinds) {
    schemas.push_back(rows_schema(kind.rows, kind.meaning, tag, kind.name));
  }
  return any_of(schemas);
}

/// A list whose items `read` takes, each into a new element.
template <class T, class Item>
Row<T> list(std::string key, std::vector<Item> T::*to, const std::string& item_schema,
            std::function<void(const Node&, Item&)> read, std::string meaning,
            std::size_t least = 0) {
  return {
      std::move(key), std::move(meaning),
      R"({"type":"array","minItems":)" + std::to_string(least) + R"(,"items":)" + item_schema + "}",
      [=](const Node& n, T& t) {
        n.require(JsonValue::Kind::List);
        if (n.value.items.size() < least) n.fail("must not be empty");
        for (std::size_t i = 0; i < n.value.items.size(); ++i) {
          read(n.item(i), (t.*to).emplace_back());
        }
      }};
}

/// An object of its own rows.
template <class T, class M, class Inner>
Row<T> object(std::string key, M T::*to, std::vector<Row<Inner>> rows, std::string meaning) {
  std::string schema = rows_schema(rows);
  return {std::move(key), std::move(meaning), std::move(schema),
          [to, rows = std::move(rows)](const Node& n, T& t) {
            Inner inner;
            read_rows(n, rows, inner);
            t.*to = std::move(inner);
          }};
}

}  // namespace talus
