// A scenario file that gives its cases one at a time, so that a matrix of thousands takes the
// memory of one.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/files.h"
#include "scenario/json.h"
#include "scenario/scenario.h"

namespace talus {

class CaseSource {
 public:
  /// Spreads out the matrix, but reads no case yet. `file` is for messages and names. Throws Error
  /// with the place: of what is no JSON, of a wrong matrix, of two cases with one name.
  CaseSource(std::string_view text, std::string file);

  std::size_t count() const { return count_; }
  /// "tower.json::tower[height=4]".
  std::string name(std::size_t i) const;
  /// From any thread. Throws Error with the place of whatever is wrong.
  Scenario read(std::size_t i) const;

 private:
  struct Column {
    std::string name;
    std::vector<JsonValue> values;
  };
  /// A value of each parameter.
  using Choice = std::vector<std::pair<std::string, const JsonValue*>>;

  void take_matrix(const JsonMember& section);
  void check_count(std::size_t text_bytes);
  void check_names() const;
  Choice choice(std::size_t i) const;

  std::string file_;
  JsonValue root_;  // without the matrix
  std::vector<Column> columns_;
  std::size_t count_ = 1;
  mutable std::mutex mutex_;
  mutable ScenarioFiles named_files_;  // under mutex_
};

}  // namespace talus
