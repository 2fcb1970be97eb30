#include "scenario/results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/hash.h"
#include "io/atomic_file.h"
#include "io/read_file.h"
#include "scenario/cases.h"
#include "scenario/json.h"
#include "scenario/report_json.h"
#include "trajectory/summary.h"

namespace talus {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "talus case result";
constexpr int kVersion = 1;

/// Of the bodies' last rows at or before the frame.
double highest_at(const Trajectory& trajectory, std::int32_t frame, bool& any) {
  double highest = 0;
  any = false;
  for (const BodyTrack& track : trajectory.bodies) {
    const auto after = std::upper_bound(track.frame.begin(), track.frame.end(), frame);
    if (after == track.frame.begin()) continue;
    const auto row = static_cast<std::size_t>(after - track.frame.begin() - 1);
    const double height = track.position_m[row].y;
    highest = any ? std::max(highest, height) : height;
    any = true;
  }
  return highest;
}

Json to_json(const Curves& curves) {
  return {{"t_s", curves.t_s}, {"height_m", curves.height_m}, {"energy_j", curves.energy_j}};
}

Curves read_curves(const Json& json) {
  Curves curves{json.at("t_s").get<std::vector<double>>(),
                json.at("height_m").get<std::vector<double>>(),
                json.at("energy_j").get<std::vector<double>>()};
  const std::size_t count = curves.t_s.size();
  if (curves.height_m.size() != count || curves.energy_j.size() != count) curves = {};
  return curves;
}

void add(Hash64& hash, const std::string& text) {
  hash.add(text.size()).bytes(text.data(), text.size());
}

}  // namespace

Curves curves_of(const Trajectory& trajectory, std::size_t most) {
  Curves curves;
  const std::vector<FrameEnergy> energy = energy_over_time(trajectory);
  const std::size_t frames = energy.size();
  std::size_t next = 0;  // of the points still to come
  const std::size_t points = std::min(frames, most);
  for (std::size_t frame = 0; frame < frames && next < points; ++frame) {
    if (points > 1 && frame < next * (frames - 1) / (points - 1)) continue;
    ++next;
    bool any = false;
    const double height = highest_at(trajectory, static_cast<std::int32_t>(frame), any);
    const FrameEnergy& e = energy[frame];
    const double joules =
        e.translational_j + e.rotational_j.value_or(0) + e.potential_j.value_or(0);
    if (!any || !std::isfinite(joules)) continue;
    curves.t_s.push_back(e.t_s);
    curves.height_m.push_back(height);
    curves.energy_j.push_back(joules);
  }
  return curves;
}

std::string result_key(const Scenario& scenario, int repeat) {
  Hash64 hash;
  add(hash, "talus " TALUS_VERSION);
  add(hash, scenario.hash);
  for (const Parameter& p : scenario.parameters) {
    add(hash, p.name);
    add(hash, p.json);
  }
  add(hash, scenario.settings.preset);
  hash.add(repeat);
  return fmt::format("{:016x}", hash.value());
}

std::string broken_key(const std::string& why) {
  Hash64 hash;
  add(hash, "talus " TALUS_VERSION);
  add(hash, why);
  return fmt::format("{:016x}", hash.value());
}

std::string result_stem(const std::string& id) {
  Scenario named;
  named.name = id;
  const std::size_t slash = id.rfind('/', id.find("::"));
  if (id.find("::") == std::string::npos && slash != std::string::npos) {
    named.name = id.substr(slash + 1);
  }
  named.hash = "";
  std::string stem = file_stem(named);
  while (stem.ends_with('-')) stem.pop_back();
  return fmt::format("{}-{:016x}", stem, Hash64().bytes(id.data(), id.size()).value());
}

void write_result(const BatchResult& result, const std::string& folder) {
  const Json document = {{"format", kFormat},
                         {"version", kVersion},
                         {"generator", "talus " TALUS_VERSION},
                         {"key", result.key},
                         {"path", result.path},
                         {"index", result.index},
                         {"exit_code", result.result.exit_code},
                         {"timed_out", result.timed_out},
                         {"host", result.host},
                         {"saved", result.saved},
                         {"case", case_json(result.result)},
                         {"curves", to_json(result.curves)}};
  AtomicFile file(folder + "/" + result_stem(result.result.name) + kResultEnding, FileKind::Json);
  file.write(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  file.commit();
}

BatchResult read_result(const std::string& path) {
  const std::string text = read_file(path, kLongestJson);
  try {
    const Json document = Json::parse(text);
    if (document.at("format") != kFormat || document.at("version") != kVersion) {
      throw Error(path + ": is no result of a case that this talus reads");
    }
    BatchResult result;
    result.key = document.at("key").get<std::string>();
    result.path = document.at("path").get<std::string>();
    result.index = document.at("index").get<std::size_t>();
    result.timed_out = document.at("timed_out").get<bool>();
    result.host = document.at("host").get<std::string>();
    result.saved = document.at("saved").get<std::vector<std::string>>();
    result.result = read_case_json(document.at("case"));
    result.result.exit_code = document.at("exit_code").get<int>();
    result.curves = read_curves(document.at("curves"));
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": is no result of a case: " + error.what() + "; delete it");
  }
}

}  // namespace talus
