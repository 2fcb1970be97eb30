// Trajectories from .json documents, event by event (SAX), so that memory holds the columns and not
// the document.
#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/trajectory_formats.h"

namespace talus {

namespace {

using Json = nlohmann::json;
using Scalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Where the parser is: within an object, at a key; or within a list, at an index.
struct Level {
  bool list;
  std::string key;
  std::size_t index = 0;
};

constexpr std::size_t kDeepest = 100;

const std::set<std::string> kTopKeys = {"format", "version", "scenario", "scenario_hash", "seed",
                                        "step_s", "t_s",     "bodies",   "events"};
const std::set<std::string> kBodyKeys = {"id",
                                         "name",
                                         "born_s",
                                         "mass_kg",
                                         "center_m",
                                         "blocks",
                                         "frame",
                                         "t_s",
                                         "position_m",
                                         "rotation_xyzw",
                                         "linear_velocity_m_s",
                                         "angular_velocity_rad_s",
                                         "asleep"};
const std::set<std::string> kEventKeys = {"kind", "t_s", "body", "position_m", "speed_m_s"};

struct RowTime {
  std::size_t body;
  std::int32_t frame;
  double t_s;
};

/// Numbers of a column one after the other, and how many make a row.
struct Column {
  std::size_t width;
  std::vector<double> numbers{};
};

class DocumentReader : public nlohmann::json_sax<Json> {
 public:
  DocumentReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Trajectory take() {
    require_keys(top_keys_, kTopKeys);
    for (const RowTime& row : times_) {
      const auto frame = static_cast<std::size_t>(row.frame);
      if (frame >= t_.t_s.size() || t_.t_s[frame] == row.t_s) continue;
      fail(fmt::format("bodies/{}/t_s: {} s at frame {}, which is at {} s", row.body, row.t_s,
                       frame, t_.t_s[frame]));
    }
    return std::move(t_);
  }

  // ---- what the parser calls

