#include "inspect_trajectory.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "io/trajectory_reader.h"
#include "io/trajectory_writer.h"
#include "streams.h"
#include "trajectory/summary.h"

namespace talus {

namespace {

using Json = nlohmann::ordered_json;

std::string text(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

// Columns as wide as what stands in them, two blanks between; the first to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string result;
  for (const auto& row : rows) {
    std::string line = fmt::format("{:<{}}", row[0], widths[0]);
    for (std::size_t i = 1; i < row.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    result += line + "\n";
  }
  return result;
}

std::string bodies_text(const Trajectory& t) {
  return fmt::format("{} {}", t.bodies.size(), t.bodies.size() == 1 ? "body" : "bodies");
}

std::string head_text(const Trajectory& t) {
  return fmt::format("{}: {}, {} frames from {} to {} s, hash {:016x}\n",
                     t.scenario.empty() ? "trajectory" : t.scenario, bodies_text(t), t.t_s.size(),
                     t.t_s.empty() ? 0 : t.t_s.front(), t.t_s.empty() ? 0 : t.t_s.back(), hash(t));
}

std::string table_text(const Trajectory& t) {
  std::vector<std::vector<std::string>> rows{{"body", "mass_kg", "born_s", "contact_s", "rest_s",
                                              "path_m", "top_m_s", "final x_m", "y_m", "z_m"}};
  const std::vector<BodySummary> summaries = summarize(t);
  for (std::size_t i = 0; i < t.bodies.size(); ++i) {
    const BodyTrack& track = t.bodies[i];
    const BodySummary& s = summaries[i];
    // Rounded, for people; --json has every digit.
    const auto rounded = [](double value) { return fmt::format("{:.3f}", value); };
    const Vec3 p = s.final_position_m;
    rows.push_back({track.name, fmt::format("{:.6g}", track.mass_kg), rounded(track.born_s),
                    s.first_contact_s ? rounded(*s.first_contact_s) : "-",
                    s.rest_s ? rounded(*s.rest_s) : "-", rounded(s.path_m),
                    rounded(s.top_speed_m_s), rounded(p.x), rounded(p.y), rounded(p.z)});
  }
  return head_text(t) + aligned(rows);
}

std::string energy_text(const Trajectory& t) {
  std::string result = "time_s,translational_j,rotational_j,potential_j,total_j\n";
  for (const FrameEnergy& e : energy_over_time(t)) {
    std::optional<double> total;
    if (e.rotational_j && e.potential_j) {
      total = e.translational_j + *e.rotational_j + *e.potential_j;
    }
    result += fmt::format("{},{},{},{},{}\n", e.t_s, e.translational_j, text(e.rotational_j),
                          text(e.potential_j), text(total));
  }
  return result;
}

std::string json_text(const Trajectory& t, const std::string& file) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  Json bodies = Json::array();
  const std::vector<BodySummary> summaries = summarize(t);
  for (std::size_t i = 0; i < t.bodies.size(); ++i) {
    const BodyTrack& track = t.bodies[i];
    const BodySummary& s = summaries[i];
    Json body = {{"id", track.id},
                 {"name", track.name},
                 {"mass_kg", track.mass_kg},
                 {"born_s", track.born_s},
                 {"first_contact_s", number(s.first_contact_s)},
                 {"rest_s", number(s.rest_s)},
                 {"path_m", s.path_m},
                 {"top_speed_m_s", s.top_speed_m_s}};
    const Vec3 p = s.final_position_m;
    body["final_position_m"] = {p.x, p.y, p.z};
    bodies.push_back(std::move(body));
  }
  const Json document = {{"file", file},
                         {"scenario", t.scenario},
                         {"scenario_hash", t.scenario_hash},
                         {"hash", fmt::format("{:016x}", hash(t))},
                         {"frames", t.t_s.size()},
                         {"end_s", t.t_s.empty() ? Json() : Json(t.t_s.back())},
                         {"bodies", bodies}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

bool names_trajectory(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return path == "-" || ending == ".json" || ending == ".jsonl" || ending == ".ndjson" ||
         ending == ".csv";
}

int inspect_trajectory(const Shell& shell, const TrajectoryView& view) {
  if (!view.output.empty()) check_trajectory_path(view.output);
  if (view.energy && view.json) throw Error("--energy is CSV: leave out --json");
  const Trajectory t = read_trajectory(view.file);
  if (!view.output.empty()) {
    write_trajectory(t, view.output);
    note(shell, fmt::format("{}: {}, {} frames", view.output, bodies_text(t), t.t_s.size()));
    if (!view.energy && !view.json) return 0;
  }
  StandardOutput out;
  out.write(view.energy ? energy_text(t) : view.json ? json_text(t, view.file) : table_text(t));
  out.flush();
  return 0;
}

}  // namespace talus
