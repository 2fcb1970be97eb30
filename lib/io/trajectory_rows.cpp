// Trajectories from rows, one a body and frame: JSON Lines and CSV.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/number_text.h"
#include "io/trajectory_formats.h"

namespace talus {

namespace {

constexpr std::int64_t kMostFrames = 10'000'000;

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& message) {
  throw Error(fmt::format("{}:{}: {}", file, line, message));
}

struct RowText {
  std::string scenario, name;
  std::int64_t frame = 0, body = 0;
  double time_s = 0, mass_kg = 0;
  RowNumbers numbers{};
  bool asleep = false;
};

/// Gathers rows, in whatever order the bodies take turns.
class Gatherer {
 public:
  explicit Gatherer(const std::string& file) : file_(file) {}

  void add(const RowText& row, std::size_t line) {
    if (row.frame < 0 || row.frame >= kMostFrames) {
      fail(file_, line,
           fmt::format("frame: must be from 0 to {}, got {}", kMostFrames - 1, row.frame));
    }
    if (row.body < 0 || row.body > std::numeric_limits<int>::max()) {
      fail(file_, line, fmt::format("body: {} is no body's number", row.body));
    }
    if (tracks_.empty()) scenario_ = row.scenario;
    if (row.scenario != scenario_) {
      fail(file_, line,
           fmt::format("case: '{}' after '{}': a file holds one case", row.scenario, scenario_));
    }
    set_time(row, line);
    add_to(tracks_[static_cast<int>(row.body)], row, line);
  }

  Trajectory trajectory() {
    Trajectory t;
    t.scenario = scenario_;
    fill_times();
    t.t_s = std::move(times_);
    for (auto& [id, track] : tracks_) {
      track.born_s = t.t_s[static_cast<std::size_t>(track.frame.front())];
      t.bodies.push_back(std::move(track));
    }
    return t;
  }

 private:
  void set_time(const RowText& row, std::size_t line) {
    const auto frame = static_cast<std::size_t>(row.frame);
    if (frame >= times_.size()) {
      times_.resize(frame + 1);
      known_.resize(frame + 1);
    }
    if (known_[frame] && times_[frame] != row.time_s) {
      fail(file_, line,
           fmt::format("time_s: frame {} is at {} s here, and at {} s before", row.frame,
                       row.time_s, times_[frame]));
    }
    times_[frame] = row.time_s;
    known_[frame] = true;
  }

  void add_to(BodyTrack& track, const RowText& row, std::size_t line) {
    const auto frame = static_cast<std::int32_t>(row.frame);
    if (!track.frame.empty() && track.frame.back() >= frame) {
      fail(file_, line,
           fmt::format("frame: {} of body {} after {}: a body's frames must rise", row.frame,
                       row.body, track.frame.back()));
    }
    if (track.frame.empty()) {
      track.id = static_cast<int>(row.body);
      track.name = row.name;
      track.mass_kg = row.mass_kg;
    }
    const BodyState state = state_of(row.numbers, row.asleep);
    track.frame.push_back(frame);
    track.position_m.push_back(state.position_m);
    track.rotation_xyzw.push_back(state.rotation_xyzw);
    track.linear_velocity_m_s.push_back(state.linear_velocity_m_s);
    track.angular_velocity_rad_s.push_back(state.angular_velocity_rad_s);
    track.asleep.push_back(state.asleep ? 1 : 0);
  }

  /// Frames without a row lie evenly between those with one; the first is at 0.
  void fill_times() {
    std::size_t before = 0;
    for (std::size_t i = 0; i < times_.size(); ++i) {
      if (!known_[i]) continue;
      const double from = times_[before], to = times_[i];
      for (std::size_t k = before + 1; k < i; ++k) {
        const double share = static_cast<double>(k - before) / static_cast<double>(i - before);
        times_[k] = from + (to - from) * share;
      }
      before = i;
    }
  }

