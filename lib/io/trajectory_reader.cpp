#include "io/trajectory_reader.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/error.h"
#include "io/read_file.h"
#include "io/trajectory_formats.h"

namespace talus {

namespace {

[[noreturn]] void fail(const std::string& file, const std::string& message) {
  throw Error(file + ": " + message);
}

void check_track(const Trajectory& t, const BodyTrack& track, const std::string& file) {
  const auto frames = static_cast<std::int64_t>(t.t_s.size());
  std::int64_t last = -1;
  for (const std::int32_t frame : track.frame) {
    if (frame <= last || frame >= frames) {
      fail(file, fmt::format("body {}: frame {} comes after frame {}: they must rise, and there "
                             "are {}",
                             track.id, frame, last, frames));
    }
    last = frame;
  }
}

void check_events(const Trajectory& t, const std::string& file) {
  for (std::size_t i = 0; i < t.events.size(); ++i) {
    const int id = t.events[i].body;
    const auto known = std::lower_bound(t.bodies.begin(), t.bodies.end(), id,
                                        [](const BodyTrack& b, int x) { return b.id < x; });
    if (known == t.bodies.end() || known->id != id) {
      fail(file, fmt::format("/events/{}/body: there is no body {}", i, id));
    }
  }
}

void check_trajectory(const Trajectory& t, const std::string& file) {
  for (std::size_t i = 1; i < t.t_s.size(); ++i) {
    if (t.t_s[i] > t.t_s[i - 1]) continue;
    fail(file, fmt::format("frame {} is at {} s, and frame {} at {} s: times must rise", i - 1,
                           t.t_s[i - 1], i, t.t_s[i]));
  }
  for (std::size_t i = 0; i < t.bodies.size(); ++i) {
    if (t.bodies[i].id < 0 || (i > 0 && t.bodies[i].id <= t.bodies[i - 1].id)) {
      fail(file,
           fmt::format("body {} stands at place {}: ids must rise from 0 on", t.bodies[i].id, i));
    }
    check_track(t, t.bodies[i], file);
  }
  check_events(t, file);
}

}  // namespace

BodyState state_of(const RowNumbers& n, bool asleep) {
  return {Vec3(n[0], n[1], n[2]),
          {n[3], n[4], n[5], n[6]},
          Vec3(n[7], n[8], n[9]),
          Vec3(n[10], n[11], n[12]),
          asleep};
}

TrajectoryFormat trajectory_format(const std::string& path, std::string_view text) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".json") return TrajectoryFormat::Json;
  if (ending == ".jsonl" || ending == ".ndjson") return TrajectoryFormat::JsonLines;
  if (ending == ".csv") return TrajectoryFormat::Csv;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return TrajectoryFormat::Csv;
  // A line that ends where its object ends is a row; a document goes on.
  const std::string_view line = text.substr(first, text.find('\n', first) - first);
  const bool whole = line.find_last_not_of(" \t\r") == line.rfind('}');
  const bool document = line.find("\"format\"") != std::string_view::npos;
  return whole && !document ? TrajectoryFormat::JsonLines : TrajectoryFormat::Json;
}

Trajectory parse_trajectory(std::string_view text, const std::string& file,
                            TrajectoryFormat format) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Trajectory trajectory = format == TrajectoryFormat::Json ? parse_trajectory_document(text, file)
                          : format == TrajectoryFormat::JsonLines
                              ? parse_trajectory_lines(text, file)
                              : parse_trajectory_csv(text, file);
  check_trajectory(trajectory, file);
  return trajectory;
}

Trajectory read_trajectory(const std::string& path) {
  const std::string text = read_file(path == "-" ? "/dev/stdin" : path, kLongestTrajectory);
  return parse_trajectory(text, path, trajectory_format(path, text));
}

}  // namespace talus
