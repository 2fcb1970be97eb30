#include "scenario/fields.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/suggest.h"

namespace talus {

namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

std::string shown(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::Number:
      return value.text.substr(0, 40);
    case JsonValue::Kind::Text:
      return "'" + value.text.substr(0, 40) + "'";
    default:
      return kind_name(value.kind);
  }
}

[[noreturn]] void fail_range(const Node& node, const char* what, Range range) {
  node.fail(fmt::format("must be {} from {} to {}, got {}", what, range.least, range.most,
                        shown(node.value)));
}

/// Three values, of which one may be a matrix parameter in the schema.
void require_three(const Node& node) {
  node.require(JsonValue::Kind::List);
  if (node.value.items.size() != 3) {
    node.fail(fmt::format("must be three numbers [x, y, z], got {}", node.value.items.size()));
  }
}

}  // namespace

void fail_at(const Place& place, const std::string& message) {
  throw Error(json_message(place.file, place.line, place.column, place.path, message));
}

void Node::require(JsonValue::Kind kind) const {
  if (value.kind == kind) return;
  fail(fmt::format("must be {}, got {}", kind_name(kind), shown(value)));
}

double read_number(const Node& node, Range range) {
  node.require(JsonValue::Kind::Number);
  if (!(node.value.number >= range.least && node.value.number <= range.most)) {
    fail_range(node, "a number", range);
  }
  return node.value.number;
}

std::int64_t read_integer(const Node& node, Range range) {
  node.require(JsonValue::Kind::Number);
  const std::string& text = node.value.text;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      value < static_cast<std::int64_t>(range.least) ||
      value > static_cast<std::int64_t>(range.most)) {
    node.fail(fmt::format("must be a whole number from {} to {}, got {}",
                          static_cast<std::int64_t>(range.least),
                          static_cast<std::int64_t>(range.most), shown(node.value)));
  }
  return value;
}

bool read_bool(const Node& node) {
  node.require(JsonValue::Kind::Bool);
  return node.value.boolean;
}

std::string read_text(const Node& node) {
  node.require(JsonValue::Kind::Text);
  if (node.value.text.size() > 1000) node.fail("longer than 1000 characters");
  return node.value.text;
}

Vec3 read_vector(const Node& node, Range range) {
  require_three(node);
  Vec3 v(0);
  for (int i = 0; i < 3; ++i) v[i] = read_number(node.item(static_cast<std::size_t>(i)), range);
  return v;
}

IVec3 read_cells(const Node& node, Range range) {
  require_three(node);
  IVec3 v(0);
  for (int i = 0; i < 3; ++i) {
    v[i] = static_cast<int>(read_integer(node.item(static_cast<std::size_t>(i)), range));
  }
  return v;
}

std::size_t read_choice(const Node& node, std::span<const std::string> choices) {
  node.require(JsonValue::Kind::Text);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == node.value.text) return i;
  }
  node.fail(unknown_word("value", node.value.text, {choices.begin(), choices.end()}));
}

std::string number_schema(Range range) {
  return fmt::format(R"({{"type":"number","minimum":{},"maximum":{}}})", range.least, range.most);
}

std::string integer_schema(Range range) {
  return fmt::format(R"({{"type":"integer","minimum":{},"maximum":{}}})",
                     static_cast<std::int64_t>(range.least), static_cast<std::int64_t>(range.most));
}

std::string vector_schema(const std::string& item) {
  return R"({"type":"array","minItems":3,"maxItems":3,"items":)" + or_parameter(item) + "}";
}

std::string choice_schema(std::span<const std::string> choices) {
  return R"({"enum":)" + nlohmann::json(choices).dump() + "}";
}

std::string or_parameter(const std::string& schema) {
  return any_of({schema, R"({"$ref":"#/$defs/parameter"})"});
}

std::string any_of(const std::vector<std::string>& schemas) {
  return fmt::format(R"({{"anyOf":[{}]}})", fmt::join(schemas, ","));
}

void fail_unknown_key(const Node& node, const JsonMember& member,
                      const std::vector<std::string>& known) {
  const Place place{node.file, json_path(node.path, member.key), member.line, member.column};
  fail_at(place, unknown_word("key", member.key, known));
}

void fail_missing_key(const Node& node, const std::string& key, const std::string& meaning) {
  node.fail(fmt::format("needs the key \"{}\": {}", key, meaning));
}

std::size_t read_tag(const Node& node, const std::string& tag,
                     const std::vector<std::string>& kinds) {
  node.require(JsonValue::Kind::Object);
  for (const JsonMember& member : node.value.members) {
    if (member.key == tag) return read_choice(node.member(member), kinds);
  }
  node.fail(fmt::format("needs the key \"{}\": one of {}", tag, fmt::join(kinds, ", ")));
}

std::string object_schema(std::span<const PropertySchema> properties, const std::string& meaning,
                          const std::string& tag, const std::string& tag_value) {
  std::vector<std::string> texts, required;
  if (!tag.empty()) {
    texts.push_back(quoted(tag) + R"(:{"const":)" + quoted(tag_value) + "}");
    required.push_back(quoted(tag));
  }
  for (const PropertySchema& p : properties) {
    const std::string head = "{\"description\":" + quoted(p.meaning) + ",";
    texts.push_back(quoted(p.key) + ":" + head + p.schema.substr(1));
    if (p.required) required.push_back(quoted(p.key));
  }
  return fmt::format(R"({{"type":"object","description":{},"properties":{{{}}},"required":[{}],)"
                     R"("additionalProperties":false}})",
                     quoted(meaning), fmt::join(texts, ","), fmt::join(required, ","));
}

}  // namespace talus