  bool null() override { return scalar({}); }
  bool boolean(bool value) override { return scalar(value); }
  bool number_integer(std::int64_t value) override { return scalar(value); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return scalar(static_cast<double>(value));
    }
    return scalar(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) override { return scalar(value); }
  bool string(std::string& value) override { return scalar(value); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override {
    stack_.pop_back();
    if (in("bodies") && stack_.size() == 2) end_body();
    if (in("events") && stack_.size() == 2) end_event();
    advance();
    return true;
  }
  bool end_array() override {
    stack_.pop_back();
    advance();
    return true;
  }
  bool key(std::string& name) override {
    stack_.back().key = name;
    const bool item = stack_.size() == 3 && (in("bodies") || in("events"));
    if (stack_.size() != 1 && !item) return true;
    if (!(item ? item_keys_ : top_keys_).insert(name).second) fail("this key stands here twice");
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const Json::exception&) override {
    const std::string_view before = text_.substr(0, position > 0 ? position - 1 : 0);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw Error(fmt::format("{}:{}:{}: this is no JSON: is the file whole?", file_,
                            1 + std::count(before.begin(), before.end(), '\n'),
                            1 + before.size() - line_start));
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    std::string path;
    for (const Level& level : stack_) {
      path += '/';
      path += level.list ? std::to_string(level.index) : level.key.substr(0, 60);
    }
    throw Error(fmt::format("{}: {}: {}", file_, path.empty() ? "/" : path, message));
  }

  bool in(const char* section) const { return !stack_.empty() && stack_[0].key == section; }

  void require_keys(const std::set<std::string>& found, const std::set<std::string>& all) const {
    for (const std::string& key : all) {
      if (found.count(key) == 0) fail("needs the key \"" + key + "\"");
    }
  }

  void advance() {
    if (!stack_.empty() && stack_.back().list) ++stack_.back().index;
  }

  bool open(bool list) {
    if (stack_.empty() && list) fail("must be an object");
    if (stack_.size() == 1) {
      const std::string& key = stack_[0].key;
      const bool section = key == "t_s" || key == "bodies" || key == "events";
      if (section != list && kTopKeys.count(key) > 0) fail(section ? "must be a list" : kNoList);
    } else if (stack_.size() == 2 && in("t_s")) {
      fail("must be a number");
    } else if (stack_.size() == 2 && (in("bodies") || in("events"))) {
      if (list) fail("must be an object");
      item_keys_.clear();
      begin_item();
    } else if (stack_.size() == 3 && (in("bodies") || in("events"))) {
      check_container(list);
    }
    if (stack_.size() == 4 && in("bodies") && stack_[2].key == "blocks") fail(kNoList);
    if (stack_.size() >= kDeepest) fail("nested too deep");
    stack_.push_back({list, ""});
    return true;
  }

  void check_container(bool list) const {
    const std::string& key = stack_[2].key;
    const auto& keys = in("bodies") ? kBodyKeys : kEventKeys;
    if (keys.count(key) == 0 && key != "inertia_kg_m2") return;
    const bool plain = in("bodies")
                           ? key == "id" || key == "name" || key == "born_s" || key == "mass_kg"
                           : key != "position_m";
    if (plain) fail(kNoList);
    if (list != (key != "blocks")) fail(list ? "must be an object" : "must be a list");
  }

  void begin_item() {
    if (in("events")) {
      event_ = {};
      event_position_ = {3};
      return;
    }
    body_ = {};
    center_ = {3};
    inertia_ = {6};
    columns_ = {{"frame", {1}},
                {"t_s", {1}},
                {"position_m", {3}},
                {"rotation_xyzw", {4}},
                {"linear_velocity_m_s", {3}},
                {"angular_velocity_rad_s", {3}},
                {"asleep", {1}}};
  }

  // ---- scalars

  bool scalar(const Scalar& value) {
    if (stack_.empty()) fail("must be an object");
    if (stack_.size() == 1) {
      top(value);
    } else if (in("t_s")) {
      if (stack_.size() > 2) fail("must be a number");
      t_.t_s.push_back(number(value));
    } else if (in("bodies")) {
      body(value);
    } else if (in("events")) {
      event(value);
    }
    advance();
    return true;
  }

  double number(const Scalar& value) const {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    fail("must be a number");
  }
  int whole(const Scalar& value) const {
    const auto* whole = std::get_if<std::int64_t>(&value);
    if (!whole || *whole < 0 || *whole > std::numeric_limits<int>::max()) {
      fail("must be a whole number from 0 on");
    }
    return static_cast<int>(*whole);
  }
  const std::string& text(const Scalar& value) const {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    fail("must be a text");
  }

  void top(const Scalar& value) {
    const std::string& key = stack_[0].key;
    if (key == "format" && text(value) != "talus trajectory") fail("must be 'talus trajectory'");
    if (key == "version" && number(value) != 1) fail("this talus reads version 1");
    if (key == "scenario") t_.scenario = text(value);
    if (key == "scenario_hash") t_.scenario_hash = text(value);
    if (key == "seed") t_.seed = seed(text(value));
    if (key == "step_s") t_.step_s = number(value);
    if (key == "gravity_m_s2") t_.gravity_m_s2 = number(value);
    if (key == "t_s" || key == "bodies" || key == "events") fail("must be a list");
  }

  std::uint64_t seed(const std::string& digits) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
      fail("must be a whole number as a text");
    }
    return value;
  }

  void body(const Scalar& value) {
    if (stack_.size() < 3) fail("must be an object");
    const std::string& key = stack_[2].key;
    if (stack_.size() == 3) return body_head(key, value);
    if (key == "blocks") {
      if (stack_.size() > 4) fail("must be a whole number");
      body_.blocks_by_material.emplace_back(stack_[3].key, whole(value));
    } else if (key == "center_m") {
      push(center_, 3, value);
    } else if (key == "inertia_kg_m2") {
      push(inertia_, 3, value);
    } else if (const auto column = columns_.find(key); column != columns_.end()) {
      push_row(column->first, column->second, value);
    }
  }

  void body_head(const std::string& key, const Scalar& value) {
    if (key == "id") {
      body_.id = whole(value);
    } else if (key == "name") {
      body_.name = text(value);
    } else if (key == "born_s") {
      body_.born_s = number(value);
    } else if (key == "mass_kg") {
      body_.mass_kg = number(value);
    } else if (key == "radius_m") {
      body_.radius_m = number(value);
    } else if (key == "height_m") {
      body_.height_m = number(value);
    } else if (key == "split_from") {
      body_.split_from = whole(value);
    } else if (kBodyKeys.count(key) > 0 || key == "inertia_kg_m2") {
      fail(key == "blocks" ? "must be an object" : "must be a list");
    }
  }

  /// Numbers of a list that stands at a level of the stack.
  void push(Column& column, std::size_t level, const Scalar& value) {
    if (stack_.size() != level + 1 || stack_[level].index >= column.width) {
      fail(fmt::format("must be {} numbers", column.width));
    }
    column.numbers.push_back(number(value));
  }