  const std::string& file_;
  std::string scenario_;
  std::map<int, BodyTrack> tracks_;  // by id
  std::vector<double> times_;
  std::vector<bool> known_;
};

// ---- CSV (RFC 4180)

/// Takes a record off the front of the text, and counts its line ends.
std::vector<std::string> take_record(std::string_view& text, const std::string& file,
                                     std::size_t& line) {
  std::vector<std::string> fields(1);
  std::size_t i = 0;
  const std::size_t began = line;
  while (i < text.size() && text[i] != '\n') {
    if (text[i] == ',') {
      fields.emplace_back();
      ++i;
    } else if (text[i] == '"' && fields.back().empty()) {
      for (++i; i < text.size() && (text[i] != '"' || text.substr(i + 1, 1) == "\""); ++i) {
        if (text[i] == '"') ++i;
        if (text[i] == '\n') ++line;
        fields.back() += text[i];
      }
      if (i >= text.size()) fail(file, began, "the file ends within quotes");
      ++i;
    } else {
      if (text[i] != '\r') fields.back() += text[i];
      ++i;
    }
  }
  text.remove_prefix(std::min(i + 1, text.size()));
  ++line;
  return fields;
}

/// Where the columns stand in the records of a file.
class Header {
 public:
  Header(const std::vector<std::string>& names, const std::string& file)
      : count_(names.size()), file_(file) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!places_.emplace(names[i], i).second) {
        fail(file, 1, "column '" + names[i].substr(0, 40) + "' stands here twice");
      }
    }
  }

  /// A file without any row is one all the same, if it has all columns.
  void require_all() const {
    const std::vector<std::string> none(count_);
    for (const char* name : {"case", "name", "frame", "body", "time_s", "mass_kg", "asleep"}) {
      field(name, none);
    }
    for (const char* name : kRowColumns) field(name, none);
  }

  RowText row(const std::vector<std::string>& fields, std::size_t line) const {
    if (fields.size() != count_) {
      fail(file_, line, fmt::format("{} fields, where the header has {}", fields.size(), count_));
    }
    RowText row;
    row.scenario = field("case", fields);
    row.name = field("name", fields);
    row.frame = integer("frame", fields, line);
    row.body = integer("body", fields, line);
    row.time_s = number("time_s", fields, line);
    row.mass_kg = number("mass_kg", fields, line);
    for (std::size_t i = 0; i < kRowColumns.size(); ++i) {
      row.numbers[i] = number(kRowColumns[i], fields, line);
    }
    const std::string& asleep = field("asleep", fields);
    row.asleep = asleep == "1" || asleep == "true" || asleep == "True";
    if (!row.asleep && asleep != "0" && asleep != "false" && asleep != "False") {
      fail(file_, line, "asleep: must be 0 or 1, got '" + asleep.substr(0, 40) + "'");
    }
    return row;
  }

 private:
  const std::string& field(const char* name, const std::vector<std::string>& fields) const {
    const auto place = places_.find(name);
    if (place == places_.end()) {
      fail(file_, 1, fmt::format("no column '{}': is this a trajectory of talus?", name));
    }
    return fields[place->second];
  }
  double number(const char* name, const std::vector<std::string>& fields, std::size_t line) const {
    const std::string& text = field(name, fields);
    const auto value = read_number(text);
    if (!value) {
      fail(file_, line, fmt::format("{}: not a finite number: '{}'", name, text.substr(0, 40)));
    }
    return *value;
  }
  std::int64_t integer(const char* name, const std::vector<std::string>& fields,
                       std::size_t line) const {
    const std::string& text = field(name, fields);
    const auto value = read_integer(text);
    if (!value) {
      fail(file_, line, fmt::format("{}: not a whole number: '{}'", name, text.substr(0, 40)));
    }
    return *value;
  }

  std::size_t count_;
  const std::string& file_;
  std::map<std::string, std::size_t, std::less<>> places_;
};

// ---- JSON Lines

using Json = nlohmann::json;

const Json& member(const Json& row, const char* name, const std::string& file, std::size_t line) {
  const auto found = row.find(name);
  if (found == row.end()) fail(file, line, fmt::format("needs the key \"{}\"", name));
  return *found;
}

template <class T>
T value_of(const Json& row, const char* name, const std::string& file, std::size_t line) {
  const Json& value = member(row, name, file, line);
  constexpr bool kText = std::is_same_v<T, std::string>, kWhole = std::is_same_v<T, std::int64_t>,
                 kTruth = std::is_same_v<T, bool>;
  const bool fits = kText    ? value.is_string()
                    : kTruth ? value.is_boolean()
                    : kWhole ? value.is_number_integer()
                             : value.is_number();
  if (!fits) {
    fail(file, line,
         fmt::format("{}: must be {}", name,
                     kText    ? "a text"
                     : kTruth ? "true or false"
                     : kWhole ? "a whole number"
                              : "a number"));
  }
  return value.get<T>();
}

RowText row_of(const Json& json, const std::string& file, std::size_t line) {
  RowText row;
  row.scenario = value_of<std::string>(json, "case", file, line);
  row.name = value_of<std::string>(json, "name", file, line);
  row.frame = value_of<std::int64_t>(json, "frame", file, line);
  row.body = value_of<std::int64_t>(json, "body", file, line);
  row.time_s = value_of<double>(json, "time_s", file, line);
  row.mass_kg = value_of<double>(json, "mass_kg", file, line);
  for (std::size_t i = 0; i < kRowColumns.size(); ++i) {
    row.numbers[i] = value_of<double>(json, kRowColumns[i], file, line);
  }
  row.asleep = value_of<bool>(json, "asleep", file, line);
  return row;
}

}  // namespace

Trajectory parse_trajectory_csv(std::string_view text, const std::string& file) {
  std::size_t line = 1;
  if (text.empty()) fail(file, 1, "the file is empty: not even a header");
  const Header header(take_record(text, file, line), file);
  header.require_all();
  Gatherer gatherer(file);
  while (!text.empty()) {
    const std::size_t here = line;
    gatherer.add(header.row(take_record(text, file, line), here), here);
  }
  return gatherer.trajectory();
}

Trajectory parse_trajectory_lines(std::string_view text, const std::string& file) {
  Gatherer gatherer(file);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view record = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const Json json = Json::parse(record, nullptr, false);
    if (!json.is_object()) fail(file, line, "not a JSON object: rows go one a line");
    gatherer.add(row_of(json, file, line), line);
  }
  return gatherer.trajectory();
}

}  // namespace talus
