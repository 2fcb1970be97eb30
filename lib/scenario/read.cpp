// From a file to its cases: the matrix is spread out over the JSON, then each case is read by the
// tables.
#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/hash.h"
#include "core/suggest.h"
#include "io/read_file.h"
#include "scenario/case_source.h"
#include "scenario/tables.h"

namespace talus {

namespace {

constexpr std::size_t kMostCases = 100'000;
/// Many readers keep all cases at once, so their number times the file's size is bounded.
constexpr std::size_t kMostText = std::size_t{256} << 20;

/// A value of each parameter.
using Choice = std::vector<std::pair<std::string, const JsonValue*>>;

std::string spelled(const JsonValue& value) {
  if (value.kind == JsonValue::Kind::Bool) return value.boolean ? "true" : "false";
  return value.text;
}

/// Puts values in the place of every {"$": "name"}.
void substitute(JsonValue& value, const Choice& choice, const std::string& file,
                const std::string& path) {
  if (value.kind == JsonValue::Kind::Object && value.members.size() == 1 &&
      value.members[0].key == "$") {
    const Node node{value, file, path};
    const std::string wanted = read_text(node.member(value.members[0]));
    std::vector<std::string> names;
    for (const auto& [name, given] : choice) {
      names.push_back(name);
      if (name != wanted) continue;
      JsonValue put = *given;
      put.line = value.line;
      put.column = value.column;
      value = std::move(put);
      return;
    }
    node.fail(names.empty() ? "there is no \"matrix\" to take '" + wanted.substr(0, 80) + "' from"
                            : unknown_word("parameter", wanted, names));
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    substitute(value.items[i], choice, file, path + "/" + std::to_string(i));
  }
  for (JsonMember& m : value.members) substitute(m.value, choice, file, json_path(path, m.key));
}

std::string case_name(const std::string& file, const Choice& choice) {
  const std::filesystem::path path(file);
  std::string name = path.filename().string() + "::" + path.stem().string();
  std::string values;
  for (const auto& [key, value] : choice) {
    values += (values.empty() ? "" : ",") + key + "=" + spelled(*value);
  }
  return values.empty() ? name : name + "[" + values + "]";
}

std::string hash_of(const JsonValue& root, const Choice& choice) {
  Hash64 hash;
  const auto add = [&](const auto& self, const JsonValue& v) -> void {
    hash.add(static_cast<int>(v.kind)).add(v.boolean).add(v.text.size());
    hash.bytes(v.text.data(), v.text.size()).add(v.items.size()).add(v.members.size());
    for (const JsonValue& item : v.items) self(self, item);
    for (const JsonMember& m : v.members) {
      hash.add(m.key.size()).bytes(m.key.data(), m.key.size());
      self(self, m.value);
    }
  };
  add(add, root);
  for (const auto& [name, value] : choice) add(add, *value);
  return fmt::format("{:016x}", hash.value());
}

}  // namespace

CaseSource::CaseSource(std::string_view text, std::string file)
    : file_(std::move(file)), root_(parse_json(text, file_)) {
  const Node node{root_, file_, ""};
  node.require(JsonValue::Kind::Object);
  std::size_t matrix_bytes = 0;
  for (const JsonMember& section : root_.members) {
    if (section.key != "matrix") continue;
    take_matrix(section);
    matrix_bytes = section.value.end - section.value.begin;
  }
  check_count(text.size() - matrix_bytes);
  check_names();
  std::erase_if(root_.members, [](const JsonMember& m) { return m.key == "matrix"; });
}

void CaseSource::take_matrix(const JsonMember& section) {
  const Node matrix = Node{root_, file_, ""}.member(section);
  matrix.require(JsonValue::Kind::Object);
  for (const JsonMember& m : matrix.value.members) {
    const Node values = matrix.member(m);
    values.require(JsonValue::Kind::List);
    if (values.value.items.empty()) values.fail("needs at least one value");
    for (std::size_t i = 0; i < values.value.items.size(); ++i) {
      const JsonValue& v = values.value.items[i];
      if (v.kind != JsonValue::Kind::Number && v.kind != JsonValue::Kind::Text &&
          v.kind != JsonValue::Kind::Bool) {
        values.item(i).fail("must be a number, a text, true or false");
      }
    }
    columns_.push_back({m.key, m.value.items});
  }
}

void CaseSource::check_count(std::size_t text_bytes) {
  for (const Column& column : columns_) {
    count_ *= column.values.size();  // at most kMostCases * kMostJsonValues: no overflow
    if (count_ > kMostCases || count_ * std::max<std::size_t>(text_bytes, 1) > kMostText) {
      Node{root_, file_, ""}.fail(
          fmt::format("the matrix makes too many cases: at most {}, and at most {} MiB of "
                      "text in all; split the file",
                      kMostCases, kMostText >> 20));
    }
  }
}

void CaseSource::check_names() const {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < count_; ++i) {
    std::string name = this->name(i);
    if (names.contains(name)) {
      Node{root_, file_, ""}.fail("two cases are named " + name +
                                  ": remove one of the equal values");
    }
    names.insert(std::move(name));
  }
}

CaseSource::Choice CaseSource::choice(std::size_t i) const {
  Choice choice(columns_.size());
  for (std::size_t c = columns_.size(); c-- > 0;) {
    const auto& values = columns_[c].values;
    choice[c] = {columns_[c].name, &values[i % values.size()]};
    i /= values.size();
  }
  return choice;
}

std::string CaseSource::name(std::size_t i) const {
  return case_name(file_, choice(i));
}

Scenario CaseSource::read(std::size_t i) const {
  const Choice choice = this->choice(i);
  JsonValue value = root_;
  substitute(value, choice, file_, "");
  Scenario scenario;
  const Node node{value, file_, ""};
  read_rows(node, scenario_rows(), scenario);
  scenario.name = case_name(file_, choice);
  scenario.hash = hash_of(value, choice);
  for (const auto& [name, given] : choice) {
    const bool text = given->kind == JsonValue::Kind::Text;
    scenario.parameters.push_back(
        {name, text ? nlohmann::json(given->text).dump() : spelled(*given)});
  }
  scenario.place = node.place();
  const std::lock_guard lock(mutex_);
  named_files_.load(scenario);
  return scenario;
}

std::vector<Scenario> parse_scenarios(std::string_view text, const std::string& file) {
  const CaseSource source(text, file);
  std::vector<Scenario> cases;
  for (std::size_t i = 0; i < source.count(); ++i) cases.push_back(source.read(i));
  return cases;
}

std::vector<Scenario> read_scenarios(const std::string& path) {
  return parse_scenarios(read_file(path, kLongestJson), path);
}

std::string scenario_schema() {
  const std::string operation = kinds_schema("op", operation_kinds());
  const std::string parameter =
      R"({"type":"object","description":"a value of the matrix","properties":{"$":)"
      R"({"type":"string"}},"required":["$"],"additionalProperties":false})";
  auto schema = nlohmann::ordered_json::parse(rows_schema(scenario_rows(), "a talus scenario"));
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "talus scenario";
  schema["$defs"]["operation"] = nlohmann::ordered_json::parse(operation);
  schema["$defs"]["parameter"] = nlohmann::ordered_json::parse(parameter);
  return schema.dump(2) + "\n";
}

}  // namespace talus
