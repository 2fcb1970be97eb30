#include "scenario/update.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenario/json.h"

namespace talus {

namespace {

/// Bytes [begin, end) of the text become `put`.
struct Edit {
  std::size_t begin, end;
  std::string put;
};

/// What all cases say of one expectation.
struct Finding {
  Place place;
  std::string kind;
  std::vector<FoundValue> updates;
  bool failed = false;  // in any case
  bool agreed = true;   // all cases failed with the same values, or all passed
};

bool same(const std::vector<FoundValue>& a, const std::vector<FoundValue>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.key == y.key && x.json == y.json;
  });
}

/// By the expectation's place in the file.
std::vector<Finding> findings(std::span<const CaseResult> results) {
  std::vector<Finding> all;
  for (const CaseResult& result : results) {
    const auto& expectations = result.report.expectations;
    for (std::size_t i = 0; i < expectations.size(); ++i) {
      const ExpectationResult& e = expectations[i];
      if (i == all.size()) {
        all.push_back({e.place, e.kind, e.updates, !e.passed});
        continue;
      }
      all[i].agreed =
          all[i].agreed && all[i].failed == !e.passed && same(all[i].updates, e.updates);
      all[i].failed = all[i].failed || !e.passed;
    }
  }
  return all;
}

bool is_parameter(const JsonValue& value) {
  return value.kind == JsonValue::Kind::Object;
}

/// Adds the edits that put `json` in the place of `value`, item by item in lists; false where a
/// parameter of the matrix stands there.
bool replace(const JsonValue& value, const std::string& json, std::vector<Edit>& edits) {
  if (is_parameter(value)) return false;
  if (value.kind != JsonValue::Kind::List) {
    edits.push_back({value.begin, value.end, json});
    return true;
  }
  const JsonValue wanted = parse_json(json, "");
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const JsonValue& old = value.items[i];
    if (!is_parameter(old) && old.number == wanted.items[i].number) continue;
    if (!replace(old, wanted.items[i].text, edits)) return false;
  }
  return true;
}

/// The edits of one expectation; none where a parameter is in the way.
std::vector<Edit> edits_of(const JsonValue& expectation, const Finding& finding) {
  std::vector<Edit> edits;
  for (const auto& [key, json] : finding.updates) {
    if (const JsonValue* value = expectation.find(key)) {
      if (!replace(*value, json, edits)) return {};
    } else {
      const std::size_t at = expectation.find("that")->end;
      edits.push_back({at, at, fmt::format(", \"{}\": {}", key, json)});
    }
  }
  return edits;
}

std::string applied(const std::string& text, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result.append(text, at, edit.begin - at).append(edit.put);
    at = edit.end;
  }
  return result.append(text, at, std::string::npos);
}

}  // namespace

UpdatedText update_expected(const std::string& text, const std::string& file,
                            std::span<const CaseResult> results) {
  const JsonValue root = parse_json(text, file);
  UpdatedText updated;
  std::vector<Edit> all;
  const std::vector<Finding> found = findings(results);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Finding& finding = found[i];
    if (!finding.failed) continue;
    const auto stuck = [&](const char* why) {
      const Place& p = finding.place;
      updated.stuck.push_back(json_message(file, p.line, p.column, p.path,
                                           fmt::format("'{}' stays: {}", finding.kind, why)));
    };
    if (!finding.agreed) {
      stuck("the cases of this file need different values; give it a parameter of the matrix");
    } else if (finding.updates.empty()) {
      stuck("no value makes it pass; say something else");
    } else if (std::vector<Edit> edits = edits_of(root.find("expect")->items[i], finding);
               edits.empty()) {
      stuck("its value comes from the matrix; change it there");
    } else {
      all.insert(all.end(), edits.begin(), edits.end());
      ++updated.changed;
    }
  }
  updated.text = applied(text, std::move(all));
  return updated;
}

}  // namespace talus
