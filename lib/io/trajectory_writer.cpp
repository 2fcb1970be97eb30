#include "io/trajectory_writer.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/atomic_file.h"

namespace talus {

namespace {

using Json = nlohmann::ordered_json;
using Sink = std::function<void(std::string_view)>;

constexpr const char* kColumns[] = {"x_m",      "y_m",      "z_m",     "qx",     "qy",
                                    "qz",       "qw",       "vx_m_s",  "vy_m_s", "vz_m_s",
                                    "wx_rad_s", "wy_rad_s", "wz_rad_s"};

void require_finite(double value, const BodyTrack& track, double t_s) {
  if (std::isfinite(value)) return;
  throw Error(fmt::format("body '{}' has a number that is not finite at {} s: nothing is written",
                          track.name, t_s),
              Trouble::Simulation);
}

/// The numbers of a row in the order of kColumns, all finite.
std::array<double, std::size(kColumns)> numbers(const BodyTrack& track, std::size_t row,
                                                double t_s) {
  const BodyState s = state_at(track, row);
  const auto& q = s.rotation_xyzw;
  const Vec3 p = s.position_m, v = s.linear_velocity_m_s, w = s.angular_velocity_rad_s;
  std::array<double, std::size(kColumns)> all{p.x, p.y, p.z, q[0], q[1], q[2], q[3],
                                              v.x, v.y, v.z, w.x,  w.y,  w.z};
  for (const double value : all) require_finite(value, track, t_s);
  return all;
}

std::string text(std::string_view value) {
  return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string csv_text(const std::string& value) {
  if (value.find_first_of(",\"\r\n") == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

/// The shortest text that reads back to the same bits. A bare -0 is a whole number to readers of
/// JSON, and loses its sign.
std::string text(double value) {
  return value == 0 && std::signbit(value) ? "-0.0" : fmt::format("{}", value);
}

template <class Values>
std::string joined(const Values& values) {
  std::string out;
  for (const double value : values) {
    if (!out.empty()) out += ',';
    out += text(value);
  }
  return out;
}
std::string joined(Vec3 v) {
  return joined(std::array{v.x, v.y, v.z});
}

template <class WriteRow>
void for_each_row(const Trajectory& t, const WriteRow& write_row) {
  for (const BodyTrack& track : t.bodies) {
    for (std::size_t row = 0; row < track.rows(); ++row) {
      write_row(track, row, t.t_s[static_cast<std::size_t>(track.frame[row])]);
    }
  }
}

void write_csv(const Trajectory& t, const Sink& write) {
  write(fmt::format("case,frame,time_s,body,name,mass_kg,{},asleep\n", fmt::join(kColumns, ",")));
  const std::string name = csv_text(t.scenario);
  for_each_row(t, [&](const BodyTrack& track, std::size_t row, double t_s) {
    write(fmt::format("{},{},{},{},{},{},{},{}\n", name, track.frame[row], t_s, track.id,
                      csv_text(track.name), track.mass_kg, joined(numbers(track, row, t_s)),
                      track.asleep[row] ? 1 : 0));
  });
}

void write_jsonl(const Trajectory& t, const Sink& write) {
  const std::string name = text(t.scenario);
  for_each_row(t, [&](const BodyTrack& track, std::size_t row, double t_s) {
    std::string line =
        fmt::format(R"({{"case":{},"frame":{},"time_s":{},"body":{},"name":{},"mass_kg":{})", name,
                    track.frame[row], t_s, track.id, text(track.name), track.mass_kg);
    const auto values = numbers(track, row, t_s);
    for (std::size_t i = 0; i < values.size(); ++i) {
      line += fmt::format(R"(,"{}":{})", kColumns[i], text(values[i]));
    }
    write(line + fmt::format(",\"asleep\":{}}}\n", track.asleep[row] != 0));
  });
}

/// A column of a body: rows [begin, end) of its numbers, or one number a row.
template <class Values, class Print>
void write_column(const char* name, const Values& values, const Sink& write, const Print& print) {
  write(fmt::format(",\n   \"{}\": [", name));
  bool first = true;
  for (const auto& value : values) {
    if (!first) write(",");
    write(print(value));
    first = false;
  }
  write("]");
}

void write_body(const Trajectory& t, const BodyTrack& track, const Sink& write) {
  Json head{{"id", track.id},
            {"name", track.name},
            {"born_s", track.born_s},
            {"mass_kg", track.mass_kg},
            {"center_m", {track.center_m.x, track.center_m.y, track.center_m.z}}};
  if (track.inertia_kg_m2) head["inertia_kg_m2"] = *track.inertia_kg_m2;
  if (track.radius_m) head["radius_m"] = *track.radius_m;
  if (track.height_m) head["height_m"] = *track.height_m;
  if (track.split_from) head["split_from"] = *track.split_from;
  head["blocks"] = Json::object();
  for (const auto& [material, count] : track.blocks_by_material) head["blocks"][material] = count;
  std::string opening = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  opening.pop_back();
  write("  " + opening);
  std::vector<double> times;
  for (std::size_t row = 0; row < track.rows(); ++row) {
    times.push_back(t.t_s[static_cast<std::size_t>(track.frame[row])]);
    numbers(track, row, times.back());  // fails where one is not finite
  }
  const auto vec = [](Vec3 v) { return fmt::format("[{}]", joined(v)); };
  write_column("frame", track.frame, write, [](int f) { return std::to_string(f); });
  write_column("t_s", times, write, [](double v) { return fmt::format("{}", v); });
  write_column("position_m", track.position_m, write, vec);
  write_column("rotation_xyzw", track.rotation_xyzw, write,
               [](const std::array<double, 4>& q) { return fmt::format("[{}]", joined(q)); });
  write_column("linear_velocity_m_s", track.linear_velocity_m_s, write, vec);
  write_column("angular_velocity_rad_s", track.angular_velocity_rad_s, write, vec);
  write_column("asleep", track.asleep, write,
               [](std::uint8_t a) { return std::string(a ? "true" : "false"); });
  write("}");
}

void write_json(const Trajectory& t, const Sink& write) {
  write(
      fmt::format("{{\"format\": \"talus trajectory\", \"version\": 1,\n \"generator\": "
                  "\"talus {}\",\n \"scenario\": {}, \"scenario_hash\": {}, \"seed\": "
                  "\"{}\",\n \"units\": \"m, s, kg, rad\", \"up\": \"+y\", \"step_s\": {},\n "
                  "{}\"t_s\": [{}],\n \"bodies\": [",
                  TALUS_VERSION, text(t.scenario), text(t.scenario_hash), t.seed, t.step_s,
                  t.gravity_m_s2 ? fmt::format("\"gravity_m_s2\": {},\n ", *t.gravity_m_s2) : "",
                  joined(t.t_s)));
  for (std::size_t i = 0; i < t.bodies.size(); ++i) {
    write(i == 0 ? "\n" : ",\n");
    write_body(t, t.bodies[i], write);
  }
  write("],\n \"events\": [");
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    const TrajectoryEvent& e = t.events[i];
    for (const double value : {e.position_m.x, e.position_m.y, e.position_m.z, e.speed_m_s}) {
      if (std::isfinite(value)) continue;
      throw Error(fmt::format("event '{}' of body {} at {} s has a number that is not finite: "
                              "nothing is written",
                              e.kind, e.body, e.t_s),
                  Trouble::Simulation);
    }
    write(fmt::format(
        "{}\n  {{\"kind\":{},\"t_s\":{},\"body\":{},\"position_m\":[{}],"
        "\"speed_m_s\":{}}}",
        i == 0 ? "" : ",", text(e.kind), e.t_s, e.body, joined(e.position_m), text(e.speed_m_s)));
  }
  write("]}\n");
}

TrajectoryFormat format_of_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") return TrajectoryFormat::Json;
  if (ending == ".jsonl") return TrajectoryFormat::JsonLines;
  if (ending == ".csv") return TrajectoryFormat::Csv;
  throw Error(path + ": a trajectory is written as .json, .jsonl or .csv");
}

FileKind file_kind(TrajectoryFormat format) {
  return format == TrajectoryFormat::Csv ? FileKind::Text : FileKind::Json;
}

}  // namespace

void check_trajectory_path(const std::string& path) {
  check_output(path, file_kind(format_of_file(path)));
}

void write_trajectory(const Trajectory& trajectory, const std::string& path) {
  const TrajectoryFormat format = format_of_file(path);
  AtomicFile file(path, file_kind(format));
  write_trajectory(trajectory, format, [&](std::string_view text) { file.write(text); });
  file.commit();
}

void write_trajectory(const Trajectory& trajectory, TrajectoryFormat format,
                      const std::function<void(std::string_view)>& write) {
  switch (format) {
    case TrajectoryFormat::Json:
      return write_json(trajectory, write);
    case TrajectoryFormat::JsonLines:
      return write_jsonl(trajectory, write);
    case TrajectoryFormat::Csv:
      return write_csv(trajectory, write);
  }
}

}  // namespace talus