  void push_row(const std::string& key, Column& column, const Scalar& value) {
    const std::size_t count = column.numbers.size();
    const std::size_t row = count / column.width, place = count % column.width;
    const bool nested = column.width > 1;
    if (stack_.size() != (nested ? 5u : 4u) || stack_[3].index != row ||
        (nested && stack_[4].index != place)) {
      fail(nested ? fmt::format("must be lists of {} numbers", column.width)
                  : std::string("must be a single value"));
    }
    if (key == "asleep") {
      const auto* truth = std::get_if<bool>(&value);
      if (!truth) fail("must be true or false");
      column.numbers.push_back(*truth ? 1 : 0);
    } else {
      column.numbers.push_back(key == "frame" ? whole(value) : number(value));
    }
  }

  void event(const Scalar& value) {
    if (stack_.size() < 3) fail("must be an object");
    const std::string& key = stack_[2].key;
    if (stack_.size() > 3) {
      if (key == "position_m") push(event_position_, 3, value);
    } else if (key == "kind") {
      event_.kind = text(value);
    } else if (key == "t_s") {
      event_.t_s = number(value);
    } else if (key == "body") {
      event_.body = whole(value);
    } else if (key == "speed_m_s") {
      event_.speed_m_s = number(value);
    } else if (key == "position_m") {
      fail("must be a list");
    }
  }

  // ---- whole items

  Vec3 vector(const Column& column, std::size_t row = 0) const {
    const double* n = &column.numbers[3 * row];
    return {n[0], n[1], n[2]};
  }

  void end_body() {
    require_keys(item_keys_, kBodyKeys);
    if (center_.numbers.size() != 3) fail("center_m: must be 3 numbers");
    body_.center_m = vector(center_);
    if (item_keys_.count("inertia_kg_m2") > 0) {
      if (inertia_.numbers.size() != 6) fail("inertia_kg_m2: must be 6 numbers");
      std::copy_n(inertia_.numbers.begin(), 6, body_.inertia_kg_m2.emplace().begin());
    }
    const std::size_t rows = columns_.at("frame").numbers.size();
    for (const auto& [key, column] : columns_) {
      if (column.numbers.size() == rows * column.width) continue;
      fail(fmt::format("{}: must have {} rows of {} numbers, as 'frame' has", key, rows,
                       column.width));
    }
    for (std::size_t row = 0; row < rows; ++row) add_row(row);
    t_.bodies.push_back(std::move(body_));
  }

  void add_row(std::size_t row) {
    const double frame = columns_.at("frame").numbers[row];
    const double time = columns_.at("t_s").numbers[row];
    body_.frame.push_back(static_cast<std::int32_t>(frame));
    body_.position_m.push_back(vector(columns_.at("position_m"), row));
    const double* q = &columns_.at("rotation_xyzw").numbers[4 * row];
    body_.rotation_xyzw.push_back({q[0], q[1], q[2], q[3]});
    body_.linear_velocity_m_s.push_back(vector(columns_.at("linear_velocity_m_s"), row));
    body_.angular_velocity_rad_s.push_back(vector(columns_.at("angular_velocity_rad_s"), row));
    body_.asleep.push_back(columns_.at("asleep").numbers[row] != 0 ? 1 : 0);
    times_.push_back({t_.bodies.size(), body_.frame.back(), time});
  }

  void end_event() {
    require_keys(item_keys_, kEventKeys);
    if (event_position_.numbers.size() != 3) fail("position_m: must be 3 numbers");
    event_.position_m = vector(event_position_);
    t_.events.push_back(std::move(event_));
  }

  static constexpr const char* kNoList = "must be a single value, not a list or an object";

  std::string_view text_;
  const std::string& file_;
  std::vector<Level> stack_;
  std::set<std::string> top_keys_, item_keys_;
  Trajectory t_;
  BodyTrack body_;
  Column center_{3}, inertia_{6}, event_position_{3};
  std::map<std::string, Column> columns_;
  TrajectoryEvent event_;
  std::vector<RowTime> times_;  // compared at the end: the frames' own may come last
};

}  // namespace

Trajectory parse_trajectory_document(std::string_view text, const std::string& file) {
  DocumentReader reader(text, file);
  Json::sax_parse(text.begin(), text.end(), &reader);
  return reader.take();
}

}  // namespace talus
